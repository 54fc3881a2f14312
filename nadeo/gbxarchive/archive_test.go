package gbxarchive

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"pakbox/archive"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/pathname"
	"pakbox/internal/testkit/corpus"
)

func open(t *testing.T, data []byte, name string) *Archive {
	t.Helper()
	in := archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Name: name}
	if !(Format{}).Match(in) {
		t.Fatalf("%s is not taken for GBX", name)
	}
	a, err := Format{}.Open(context.Background(), in, archive.Options{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return a.(*Archive)
}

func corpusFiles(t *testing.T, every int, test func(path string, data []byte)) {
	t.Helper()
	n := 0
	for path, data := range corpus.GBX(t) {
		if n++; n%every == 0 {
			test(path, data)
		}
	}
}

// Every file is a proper file system, and what is in it can be opened.
func TestCorpusFolders(t *testing.T) {
	corpusFiles(t, 11, func(path string, data []byte) {
		a := open(t, data, filepath.Base(path))
		names := []string{}
		for _, e := range a.Entries() {
			if fs.ValidPath(e.Name) {
				names = append(names, e.Name)
			}
		}
		if err := fstest.TestFS(a, names...); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	})
}

// Every picture with the type WebP is exactly one WebP file: a lightmap has several
// in sequence.
func TestCorpusPictures(t *testing.T) {
	behind := 0
	corpusFiles(t, 3, func(path string, data []byte) {
		a := open(t, data, filepath.Base(path))
		for _, e := range a.Entries() {
			if !strings.HasSuffix(e.Name, ".webp") {
				continue
			}
			b, err := fs.ReadFile(a, e.Name)
			if err != nil || len(b) < 12 || string(b[:4]) != "RIFF" {
				t.Errorf("%s: %s is no WebP (%v)", path, e.Name, err)
				continue
			}
			if n := binary.LittleEndian.Uint32(b[4:]); len(b) != int(8+n+n&1) {
				t.Errorf("%s: %s has %d bytes, but its header declares %d", path, e.Name, len(b), n)
			}
			if strings.HasSuffix(e.Name, "-2.webp") && strings.Count(e.Name, "-") > 1 {
				behind++
			}
		}
	})
	if behind == 0 {
		t.Error("no picture stood behind another")
	}
}

// Every file verifies: saved identically, coded identically, and checksums of
// maps right.
func TestCorpusVerify(t *testing.T) {
	corpusFiles(t, 5, func(path string, data []byte) {
		r, err := open(t, data, filepath.Base(path)).Verify(context.Background(), archive.Options{})
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		for _, f := range r.Findings {
			if f.Severity == finding.Error {
				t.Errorf("%s: f.Message = %s; want f.Severity other than finding.Error", path, f.Message)
			}
		}
		for _, name := range []string{"identical", "recoded"} {
			if value := factMap(r.Facts)[name]; value != true {
				t.Errorf("%s: %s is %v", path, name, value)
			}
		}
	})
}

// Cards agree with those of another reader.
func TestCorpusFacts(t *testing.T) {
	oracle := corpus.Oracle[map[string]any](t)
	checked := 0
	corpusFiles(t, 3, func(path string, data []byte) {
		want := oracle[corpus.Name(path)]
		m, isMap := want["map"].(map[string]any)
		if !isMap || want["ok"] != true {
			return
		}
		got := card(t, path, data)
		for ours, theirs := range map[string]string{"name": "name", "uid": "uid"} {
			if w, ok := m[theirs].(string); ok && got[ours] != strings.TrimPrefix(w, "\ufeff") { // facts leave out the mark
				t.Errorf("%s: %s is %q, not %q", path, ours, got[ours], w)
			}
		}
		medals, _ := got["medals"].(map[string]any)
		for _, name := range []string{"author", "gold", "silver", "bronze"} {
			if name == "author" && (got["mode"] == "Stunts" || got["mode"] == "Platform") {
				continue // the medal is the score, and the other reader states the time
			}
			if w, ok := m[name]; ok && medals[name] != w {
				t.Errorf("%s: %s medal is %v, not %v", path, name, medals[name], w)
			}
		}
		if thumb, ok := m["thumbnail"].(map[string]any); ok && got["thumbnail_sha256"] != thumb["sha256"] {
			t.Errorf("%s: another thumbnail", path)
		}
		if blocks, ok := m["blocks"].(map[string]any); ok && m["unlimiter"] != true && got["block_count"] != blocks["count"] {
			t.Errorf("%s: %v blocks, not %v", path, got["block_count"], blocks["count"])
		}
		checked++
	})
	if checked < 50 {
		t.Errorf("only %d maps were compared", checked)
	}
}

// card returns the facts in info --json of a file.
func card(t *testing.T, path string, data []byte) (facts map[string]any) {
	t.Helper()
	text, err := open(t, data, filepath.Base(path)).Facts().MarshalJSON()
	if err == nil {
		err = json.Unmarshal(text, &facts)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return facts
}

// Cards of ghosts, replays and items agree with those of another reader.
func TestCorpusCards(t *testing.T) {
	oracle := corpus.Oracle[map[string]any](t)
	compared := map[string]int{}
	for path, data := range corpus.GBX(t, "03092000", "03093000", "2407e000", "2e002000") {
		known := oracle[corpus.Name(path)]
		if known["ok"] != true {
			continue
		}
		got := card(t, path, data)
		same := func(ours string, got any, theirs string, want map[string]any) {
			w := want[theirs]
			if text, ok := w.(string); ok {
				w = strings.TrimPrefix(text, "\ufeff") // facts leave out the byte order mark
			}
			if w != nil && w != "" && w != -1.0 {
				if compared[ours]++; !reflect.DeepEqual(got, w) {
					t.Errorf("%s: %s is %v, not %v", path, ours, got, w)
				}
			}
		}
		run := func(got, want map[string]any) {
			same("race_time", got["race_time"], "race_time", want)
			same("respawns", got["respawns"], "respawns", want)
			same("ghost's login", got["login"], "login", want)
			same("ghost's nick", got["nick"], "nickname", want)
		}
		if g, ok := known["ghost"].(map[string]any); ok {
			run(got, g)
		}
		if r, ok := known["replay"].(map[string]any); ok {
			same("time", got["time"], "time", r)
			same("login", got["login"], "player_login", r)
			same("nick", got["nick"], "player_nick", r)
			same("map_uid", got["map_uid"], "map_uid", r)
			ghosts, _ := got["ghosts"].([]any)
			wanted, _ := r["ghosts"].([]any)
			if len(ghosts) != len(wanted) {
				t.Errorf("%s: %d ghosts, not %d", path, len(ghosts), len(wanted))
				continue
			}
			for i := range ghosts {
				run(ghosts[i].(map[string]any), wanted[i].(map[string]any))
			}
		}
		if c, ok := known["collector"].(map[string]any); ok {
			same("name", got["name"], "name", c)
			same("page", got["page"], "page", c)
			ident, _ := c["ident"].([]any)
			same("author_login", got["author_login"], "author", map[string]any{"author": ident[2]})
			same("collection", got["collection"], "collection", map[string]any{"collection": ident[1]})
		}
	}
	for _, what := range []string{"race_time", "respawns", "ghost's login", "ghost's nick", "time", "login", "nick", "map_uid", "name", "page", "author_login", "collection"} {
		if compared[what] < 20 {
			t.Errorf("%s was compared %d times", what, compared[what])
		}
	}
	t.Log(compared)
}

func factMap(facts fact.Record) map[string]any {
	m := map[string]any{}
	for _, f := range facts {
		m[f.Name] = f.Value
	}
	return m
}

// Names in an embedded ZIP cannot lead anywhere else.
func TestItemNames(t *testing.T) {
	for name, want := range map[string]string{
		`Items\Tree.Item.Gbx`: "items/Tree.Item.Gbx", "Blocks/a.Block.Gbx": "items/Blocks/a.Block.Gbx", "../../x": "items/../../x",
	} {
		if got := EmbeddedName(name); got != want {
			t.Errorf("%s gives %s", name, got)
		}
	}
	if pathname.Check(EmbeddedName("../../x")) == nil {
		t.Error("an unsafe name passes")
	}
}

// A damaged item is reported as damaged, with its name.
func TestDamagedItem(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.CreateHeader(&zip.FileHeader{Name: `Items\Tree.Item.Gbx`, Method: zip.Store})
	if err != nil {
		t.Fatal(err)
	}
	f.Write([]byte("a tree"))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	data := bytes.Replace(b.Bytes(), []byte("a tree"), []byte("a thee"), 1)
	r, err := itemParts(data)[0].open()
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.ReadAll(r)
	var e *fault.Error
	if !errors.As(err, &e) || e.Kind != fault.HashMismatch || e.Entry != "items/Tree.Item.Gbx" {
		t.Errorf("a damaged item gives %v", err)
	}
}

// The entries inside body.bin do not count twice.
func TestOuterEntries(t *testing.T) {
	for path, data := range corpus.GBX(t, "03043000") {
		var stored int64
		for _, e := range open(t, data, filepath.Base(path)).Outer() {
			stored += e.StoredSize
		}
		if stored > int64(len(data)) {
			t.Errorf("%s: %d bytes stored in %d", path, stored, len(data))
		}
	}
}
