package trackmania

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/tree"
	"pakbox/internal/corpus"
)

// edits are changes of a map, and what may differ after them: patterns of
// paths. The number of nodes and the sizes of the XML follow by themselves.
var edits = []struct {
	name    string
	apply   func(*Map) error
	allowed string
	done    func(*Map) bool
}{
	{
		"rename", func(m *Map) error { m.Rename("$f00Renamed <&> \"x\""); return nil },
		`mapName$|03043005\.xml$`,
		func(m *Map) bool { return m.Name() == "$f00Renamed <&> \"x\"" },
	},
	{
		"medals", func(m *Map) error { m.SetMedals(Medals{11111, 22222, 33333, 44444}); return nil },
		`(author|gold|silver|bronze)Time$|03043005\.xml$`,
		func(m *Map) bool { return m.Medals() == Medals{11111, 22222, 33333, 44444} },
	},
	{
		"strip lightmap", func(m *Map) error { m.StripLightmap(); return nil },
		`030430(3D|5B)\.(hasLightmaps|lightmaps)|lightmapVersion$|03043005\.xml$`,
		func(m *Map) bool { return !m.HasLightmap() },
	},
	{
		"remove password", func(m *Map) error { m.RemovePassword(); return nil },
		`03043029\.|[.]password$`,
		func(m *Map) bool { p := m.Password(); return !p.Set && p.CRC == p.WantCRC },
	},
	{
		"delete block", func(m *Map) error { return m.DeleteBlock(len(m.Blocks()) / 2) },
		`0304301F\.(blocks|count)|030430(62|68|69|5F)\.|03043040\.snappedBlocks`,
		nil,
	},
	{
		"add block", func(m *Map) error { return m.AddBlock("PakboxTestBlock", gbx.Int3{X: 3, Y: 9, Z: 4}, 2, true) },
		`0304301F\.(blocks|count)|030430(62|68|69)\.`,
		nil,
	},
}

// editable are maps of every generation, those with most to keep in step
// first.
func editable(t *testing.T, most int) []corpusFile {
	var out []corpusFile
	games := map[string]int{}
	eachFile(t, []string{"03043000"}, func(c corpusFile) {
		m, _ := MapOf(c.file)
		kind := m.Collection() + m.Title()
		if len(c.file.BodyBytes()) > 1<<20 || len(m.Blocks()) < 3 || games[kind] >= 2 || len(out) >= most {
			return
		}
		games[kind]++
		out = append(out, c)
	})
	if len(out) < most {
		t.Fatalf("only %d maps to edit", len(out))
	}
	return out
}

// reread returns a fresh copy of a file.
func reread(t *testing.T, path string) *gbx.File {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, data)
}

func parse(t *testing.T, data []byte) *gbx.File {
	t.Helper()
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// differences saves a file, reads it back, and lists what differs from
// another.
func differences(t *testing.T, before *tree.Tree, after *gbx.File) (paths []string, saved *gbx.File) {
	t.Helper()
	data, err := after.Encode()
	if err != nil {
		t.Fatal(err)
	}
	saved = parse(t, data)
	again, err := saved.Encode()
	if err != nil || string(again) != string(data) {
		t.Errorf("what was saved is saved differently (%v)", err)
	}
	if n := len(saved.Coverage().Inexact); n > 0 {
		t.Errorf("%d chunks of what was saved are coded differently", n)
	}
	for _, d := range tree.Diff(before, treeOf(t, saved)) {
		paths = append(paths, d.Path)
	}
	return paths, saved
}

func treeOf(t *testing.T, f *gbx.File) *tree.Tree {
	t.Helper()
	v, err := tree.Of(f, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Each edit makes the difference it should make and no other.
func TestEdits(t *testing.T) {
	for _, c := range editable(t, 10) {
		before := treeOf(t, c.file)
		for _, e := range edits {
			t.Run(filepath.Base(c.path)+"/"+strings.ReplaceAll(e.name, " ", "_"), func(t *testing.T) {
				f := reread(t, c.path)
				m, _ := MapOf(f)
				n := len(m.Blocks())
				if err := e.apply(m); err != nil {
					t.Fatal(err)
				}
				paths, saved := differences(t, before, f)
				allowed := regexp.MustCompile(e.allowed)
				for _, p := range paths {
					if !allowed.MatchString(p) {
						t.Errorf("%s changed too", p)
					}
				}
				got, _ := MapOf(saved)
				if e.done != nil && !e.done(got) {
					t.Error("the edit is not there")
				}
				switch e.name {
				case "delete block":
					n--
				case "add block":
					n++
				}
				if len(got.Blocks()) != n {
					t.Errorf("%d blocks, want %d", len(got.Blocks()), n)
				}
			})
		}
	}
}

// Columns follow their blocks: the colour of each block that stays is the
// colour it had.
func TestColumnsFollow(t *testing.T) {
	seen := 0
	eachFile(t, []string{"03043000"}, func(c corpusFile) {
		m, _ := MapOf(c.file)
		before := m.Blocks()
		if len(m.colors()) == 0 || len(before) < 5 || seen == 10 {
			return
		}
		seen++
		baked, items := m.BakedBlocks(), m.Items()
		if err := m.DeleteBlock(2); err != nil {
			t.Fatal(err)
		}
		data, err := c.file.Encode()
		if err != nil {
			t.Fatal(err)
		}
		after, _ := MapOf(parse(t, data))
		want := cut(before, 2)
		for i, b := range after.Blocks() {
			if b != want[i] {
				t.Errorf("%s: block %d is %+v, want %+v", c.path, i, b, want[i])
				break
			}
		}
		for i, b := range after.BakedBlocks() {
			if b != baked[i] {
				t.Errorf("%s: baked block %d changed", c.path, i)
				break
			}
		}
		for i, it := range after.Items() {
			if it.Color != items[i].Color || it.Position != items[i].Position {
				t.Errorf("%s: item %d changed", c.path, i)
				break
			}
		}
	})
	if seen < 4 {
		t.Errorf("only %d maps have such columns", seen)
	}
}

// Embedded items can be taken out and put back.
func TestEmbed(t *testing.T) {
	item, err := filepath.Glob(filepath.Join(corpus.Dir(t, "gbx"), "2e002000", "*.Item.Gbx"))
	if err != nil || len(item) == 0 {
		t.Skip("no items in the corpus")
	}
	content, err := os.ReadFile(item[0])
	if err != nil {
		t.Fatal(err)
	}
	const name = "Items/Pakbox/Test.Item.Gbx"
	allowed := regexp.MustCompile(`03043054\.`)
	seen := 0
	eachFile(t, []string{"03043000"}, func(c corpusFile) {
		m, _ := MapOf(c.file)
		if _, err := m.embedding(); err != nil || seen == 10 || len(c.file.BodyBytes()) > 1<<20 {
			return
		}
		seen++
		f := reread(t, c.path)
		m, _ = MapOf(f)
		had, err := m.EmbeddedFiles()
		if err != nil {
			t.Fatal(err)
		}
		if err := m.AddEmbedded(name, content, engine.Registry()); err != nil {
			t.Fatalf("%s: %v", c.path, err)
		}
		paths, saved := differences(t, treeOf(t, c.file), f)
		for _, p := range paths {
			if !allowed.MatchString(p) {
				t.Errorf("%s: %s changed too", c.path, p)
			}
		}
		m, _ = MapOf(saved)
		has, err := m.EmbeddedFiles()
		if err != nil || len(has.Files) != len(had.Files)+1 || !has.Files[len(had.Files)].Listed {
			t.Errorf("%s: the item is not there (%v)", c.path, err)
		}
		if err := m.RemoveEmbedded(name); err != nil {
			t.Fatalf("%s: %v", c.path, err)
		}
		if back, err := m.EmbeddedFiles(); err != nil || len(back.Files) != len(had.Files) {
			t.Errorf("%s: the item is not gone (%v)", c.path, err)
		}
	})
	if seen < 10 {
		t.Errorf("only %d maps can bring items along", seen)
	}
}
