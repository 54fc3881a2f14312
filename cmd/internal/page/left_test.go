package page_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/nadeotest/mapsample"
)

// The name and author of a truncated map are known from its header.
func TestHeaderOfDamaged(t *testing.T) {
	data := sampleMap(t)
	a := folder(t, map[string][]byte{"cut.Map.Gbx": data[:len(data)-40]})
	a.expect([]expected{
		{"what?path=files/cut.Map.Gbx", `.kind, (.card | map(select(.name == "name" or .name == "author_login")) | length)`, `"damaged" 2`},
	})
}

// The readable parts of a damaged file are saved as a zip: the header and the beginning of the
// body of a GBX file, the intact files of an archive.
func TestLeft(t *testing.T) {
	data := sampleMap(t)
	cut := data[:len(data)-40]
	var half [2][]byte // index and files of an archive
	for i, name := range []string{"plainidx_type0_lzo.eix", "plainidx_type0_lzo.epk"} {
		var err error
		if half[i], err = os.ReadFile(filepath.Join(corpus.Dir(t, "eterpack"), name)); err != nil {
			t.Fatal(err)
		}
	}
	a := folder(t, map[string][]byte{
		"whole.Map.Gbx": data, "cut.Map.Gbx": cut,
		"all.eix": half[0], "all.epk": half[1], "some.eix": half[0], "some.epk": half[1][:len(half[1])*2/3],
	})
	got := a.zip("left?path=files/cut.Map.Gbx")
	for _, name := range []string{"thumbnail.jpg", "header.xml"} {
		if want := a.read("content?path=files/whole.Map.Gbx/" + name); !bytes.Equal(got[name], want) {
			t.Errorf("%s has %d bytes, want %d", name, len(got[name]), len(want))
		}
	}
	if whole := a.read("content?path=files/whole.Map.Gbx/body.bin"); len(got["body.bin"]) < len(whole)/2 || len(got["body.bin"]) >= len(whole) || !bytes.HasPrefix(whole, got["body.bin"]) {
		t.Errorf("body.bin has %d of %d bytes", len(got["body.bin"]), len(whole))
	}
	var facts, known map[string]any
	if err := errors.Join(json.Unmarshal(got["facts.json"], &facts), json.Unmarshal(a.read("info?path=files/whole.Map.Gbx"), &known)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"name", "uid", "author_login"} {
		if facts[name] == nil || facts[name] != known[name] {
			t.Errorf("fact %s = %v, want %v", name, facts[name], known[name])
		}
	}
	if facts["block_count"] != nil {
		t.Error("a fact of the damaged body is present")
	}
	all := a.zip("left?path=files/all.eix")
	some := a.zip("left?path=files/some.eix")
	if len(all) != 6 || len(some) != 2 {
		t.Errorf("%d files of the intact archive, %d of the damaged one", len(all), len(some))
	}
	for name, content := range some {
		if !bytes.Equal(content, all[name]) || !bytes.Equal(content, a.read("content?path=files/all.eix/"+url.QueryEscape(name))) {
			t.Errorf("%s has other content", name)
		}
	}
}

// zip returns the files in an answer that is a zip, by name.
func (a *asker) zip(question string) map[string][]byte {
	a.Helper()
	data, files := a.read(question), map[string][]byte{}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		a.Fatal(err)
	}
	for _, f := range z.File {
		if files[f.Name], err = fs.ReadFile(z, f.Name); err != nil {
			a.Fatal(err)
		}
	}
	return files
}

// A truncated file has an error with its expected and its actual size.
func TestNeeds(t *testing.T) {
	data, err := mapsample.Map()
	if err != nil {
		t.Fatal(err)
	}
	a := folder(t, map[string][]byte{"cut.Map.Gbx": data[:len(data)-100]})
	var what struct {
		Error struct {
			Kind                  string
			Offset, Needs, Remain int64
		}
	}
	if err := json.Unmarshal(a.read("what?path=files/cut.Map.Gbx"), &what); err != nil {
		t.Fatal(err)
	}
	if e := what.Error; e.Kind != "truncated" || e.Needs-e.Remain != 100 || e.Offset+e.Remain != int64(len(data)-100) {
		t.Errorf("error = %+v for %d bytes", e, len(data))
	}
}
