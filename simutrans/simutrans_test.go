package simutrans_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/testkit/corpus"
	"pakbox/simutrans"
	"pakbox/simutrans/node"
)

func open(t *testing.T, data []byte) *simutrans.Archive {
	t.Helper()
	in := archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Name: "x.pak"}
	if !(simutrans.Format{}).Match(in) {
		t.Fatal("not recognised")
	}
	a, err := simutrans.Format{}.Open(context.Background(), in, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return a.(*simutrans.Archive)
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(corpus.Dir(t, "simutrans"), "pak", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestFS(t *testing.T) {
	for name, files := range map[string][]string{
		"debian-pak64__vehicle.TB24.pak": {
			"vehicle.TB24/object.dat", "vehicle.TB24/vehicle_TB24.png", "vehicle.TB24/object.pak",
			"vehicle.TB24/images/emptyimage[sw].png", "vehicle.TB24/nodes/000.VHCL.body", "vehicle.TB24/nodes/000.VHCL/000.TEXT.body",
		},
		"wrapper__merged.pak":                    {"citycar.test1/object.dat", "vehicle.test2/object.pak"},
		"britain-ex__pier.concretepost4Pier.pak": {"pier.concretepost4Pier/object.pak"},
	} {
		if err := fstest.TestFS(open(t, read(t, name)), files...); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Sizes that are known before an entry is read are right.
func TestSizes(t *testing.T) {
	for _, name := range []string{"portal__test.pak", "synthetic__extsize.pak", "debian-pak64__factory.Raffinerie.pak"} {
		a := open(t, read(t, name))
		for i, e := range a.Entries() {
			r, err := a.OpenEntry(i)
			if err != nil {
				t.Errorf("%s: %v", e.Name, err)
				continue
			}
			if n, err := io.Copy(io.Discard, r); err != nil || e.Size >= 0 && n != e.Size {
				t.Errorf("%s has %d bytes, not %d (%v)", e.Name, n, e.Size, err)
			}
		}
	}
}

func TestEveryFileOfTheCorpusVerifies(t *testing.T) {
	for _, path := range corpus.Files(t, corpus.Dir(t, "simutrans"), "pak", "*.pak") {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		report, err := open(t, data).Verify(context.Background(), archive.Options{})
		if err != nil || !report.OK() {
			t.Errorf("%s: report.Findings = %v err = %v; want no error, report.OK() = true", filepath.Base(path), report.Findings, err)
		}
	}
}

// edit applies edits and returns the new archive and its bytes.
func edit(t *testing.T, data []byte, edits ...archive.Edit) (*simutrans.Archive, []byte, error) {
	t.Helper()
	return staged(t, func(stage *archive.Stage) error {
		return open(t, data).Edit(context.Background(), stage, edits, archive.CreateOptions{})
	})
}

func create(t *testing.T, items ...archive.Item) (*simutrans.Archive, []byte, error) {
	t.Helper()
	return staged(t, func(stage *archive.Stage) error {
		return simutrans.Format{}.Create(context.Background(), stage, items, archive.CreateOptions{})
	})
}

func staged(t *testing.T, work func(*archive.Stage) error) (*simutrans.Archive, []byte, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "new.pak")
	stage, err := archive.NewStage(path, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := work(stage); err != nil {
		stage.Abort()
		return nil, nil, err
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return open(t, data), data, nil
}

func item(name string, data []byte) archive.Item {
	return archive.Item{Name: name, Size: int64(len(data)), Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
}

func put(name string, data []byte) archive.Edit {
	i := item(name, data)
	return archive.Edit{Put: &i}
}

func names(a *simutrans.Archive) string {
	var list []string
	for _, o := range a.Objects() {
		list = append(list, o.Folder)
	}
	return strings.Join(list, " ")
}

func TestNoEditGivesTheSameBytes(t *testing.T) {
	data := read(t, "portal__test.pak")
	if _, got, err := edit(t, data); err != nil || !bytes.Equal(got, data) {
		t.Errorf("different (%v)", err)
	}
}

func TestCreateMergesAndEditChangesOneObject(t *testing.T) {
	car, vehicle := read(t, "debian-pak64__citycar.Motorrad.pak"), read(t, "debian-pak64__vehicle.TB24.pak")
	a, data, err := create(t, item("a.pak", car), item("b.pak", vehicle))
	if err != nil || names(a) != "citycar.Motorrad vehicle.TB24" {
		t.Fatalf(`names(a) = %v, err = %v; want no error, names(a) = "citycar.Motorrad vehicle.TB24"`, names(a), err)
	}
	b, _, err := edit(t, data, archive.Edit{Rename: &archive.Rename{From: "vehicle.TB24", To: "vehicle.New"}})
	if err != nil || names(b) != "citycar.Motorrad vehicle.New" {
		t.Fatalf(`err = %v; want no error, names(b) = "citycar.Motorrad vehicle.New"`, err)
	}
	n, _ := b.Find("vehicle.New/object.dat")
	// TB24 may be coupled to itself: the reference follows the new name.
	if x, _ := n.Children[8].Xref(); x.Name != "New" {
		t.Errorf("the reference is to %q", x.Name)
	}
	if _, got, err := edit(t, data, archive.Edit{Remove: "citycar.Motorrad"}); err != nil || !bytes.Equal(got, vehicle) {
		t.Errorf("removing one object does not give the other file (%v)", err)
	}
	if _, _, err := edit(t, data, archive.Edit{Remove: "gone"}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("err = %v; want err matching fs.ErrNotExist", err)
	}
	if _, _, err := edit(t, data, archive.Edit{Remove: "vehicle.TB24/object.dat"}); err == nil {
		t.Error("a part of an object was removed")
	}
}

// Extracting an archive and creating one from the files gives it again.
func TestCreateFromExtractedFiles(t *testing.T) {
	data := read(t, "wrapper__merged.pak")
	if _, got, err := create(t, archive.Items(open(t, data))...); err != nil || !bytes.Equal(got, data) {
		t.Errorf("another file (%v)", err)
	}
	source := []byte("obj=sound\nname=a\nsound_nr=3\n")
	if a, _, err := create(t, item("b.dat", bytes.Replace(source, []byte("=a"), []byte("=b"), 1)), item("a.dat", source)); err != nil || names(a) != "sound.a sound.b" {
		t.Errorf(`err = %v; want no error, names(a) = "sound.a sound.b"`, err)
	}
	if _, _, err := create(t, item("readme.txt", source)); fault.KindOf(err) != fault.BadEntry {
		t.Errorf("err = %v; want err of kind fault.BadEntry", err)
	}
}

// Parts that are read from an object's folder and put back change nothing.
func TestPartsPutBackAreTheSame(t *testing.T) {
	data := read(t, "debian-pak64__vehicle.TB24.pak")
	a := open(t, data)
	for _, name := range []string{
		"vehicle.TB24/object.pak", "vehicle.TB24/object.dat", "vehicle.TB24/vehicle_TB24.png",
		"vehicle.TB24/images/emptyimage[sw].png", "vehicle.TB24/nodes/000.VHCL.body", "vehicle.TB24/nodes/000.VHCL/004.IMG1/002.IMG.body",
	} {
		content, err := fs.ReadFile(a, name)
		if err != nil {
			t.Error(err)
			continue
		}
		if _, got, err := edit(t, data, put(name, content)); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: put back, the file is another (%v)", name, err)
		}
	}
}

// A source finds the picture beside it, whichever way the ending is written.
func TestCreateFromSourceAndPicture(t *testing.T) {
	data := read(t, "debian-pak64__vehicle.TB24.pak")
	a := open(t, data)
	source, err := fs.ReadFile(a, "vehicle.TB24/object.dat")
	if err != nil {
		t.Fatal(err)
	}
	picture, err := fs.ReadFile(a, "vehicle.TB24/vehicle_TB24.png")
	if err != nil {
		t.Fatal(err)
	}
	for _, ext := range []string{".png", ".PNG"} {
		if _, got, err := create(t, item("a.dat", source), item("vehicle_TB24"+ext, picture)); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: another file (%v)", ext, err)
		}
	}
}

func TestPutSource(t *testing.T) {
	data := read(t, "debian-pak64__vehicle.TB24.pak")
	source, err := fs.ReadFile(open(t, data), "vehicle.TB24/object.dat")
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Replace(source, []byte("speed="), []byte("speed=1"), 1)
	a, _, err := edit(t, data, put("vehicle.TB24/object.dat", changed))
	if err != nil {
		t.Fatal(err)
	}
	before, _ := open(t, data).Find("vehicle.TB24")
	after, _ := a.Find("vehicle.TB24")
	d := simutrans.Diff([]*node.Node{before}, []*node.Node{after})
	if len(d) != 1 || len(d[0].Fields) != 1 || d[0].Fields[0].Field != "topspeed" {
		t.Errorf(`d = %+v; want d of length 1, d[0].Fields of length 1, d[0].Fields[0].Field = "topspeed"`, d)
	}
	if _, _, err := edit(t, data, put("vehicle.TB24/object.dat", []byte("obj=vehicle\nname=TB24\nwaytype=rail\n"))); err == nil || !strings.Contains(err.Error(), "line 3: waytype") {
		t.Errorf(`err = %v; want an error, err with "line 3: waytype"`, err)
	}
}

func TestDiff(t *testing.T) {
	before, _ := open(t, read(t, "debian-pak64__vehicle.TB24.pak")).Find("vehicle.TB24")
	after := before.Clone()
	image := after.Children[4].Children[1]
	image.Body[len(image.Body)-4]++ // the colour of the last pixel
	other, _ := open(t, read(t, "debian-pak64__citycar.Motorrad.pak")).Find("citycar.Motorrad")
	d := simutrans.Diff([]*node.Node{before}, []*node.Node{after, other})
	if len(d) != 2 || d[0].Kind != archive.Added || d[0].Object != "citycar.Motorrad" || d[1].Kind != archive.Changed {
		t.Fatalf(`d = %+v; want d of length 2, d[0].Kind = archive.Added, d[0].Object = "citycar.Motorrad", d[1].Kind = archive.Changed`, d)
	}
	if i := d[1].Images; len(i) != 1 || i[0].Key != "emptyimage[w]" || i[0].Pixels != 1 {
		t.Errorf(`i = %+v; want i of length 1, i[0].Key = "emptyimage[w]", i[0].Pixels = 1`, i)
	}
	if d := simutrans.Diff([]*node.Node{before}, []*node.Node{before.Clone()}); len(d) != 0 {
		t.Errorf("d = %+v; want empty d", d)
	}
}

func TestFactsAndValues(t *testing.T) {
	a := open(t, read(t, "debian-pak64__vehicle.TB24.pak"))
	var text bytes.Buffer
	if err := a.DumpJSON(&text, archive.Everything); err != nil {
		t.Fatal(err)
	}
	var document struct{ Objects []map[string]any }
	if err := json.Unmarshal([]byte("{"+text.String()+"}"), &document); err != nil || len(document.Objects) != 1 {
		t.Fatalf("%d objects, %v", len(document.Objects), err)
	}
	v := document.Objects[0]
	for key, want := range map[string]any{"type": "vehicle", "name": "TB24", "waytype_text": "tram_track", "descriptor_version": 11.0} {
		if v[key] != want {
			t.Errorf("%s is %v, want %v", key, v[key], want)
		}
	}
	if text, ok := v["topspeed_text"]; ok {
		t.Errorf("a plain number has words: %v", text)
	}
	if v["intro_year"] != 1924.0 {
		t.Errorf("intro_year is %v", v["intro_year"])
	}
	n, _ := a.Find("vehicle.TB24")
	units := false
	for _, f := range simutrans.ObjectFacts(n) {
		units = units || f.Name == "topspeed" && strings.HasSuffix(f.Text(), " km/h")
	}
	if !units {
		t.Error("the top speed has no unit")
	}
}
