package node_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/internal/testkit/corpus"
	"pakbox/simutrans/node"
)

func roundTrip(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := node.Parse(data)
	if err != nil {
		t.Errorf("%s: %v", filepath.Base(path), err)
		return
	}
	var out bytes.Buffer
	if _, err := f.WriteTo(&out); err != nil {
		t.Errorf("%s: %v", filepath.Base(path), err)
	}
	if !bytes.Equal(out.Bytes(), data) {
		t.Errorf("%s: written back differently", filepath.Base(path))
	}
	for _, o := range f.Root.Children {
		if o.Name() == "" {
			t.Errorf("%s: a %s without a name", filepath.Base(path), o.Type)
		}
	}
	if f.Code != node.Code1001 && f.Size() != int64(len(data)) {
		t.Errorf("%s: Size() = %d, want %d", filepath.Base(path), f.Size(), len(data))
	}
}

func TestCorpusIsWrittenBackIdentically(t *testing.T) {
	files := corpus.Files(t, corpus.Dir(t, "simutrans"), "pak", "*.pak")
	for _, path := range files {
		roundTrip(t, path)
	}
	if len(files) != 63 {
		t.Errorf("%d files, expected 63", len(files))
	}
}

func TestPak64IsWrittenBackIdentically(t *testing.T) {
	files := corpus.Files(t, corpus.Pak64(t), "*.pak")
	for _, path := range files {
		roundTrip(t, path)
	}
	if len(files) != 773 {
		t.Logf("%d files; Debian's 121.0-1 has 773", len(files))
	}
}

func TestCorruptFilesGiveTypedErrors(t *testing.T) {
	want := map[string]fault.Kind{
		"building.truckyard.pak":            fault.BadHeader,
		"factory.Kohlegrube_noclimates.pak": fault.BadHeader,
		"misc.Sidewalk.pak":                 fault.BadHeader,
		"vehicle.Eagle Class.pak":           fault.BadHeader,
		"truncated300.pak":                  fault.Truncated,
		"way..pak":                          fault.Truncated,
	}
	files := corpus.Files(t, corpus.Dir(t, "simutrans"), "corrupt", "*.pak")
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = node.Parse(data)
		if kind := fault.KindOf(err); kind != want[filepath.Base(path)] || !errors.Is(err, fault.Corrupt) {
			t.Errorf("%s: err = %v (kind = %s); want kind = want[filepath.Base(path)], err matching fault.Corrupt", filepath.Base(path), err, kind)
		}
	}
	if len(files) != len(want) {
		t.Errorf("%d files, expected %d", len(files), len(want))
	}
}

// header is what stands before the first node.
const header = node.Banner + "\x1a\xeb\x03\x00\x00"

func TestMalformed(t *testing.T) {
	deep := header + strings.Repeat("ROOT\x01\x00\x00\x00", 100) + "ROOT\x00\x00\x00\x00"
	for name, test := range map[string]struct {
		data string
		kind fault.Kind
	}{
		"empty":          {"", fault.NotFormat},
		"text":           {"hello", fault.NotFormat},
		"newer code":     {"x\x1a\xec\x03\x00\x00ROOT\x00\x00\x00\x00", fault.UnsupportedVersion},
		"half a code":    {"x\x1a\xeb", fault.Truncated},
		"not root":       {header + "TEXT\x00\x00\x00\x00", fault.BadHeader},
		"half a node":    {header + "ROO", fault.Truncated},
		"long body":      {header + "ROOT\x00\x00\xff\xff\xff\xff\xff\xff", fault.Truncated},
		"too many by 1":  {header + "ROOT\x02\x00\x00\x00TEXT\x00\x00\x00\x00", fault.Truncated},
		"many children":  {header + "ROOT\xff\xff\x00\x00TEXT\x00\x00\x00\x00", fault.Truncated},
		"more behind":    {header + "ROOT\x00\x00\x00\x00!", fault.TrailingData},
		"zero type":      {header + "ROOT\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", fault.BadEntry},
		"nested forever": {deep, fault.Limit},
	} {
		if _, err := node.Parse([]byte(test.data)); fault.KindOf(err) != test.kind {
			t.Errorf("%s: err = %v; want err of kind %v", name, err, test.kind)
		}
	}
}

func TestSizesKeepTheirForm(t *testing.T) {
	for name, data := range map[string]string{
		"long form of a short size": header + "ROOT\x00\x00\xff\xff\x02\x00\x00\x00ab",
		"any text before 0x1A":      "once upon a time\x1a\xeb\x03\x00\x00ROOT\x00\x00\x00\x00",
		"1001 has no escape":        "x\x1a\xe9\x03\x00\x00ROOT\x00\x00\xff\xff" + strings.Repeat("z", 65535),
		"1003 escapes 65535":        header + "ROOT\x00\x00\xff\xff\xff\xff\x00\x00" + strings.Repeat("z", 65535),
	} {
		f, err := node.Parse([]byte(data))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if out, err := f.Append(nil); err != nil || string(out) != data {
			t.Errorf("%s: written back differently (%v)", name, err)
		}
	}
	f := node.New()
	f.Code = node.Code1001
	f.Root.Body = make([]byte, 65536)
	if _, err := f.Append(nil); !errors.Is(err, fault.Limit) {
		t.Errorf("65536 bytes in a file of code 1001: %v", err)
	}
}

func TestNamesAndReferences(t *testing.T) {
	building := &node.Node{Type: node.BUIL, Children: []*node.Node{node.NewText("Mill"), node.NewText("me")}}
	factory := &node.Node{Type: node.FACT, Children: []*node.Node{building}}
	if factory.Name() != "Mill" || factory.Copyright() != "me" {
		t.Errorf("factory is %q by %q", factory.Name(), factory.Copyright())
	}
	if !factory.SetName("Watermill") || building.Children[0].Text() != "Watermill" {
		t.Error("the factory's name is not its building's")
	}
	want := node.Xref{Type: node.GOOD, Fatal: true, Name: "Grain"}
	if got, ok := node.NewXref(want).Xref(); !ok || got != want {
		t.Errorf("got %+v", got)
	}
	if _, ok := building.Xref(); ok {
		t.Error("a building is not a reference")
	}
	if s := node.WAY.String() + node.Type(1).String(); s != "WAY0x00000001" {
		t.Errorf(`s = %v; want "WAY0x00000001"`, s)
	}
}

func TestDisplay(t *testing.T) {
	for s, want := range map[string]string{
		"Bahnhof":                   "Bahnhof",
		"Stra\xc3\x9fe":             "Straße",
		"Stra\xdfe":                 "Straße",
		"M\xfcller & S\xf6hne":      "Müller & Söhne",
		"\x93\x64\x8e\xd4":          "電車",
		"\x83o\x83X 205 (\x90\xc2)": "バス 205 (青)",
		"\x88\xea\xff":              "\u0088êÿ", // not CP932
		"\x88\xea":                  "一",
	} {
		if got := node.Display(s); got != want {
			t.Errorf("%q is shown as %q, want %q", s, got, want)
		}
	}
}

// FuzzParse: whatever the bytes, a typed error or a tree that is written back
// as it was.
func FuzzParse(f *testing.F) {
	f.Add([]byte(header + "ROOT\x01\x00\x00\x00TEXT\x00\x00\x02\x00a\x00"))
	f.Add([]byte("x\x1a\xe9\x03\x00\x00ROOT\x00\x00\xff\xff"))
	f.Add([]byte(header + "ROOT\x00\x00\xff\xff\x01\x00\x00\x00a"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := node.Parse(data)
		if err != nil {
			if fault.KindOf(err) == "" {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		for _, o := range file.Root.Children {
			o.Name()
			o.Copyright()
			o.Xref()
		}
		out, err := file.Append(nil)
		if err != nil || !bytes.Equal(out, data) {
			t.Fatalf("written back differently: %v", err)
		}
	})
}

// A zip that holds an object file as it is has its begin in its own.
func TestAZipIsNoObjectFile(t *testing.T) {
	data, err := node.New().Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	if !node.Detect(data) || !node.Detect(append([]byte("text\r\n"), data...)) {
		t.Error("an object file is not one")
	}
	if node.Detect(append([]byte("PK\x03\x04\x14\x00\x00\x00\x00\x00good.Coal.pak"), data...)) {
		t.Error("a zip is an object file")
	}
}
