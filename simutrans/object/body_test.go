package object_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pakbox/fault"
	"pakbox/internal/testkit/corpus"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

func forAllNodes(t *testing.T, dir string, visit func(path string, n *node.Node)) {
	t.Helper()
	for _, path := range corpus.Files(t, dir, "*.pak") {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := node.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		f.Root.Walk(func(n *node.Node, _ int) bool {
			visit(filepath.Base(path), n)
			return true
		})
	}
}

// recode decodes a body, codes it again and checks that the listing accounts
// for every byte.
func recode(t *testing.T, path string, n *node.Node) *object.Body {
	t.Helper()
	d, err := object.Decode(n)
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return nil
	}
	body, err := d.Encode()
	if err != nil || !bytes.Equal(body, n.Body) {
		t.Errorf("%s: %s is re-encoded as\n%x, not\n%x (%v)", path, n.Type, body, n.Body, err)
	}
	if fields := d.Fields(); len(fields) > 0 {
		if last := fields[len(fields)-1]; last.Offset+last.Size != len(n.Body) {
			t.Errorf("%s: the fields of %s end at %d of %d", path, n.Type, last.Offset+last.Size, len(n.Body))
		}
	}
	return d
}

func TestEveryBodyIsUnderstoodAndCodedBack(t *testing.T) {
	rest := map[string]int{}
	visit := func(path string, n *node.Node) {
		d := recode(t, path, n)
		if d == nil {
			return
		}
		if d.Opaque() && n.Type != node.IMG && len(n.Body) > 0 {
			t.Errorf("%s: %s %+v is not understood", path, n.Type, d.Version)
		}
		for _, f := range d.Fields() {
			if f.Name == "rest" {
				rest[fmt.Sprintf("%s %d", n.Type, f.Size)]++
			}
		}
	}
	forAllNodes(t, corpus.Pak64(t), visit)
	if want := map[string]int{"FSUP 2": 34}; fmt.Sprint(rest) != fmt.Sprint(want) {
		t.Errorf("bytes that are not understood in pak64: %v", rest)
	}
	clear(rest)
	forAllNodes(t, filepath.Join(corpus.Dir(t, "simutrans"), "pak"), visit)
	t.Logf("bytes that are kept without being understood in the corpus: %v", rest)
}

func TestSet(t *testing.T) {
	d := object.New(node.VHCL, object.Version{Standard: 11})
	for _, test := range []struct {
		name, value string
		want        int64
	}{
		{"waytype", "tram_track", 7}, {"price", "12345", 1234500}, {"intro", "1931-07", 1931*12 + 6}, {"sound", "-1", -1}, {"running_cost", "1.50", 150},
	} {
		if err := d.Set(test.name, test.value); err != nil || d.Int(test.name) != test.want {
			t.Errorf("%s=%s gives %d (%v)", test.name, test.value, d.Int(test.name), err)
		}
	}
	if f, ok := d.Field("running_cost"); !ok || f.Text != "1.50" || f.Unit != "Cr" {
		t.Errorf(`f = %+v; want ok = true, f.Text = "1.50", f.Unit = "Cr"`, f)
	}
	if err := d.Set("colour", "1"); fault.KindOf(err) != fault.BadEntry {
		t.Errorf("err = %v; want err of kind fault.BadEntry", err)
	}
	if err := d.Set("capacity", "70000"); !errors.Is(err, fault.Limit) {
		t.Errorf("err = %v; want err matching fault.Limit", err)
	}
	if err := d.Set("capacity", "many"); err == nil {
		t.Error("many is a number")
	}
}

func TestEncodeRefusesWhatDoesNotFit(t *testing.T) {
	for version, size := range map[int]int{3: 0, 4: 16} {
		d := object.New(node.GOOD, object.Version{Standard: version})
		d.Put("value", 70000)
		if body, err := d.Encode(); errors.Is(err, fault.Limit) != (size == 0) || err == nil && len(body) != size {
			t.Errorf("version %d: %d bytes, %v", version, len(body), err)
		}
	}
}

// sizes are the body sizes that facts give for versions without a sample file.
func TestSizesOfAllVersions(t *testing.T) {
	for _, test := range []struct {
		t             node.Type
		version, size int
	}{
		{node.BRDG, 7, 22}, {node.BRDG, 8, 22}, {node.BRDG, 9, 24}, {node.BRDG, 10, 32}, {node.BRDG, 11, 33},
		{node.TUNL, 0, 0}, {node.TUNL, 3, 21}, {node.TUNL, 5, 24}, {node.TUNL, 6, 32},
		{node.WAY, 0, 0}, {node.WAY, 4, 26}, {node.WAY, 5, 26}, {node.WAY, 6, 28}, {node.WAY, 7, 36}, {node.WAY, 8, 37},
		{node.WYOB, 1, 20}, {node.WYOB, 2, 28}, {node.CRSS, 1, 17}, {node.CRSS, 2, 21},
		{node.SIGN, 3, 14}, {node.SIGN, 4, 15}, {node.SIGN, 5, 16}, {node.SIGN, 6, 28},
		{node.GOOD, 3, 10}, {node.GOOD, 4, 16},
		{node.BUIL, 5, 26}, {node.BUIL, 8, 37}, {node.BUIL, 9, 37}, {node.BUIL, 10, 39}, {node.BUIL, 11, 47}, {node.BUIL, 12, 47},
		{node.TILE, 2, 7}, {node.FACT, 1, 18}, {node.FACT, 2, 18}, {node.FACT, 3, 38}, {node.FACT, 4, 43}, {node.FACT, 5, 80}, {node.FACT, 6, 81},
		{node.FPRO, 1, 6}, {node.FSMO, 0, 10}, {node.FFIE, 3, 12}, {node.FFCL, 1, 9},
		{node.VHCL, 8, 31}, {node.VHCL, 10, 39}, {node.VHCL, 11, 41}, {node.VHCL, 12, 55}, {node.VHCL, 13, 57},
		{node.CCAR, 2, 10}, {node.PASS, 0, 4}, {node.PASS, 2, 12}, {node.TREE, 2, 6}, {node.GOBJ, 1, 16}, {node.GOBJ, 2, 20},
	} {
		body, err := object.New(test.t, object.Version{Standard: test.version}).Encode()
		if err != nil || len(body) != test.size {
			t.Errorf("%s version %d: %d bytes, want %d (%v)", test.t, test.version, len(body), test.size, err)
			continue
		}
		d, err := object.Decode(&node.Node{Type: test.t, Body: body})
		if err != nil {
			t.Errorf("%s version %d: %v", test.t, test.version, err)
			continue
		}
		if d.Opaque() {
			t.Errorf("%s version %d is not understood", test.t, test.version)
		}
	}
}

// FuzzDecode: any body of any type gives a typed error or is re-encoded.
func FuzzDecode(f *testing.F) {
	types := []node.Type{
		node.BRDG, node.TUNL, node.WAY, node.WYOB, node.CRSS, node.SIGN, node.PIER, node.GOOD, node.BUIL, node.TILE,
		node.FACT, node.FSUP, node.FPRO, node.FSMO, node.FFIE, node.FFCL, node.VHCL, node.CCAR, node.PASS, node.TREE,
		node.GOBJ, node.SOUN, node.IMG1, node.TEXT, node.XREF,
	}
	for i, typ := range types {
		for version := range 14 {
			if d := object.New(typ, object.Version{Standard: version}); !d.Opaque() {
				body, _ := d.Encode()
				f.Add(uint8(i), body)
			}
		}
	}
	f.Add(uint8(16), []byte("\x0b\xc8\x90\xd0\x03\x00\x01\x19\x00"))
	f.Fuzz(func(t *testing.T, i uint8, body []byte) {
		n := &node.Node{Type: types[int(i)%len(types)], Body: body}
		d, err := object.Decode(n)
		if err != nil {
			if fault.KindOf(err) == "" {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		d.Fields()
		if out, err := d.Encode(); err != nil || !bytes.Equal(out, body) {
			t.Fatalf("%s: %x is re-encoded as %x (%v)", n.Type, body, out, err)
		}
	})
}
