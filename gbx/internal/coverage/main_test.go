package main

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/nadeo/nadeotest/mapsample"
)

var update = flag.Bool("update", false, "write testdata anew")

// printed runs the program and returns what it prints.
func printed(t *testing.T, args ...string) string {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, before := os.Stdout, os.Args
	defer func() { os.Stdout, os.Args = stdout, before }()
	os.Stdout, os.Args = w, append([]string{"coverage"}, args...)
	for _, name := range []string{"class", "chunk", "v", "x", "trace", "s", "unnamed"} {
		f := flag.Lookup(name)
		if err := f.Value.Set(f.DefValue); err != nil {
			t.Fatal(err)
		}
	}
	text := make(chan string)
	go func() {
		b, _ := io.ReadAll(r)
		text <- string(b)
	}()
	main()
	w.Close()
	return strings.ReplaceAll(<-text, `all\`, "all/")
}

// The output for a file that is understood, for one with an unknown
// chunk, and for a file of another format.
func TestWhatIsPrinted(t *testing.T) {
	golden, err := filepath.Abs("testdata/printed.txt")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	m := mapsample.New(t)
	m.File.Body.Chunks = append(m.File.Body.Chunks[:3:3],
		gbx.Chunk{ID: 0x03043FFE, Skip: true, Body: &gbx.Opaque{Bytes: []byte("what may this be")}},
		gbx.Chunk{ID: 0x03043FFF, Skip: true, Body: &gbx.Opaque{Bytes: []byte{1}}})
	unknown, err := m.File.Encode()
	if err != nil {
		t.Fatal(err)
	}
	known, err := mapsample.Map()
	if err != nil {
		t.Fatal(err)
	}
	item, err := mapsample.Item("Tree")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("all", 0o777); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"all/known.Map.Gbx": known, "all/unknown.Map.GBX": unknown, "all/tree.Item.Gbx": item, "all/broken.Gbx": known[:20], "all/text.txt": {1}} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(name, data, 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
	var got strings.Builder
	for _, line := range []string{
		"all", "-v all", "-s all", "-class 2e002 all", "-chunk 03043FFf all", "-x 4 -chunk 03043f all/unknown.Map.GBX", "all/text.txt",
		"-unnamed 3 all", "-unnamed 1 all/tree.Item.Gbx", "-trace -s -chunk 03043018 all/known.Map.Gbx", "-trace -s -chunk 0304301f all/known.Map.Gbx",
	} {
		got.WriteString("$ " + line + "\n" + printed(t, strings.Fields(line)...))
	}
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got.String() != string(want) {
		t.Errorf("%s\nwant\n%s", got.String(), want)
	}
}
