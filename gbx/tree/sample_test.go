package tree_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/gbx"
	"pakbox/gbx/tree"
	"pakbox/nadeo/nadeotest/mapsample"
)

func sampleFile(t *testing.T) *gbx.File {
	t.Helper()
	return mapsample.New(t).File
}

// A path that leads nowhere is answered with where it fails, and what is there.
func TestMissing(t *testing.T) {
	values := tree.Lazy(sampleFile(t))
	for _, k := range []struct {
		path, message string
		near          string
	}{
		{"body.0304301F.mapNam", `value not found: body.0304301F has no "mapNam"`, "body.0304301F.mapName"},
		{"body.0304301F.xyzzy", `body.0304301F has no "xyzzy"; it has mapInfo, mapName, decoration, size, needUnlock, version, blocks`, ""},
		{"body.0304301F.size.xx", `body.0304301F.size has no "xx"`, "body.0304301F.size.x"},
		{"body.0304301F.blocks.blocks[0].nam", `body.0304301F.blocks.blocks[0] has no "nam"`, "body.0304301F.blocks.blocks[0].name"},
		{"body.0304301F.blocks.blocks[6]", "the elements of body.0304301F.blocks.blocks go from [0] to [5]", ""},
		{"body.0304301F.blocks[9]", "the elements of body.0304301F.blocks.blocks go from [0] to [5]", ""},
		{"body.0304301F.mapName[0]", "body.0304301F.mapName is not a list, or an empty one", ""},
		{"body.0304301F.mapName.x", `body.0304301F.mapName has no "x", and nothing is below it`, ""},
		{"mapNme", "value not found", "mapName"},
		{"blocks.blocks.nam", `has no "nam"`, "blocks.blocks.name"},
		{"heeder.mapName", "value not found", "header.mapName"},
		{"qqqqqqqqqq", "value not found", ""},
		{"", "is not a path", ""},
	} {
		_, err := values.Resolve(k.path)
		var e *archive.ValueError
		if !errors.As(err, &e) || !e.Missing || !strings.Contains(e.Error(), k.message) || k.near != "" && !slices.Contains(e.Near, k.near) || k.near == "" && len(e.Near) > 0 {
			t.Errorf("%q: %v, near %q; want %q, %q", k.path, err, e.Near, k.message, k.near)
		}
	}
}

// The outline is the tree down to the chunks; a part that is written by itself is
// what the whole tree has there.
func TestOutlineAndParts(t *testing.T) {
	f := sampleFile(t)
	whole, err := tree.Of(f)
	if err != nil {
		t.Fatal(err)
	}
	outline, err := tree.Outline(f)
	if err != nil {
		t.Fatal(err)
	}
	part := 0
	for i, above := range []*tree.Value{&whole.Header, &whole.Body} {
		short := []*tree.Value{&outline.Header, &outline.Body}[i]
		if len(short.Children) != len(above.Children) || short.Length != above.Length {
			t.Fatalf("%d of %d values", len(short.Children), len(above.Children))
		}
		for j := range above.Children {
			a, b := &above.Children[j], &short.Children[j]
			if a.Name != b.Name || a.Kind != b.Kind || a.Offset != b.Offset || a.Length != b.Length || b.Kind == tree.Chunk && len(b.Children) > 0 {
				t.Errorf("%+v, want %+v", b, a)
			}
			if a.Kind != tree.Chunk {
				continue
			}
			part++
			var got, want bytes.Buffer
			if err := tree.WritePartText(&got, f, part); err != nil {
				t.Fatal(err)
			}
			if err := whole.WriteValue(&want, a, false); err != nil {
				t.Fatal(err)
			}
			if got.String() != want.String() {
				t.Errorf("%s:\n%s\nwant\n%s", a.Name, got.String(), want.String())
			}
		}
	}
	if part != len(f.Chunks)+len(f.Body.Chunks) {
		t.Errorf("%d parts", part)
	}
	// The content of the compressed block of the lightmap: 48 bytes, as it was made.
	if inside := whole.Inside(); len(inside) != 1 || len(inside[0]) != 48 {
		t.Errorf("%d contents", len(inside))
	}
	if v := whole.At("body.0304301F.mapName"); string(whole.Bytes(v)[4:]) != mapsample.Name {
		t.Errorf("whole.Bytes(v) = %q; want whole.Bytes(v)[4:] = mapsample.Name", whole.Bytes(v))
	}
	for path, want := range map[string]string{"body": "CGameCtnChallenge", "body.03043011.blockStock": "none", "body.03043011.challengeParameters": "CGameCtnChallengeParameters #1"} {
		if got := whole.NodeText(whole.At(path)); got != want {
			t.Errorf("%s is %q, not %q", path, got, want)
		}
	}
}

// An edit lists the bytes it changes, and the new file is read with the new value.
func TestEdit(t *testing.T) {
	for _, k := range []struct {
		path, value string
		places      []string
		old, new    string
	}{
		{"body.03043018.nbLaps", "5", []string{"body.03043018.nbLaps"}, "3", "5"},
		{"header.03043002.authorTime", "30000", []string{"header.03043002.authorTime"}, "0:36.217", "0:30.000"},
		{"body.0304301F.size.x", "33", []string{"body.0304301F.size.x"}, "48", "33"}, // before a list that is kept packed
		{"body.0304301F.blocks.blocks[1].direction", "2", []string{"body.0304301F.blocks.blocks[1].direction"}, "1", "2"},
	} {
		found, meant := sampleFile(t), sampleFile(t)
		if _, err := tree.Set(meant, k.path, k.value); err != nil {
			t.Fatal(err)
		}
		edit, err := tree.NewEdit(found, meant)
		if err != nil {
			t.Fatal(err)
		}
		read := mapsample.Parsed(t, edit.Data()).File
		r, err := edit.Reread(read)
		if err != nil || !r.Same || len(r.Changes) != len(k.places) {
			t.Errorf("%s: r = %+v, err = %v; want no error, r.Same = true, r.Changes of length len(k.places)", k.path, r, err)
			continue
		}
		for i, c := range r.Changes {
			if c.Place != k.places[i] || c.OldText != k.old || c.NewText != k.new || len(c.Old) != len(c.New) {
				t.Errorf("%+v, want %s from %s to %s", c, k.places[i], k.old, k.new)
			}
		}
		d, err := tree.Diff(found, read)
		if err != nil || len(d) != 1 || d[0].Path != k.path || d[0].Kind != archive.Changed || d[0].Old != k.old || d[0].New != k.new {
			t.Errorf("%s: d = %+v, err = %v; want no error, d of length 1, d[0].Path = %v, d[0].Kind = archive.Changed, d[0].Old = %v, d[0].New = %v", k.path, d, err, k.path, k.old, k.new)
		}
		// Read as another file, it is not the one that was meant.
		if r, err := edit.Reread(sampleFile(t)); err != nil || r.Same {
			t.Errorf("%s: r = %+v, err = %v; want no error, r.Same = false", k.path, r, err)
		}
	}
}
