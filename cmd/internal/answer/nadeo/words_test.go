package nadeo

import (
	"archive/zip"
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fact"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo/gbxarchive"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/mapsample"
	"pakbox/nadeo/nadeotest/runsample"
)

// card is a GBX file with facts.
type card struct {
	facts fact.Record
	file  *gbx.File
}

// words is Words for cards.
func words(x, y card) []archive.ValueChange {
	return append(factChanges(x.facts, y.facts), fileChanges(x.file, y.file)...)
}

// plain is an archive of another kind.
type plain struct{ archive.Archive }

func lines(changes []archive.ValueChange) (list []string) {
	for _, c := range changes {
		list = append(list, fmt.Sprintf("%s %s: %s > %s", c.Kind, c.Path, c.Old, c.New))
	}
	return list
}

func check(t *testing.T, got []archive.ValueChange, want ...string) {
	t.Helper()
	if list := lines(got); !slices.Equal(list, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(list, "\n"), strings.Join(want, "\n"))
	}
}

func value(name, label, text string, hidden bool) fact.Value {
	v := fact.Make(name, label, fact.Text, text, "")
	v.Hidden = hidden
	return v
}

func zipOf(t *testing.T, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range files {
		name, size, _ := strings.Cut(name, "=")
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		n, _ := strconv.Atoi(size)
		if _, err := f.Write(make([]byte, n)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestWordsForFacts(t *testing.T) {
	none := gbx.New(&gbx.Node{Class: 0x03079000}, engine.Registry())
	x := card{facts: fact.Record{
		value("name", "Name", "A", false), value("same", "Same", "1", false), value("file_size", "Size", "1", false),
		value("raw", "", "1", false), value("secret", "Secret", "1", true), value("old", "Old", "1", false), value("the_last", "The Last", "1", false),
	}, file: none}
	y := card{facts: fact.Record{
		value("name", "Name", "B", false), value("same", "Same", "1", false), value("file_size", "Size", "2", false),
		value("raw", "", "2", false), value("secret", "Secret", "2", true), value("new", "New", "1", false), value("the_last", "The Last", "2", false),
	}, file: none}
	check(t, words(x, y), "changed name: A > B", "changed the last: 1 > 2")
	check(t, words(x, x))
	for _, both := range [][2]archive.Archive{{plain{}, &gbxarchive.Archive{}}, {&gbxarchive.Archive{}, plain{}}} {
		if got := Words(both[0], both[1]); got != nil {
			t.Errorf("words for what is not a GBX file: %v", got)
		}
	}
}

func TestWordsForMaps(t *testing.T) {
	m, n := mapsample.New(t), mapsample.New(t)
	medals := n.Medals()
	medals.Gold = 40000
	n.SetMedals(medals)
	if err := n.AddBlock(maps.Block{Name: "RoadTechCurve1", Coord: gbx.Int3{X: 30, Y: 9, Z: 30}}); err != nil {
		t.Fatal(err)
	}
	got := lines(words(card{file: m.File}, card{file: n.File}))
	if len(got) != 2 || got[0] != "changed gold medal: 0:43.000 > 0:40.000" || !strings.HasPrefix(got[1], "added ") || !strings.Contains(got[1], "RoadTechCurve1") {
		t.Errorf(`got = %q; want got of length 2, got[0] = "changed gold medal: 0:43.000 > 0:40.000", got[1] beginning with "added ", got[1] with "RoadTechCurve1"`, got)
	}
	back := lines(words(card{file: n.File}, card{file: m.File}))
	if len(back) != 2 || !strings.HasPrefix(back[1], "removed ") {
		t.Errorf(`back = %q; want back of length 2, back[1] beginning with "removed "`, back)
	}
	onMap, err := LayoutChanges(encoded(t, m), encoded(t, n))
	if err != nil || len(onMap) != 1 || lines(onMap)[0] != got[1] {
		t.Errorf("lines(onMap) = %q err = %v; want no error, onMap of length 1, lines(onMap)[0] = got[1]", lines(onMap), err)
	}
	ghost, err := runsample.Straight(2900).Ghost().Encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, both := range [][2][]byte{{ghost, encoded(t, m)}, {encoded(t, m), ghost}} {
		if _, err := LayoutChanges(both[0], both[1]); err == nil {
			t.Error("a ghost has a layout")
		}
	}
}

func TestWordsForEmbeddedFiles(t *testing.T) {
	m, n := mapsample.New(t), mapsample.New(t)
	x, err := m.EmbeddedFiles()
	if err != nil || len(x.Files) < 2 {
		t.Fatalf("len(x.Files) = %v, err = %v; want no error, len(x.Files) at least 2", len(x.Files), err)
	}
	// The first gets another size, one comes, the rest goes.
	c, _ := gbx.Find[*game.Chunk03043054](n.File.Body)
	c.EmbeddedZip = zipOf(t, x.Files[0].Name+"=7", "New.Item.Gbx=1")
	var want []string
	want = append(want, fmt.Sprintf("changed embedded %s: %d bytes > 7 bytes", x.Files[0].Name, x.Files[0].Size), "added embedded New.Item.Gbx:  > 1 byte")
	for _, f := range x.Files[1:] {
		want = append(want, fmt.Sprintf("removed embedded %s: %d bytes > ", f.Name, f.Size))
	}
	check(t, embeddedChanges(m, n), want...)
	check(t, embeddedChanges(m, m))
	c.EmbeddedZip = []byte("no zip")
	check(t, embeddedChanges(m, n)) // the list of changed values shows the difference
	check(t, embeddedChanges(n, m))
}

func TestWordsForRuns(t *testing.T) {
	file := func(change func(r *runsample.Run)) card {
		r := runsample.Straight(2900)
		if change != nil {
			change(r)
		}
		return card{file: r.Ghost()}
	}
	first := file(nil)
	check(t, words(first, file(nil)))
	check(t, words(first, file(func(r *runsample.Run) { r.NickTail, r.Login = " two", "other" })),
		"changed ghost 0, driver: $f00Red$z <b> > $f00Red two", "changed ghost 0, login: vTr5QXsPTFi3a2QoTZkY2w > other")
	check(t, words(first, file(func(r *runsample.Run) {
		r.Declared, r.Splits = 3100, []gbx.Time{1400, 2900, 3100}
		r.Presses = r.Presses[1:]
	})),
		"changed ghost 0, checkpoint 1: 0:01.500 > 0:01.400 (-0.100)",
		"changed ghost 0, checkpoint 3: -:--.--- > 0:03.100",
		"changed ghost 0, time: 0:02.900 > 0:03.100 (+0.200)",
		"changed ghost 0, inputs: 7 > 6",
		"changed ghost 0, samples: 31 > 33")
	check(t, words(file(func(r *runsample.Run) { r.Splits = []gbx.Time{1400, 2900, 3100} }), file(func(r *runsample.Run) { r.Splits = []gbx.Time{1400, 3100} })),
		"changed ghost 0, checkpoint 2: 0:02.900 > 0:03.100 (+0.200)", "changed ghost 0, checkpoint 3: 0:03.100 > -:--.---")
	none := card{file: gbx.New(&gbx.Node{Class: 0x03079000}, engine.Registry())}
	check(t, words(none, first), "added ghost 0:  > 0:02.900")
	check(t, words(first, none), "removed ghost 0: 0:02.900 > ")
}
