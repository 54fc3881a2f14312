package eterpack

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/metin2/internal/codepage"
)

// An edit that would give one name to two entries is rejected. Earlier duplicates are
// allowed.
func TestCheckTaken(t *testing.T) {
	page, ok := codepage.Find("1252")
	if !ok {
		t.Fatal("no such code page")
	}
	old := func(name string) record { return record{name: []byte(name), nameCRC: 1, raw: []byte{1}} }
	fresh := func(name string) record { return record{name: []byte(name), nameCRC: 1} }
	for _, test := range []struct {
		records []record
		refused bool
	}{
		{[]record{old("a"), fresh("b")}, false},
		{[]record{old("a"), old("A")}, false},
		{[]record{old("a"), fresh("A")}, true},
		{[]record{fresh("A"), old("a")}, true},
		{[]record{fresh("a"), fresh("A")}, true},
		{[]record{{}, {}}, false},
	} {
		err := (&index{records: test.records}).checkTaken(page)
		if errors.Is(err, fs.ErrExist) != test.refused || err != nil && !test.refused {
			t.Errorf("%v: err = %v; want errors.Is(err, fs.ErrExist) = %v, (no error or test.refused = true)", test.records, err, test.refused)
		}
	}
}

// A pack with marks of its own keeps them, in the index and in new entries.
func TestEditKeepsMarks(t *testing.T) {
	s := newSample(t)
	s.marks.index = "IDX!"
	a, err := openMemory(s.eix(t), s.epk, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.eix")
	stage, err := archive.NewStage(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	if err := errors.Join(a.Edit(t.Context(), stage, []archive.Edit{put("new.txt", text(900))}, archive.CreateOptions{}), stage.Commit()); err != nil {
		t.Fatal(err)
	}
	if got := readFile(t, path); string(got[:4]) != "IDX!" {
		t.Errorf("the index begins with %q", got[:4])
	}
	if got := listing(t, openPath(t, path, archive.Options{})); got["new.txt"] != string(text(900)) || len(got) != 4 {
		t.Errorf("%d entries", len(got))
	}
}

// Content too large for a pack is rejected before it is read.
func TestCheckSizes(t *testing.T) {
	for size, want := range map[int64]error{-1: nil, 0: nil, math.MaxInt32: nil, math.MaxInt32 + 1: fault.Limit} {
		err := checkSizes([]archive.Item{{Name: "a"}, {Name: "large", Size: size}})
		var e *fault.Error
		if !errors.Is(err, want) || err != nil && (!errors.As(err, &e) || e.Entry != "large") {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

// New entries are packed as the old ones. If the index does not show how,
// the first packed entry decides.
func TestCodecInUse(t *testing.T) {
	for _, want := range []codec{codecLZO, codecLZ4} {
		packed, err := encodeObject(text(1000), defaultMarks.object, nil, want, 0)
		if err != nil {
			t.Fatal(err)
		}
		empty, err := encodeObject(nil, defaultMarks.object, nil, codecLZO, 0)
		if err != nil {
			t.Fatal(err)
		}
		s := &sample{index: index{form: indexPlain, marks: defaultMarks}}
		s.add("raw.txt", typeRaw, text(300))
		s.add("empty.txt", typeCompress, empty)
		s.add("server.txt", 4, text(300))
		s.add("packed.txt", typeCompress, packed)
		a, err := openMemory(s.eix(t), s.epk, archive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := a.codecInUse(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	s := &sample{index: index{form: indexPlain, marks: defaultMarks}}
	s.add("raw.txt", typeRaw, text(300))
	if a, err := openMemory(s.eix(t), s.epk, archive.Options{}); err != nil || a.codecInUse() != codecLZO {
		t.Errorf("where none is packed: %v, %v", a.codecInUse(), err)
	}
}

// Names are stored in code page 949 if it has their letters, else in UTF-8 if that
// will be known again.
func TestCreateFindsTheCodePage(t *testing.T) {
	for _, test := range []struct{ names, raws []string }{
		{[]string{"가.txt", "straße.txt"}, []string{"\xb0\xa1.txt", "stra\xa9\xace.txt"}},
		{[]string{"가.txt", "żółw.txt"}, []string{"가.txt", "żółw.txt"}},
	} {
		var items []archive.Item
		for _, name := range test.names {
			items = append(items, item(name, text(10)))
		}
		a := openPath(t, create(t, items, archive.CreateOptions{}), archive.Options{})
		for i, r := range a.index.records {
			if string(r.name) != test.raws[i] || a.Entries()[i].Name != test.names[i] {
				t.Errorf("%s is stored as %q and read as %s", test.names[i], r.name, a.Entries()[i].Name)
			}
		}
	}
	if err := createAt(filepath.Join(t.TempDir(), "x.eix"), []archive.Item{item("żółw.txt", nil)}, archive.CreateOptions{}); !errors.Is(err, fault.BadEntry) {
		t.Errorf("a name that would be read as another: %v", err)
	}
	var wrong *archive.ParamError
	if err := createAt(filepath.Join(t.TempDir(), "x.eix"), nil, archive.CreateOptions{Options: archive.Options{CodePage: "no page"}}); !errors.As(err, &wrong) {
		t.Errorf("a code page that there is not: %v", err)
	}
}

// A setting that an edit does not take is refused, and nothing is written.
func TestEditWrongSettings(t *testing.T) {
	path := create(t, smallItems(), archive.CreateOptions{})
	before := readFile(t, path)
	for _, name := range []string{"eterpack-type", "eterpack-codec", "eterpack-index", "level"} {
		_, err := stageEdit(t, path, path, []archive.Edit{put("new", text(10))}, archive.CreateOptions{Params: map[string]string{name: "other"}})
		var wrong *archive.ParamError
		if !errors.As(err, &wrong) || wrong.Name != name {
			t.Errorf("%s: err = %v; want err of the type of wrong, wrong.Name = %v", name, err, name)
		}
	}
	if _, err := stageEdit(t, path, path, []archive.Edit{rm("no such file")}, archive.CreateOptions{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := stageEdit(t, path, path, []archive.Edit{put(strings.Repeat("x", maxName+1), nil)}, archive.CreateOptions{}); !errors.Is(err, fault.NameTooLong) {
		t.Errorf("a long name: %v", err)
	}
	if _, err := stageEdit(t, path, path, []archive.Edit{mv("readme.txt", strings.Repeat("x", maxName+1))}, archive.CreateOptions{}); !errors.Is(err, fault.NameTooLong) {
		t.Errorf("a long name to rename to: %v", err)
	}
	if !bytes.Equal(readFile(t, path), before) {
		t.Error("the pack is another")
	}
}

// A large file that is not as long as it was, or cannot be read to its end, is not
// packed.
func TestLargeSourcesFail(t *testing.T) {
	broken := errors.New("broken")
	content := text(streamSize + 1000)
	for what, test := range map[string]struct {
		source io.Reader
		want   error
	}{
		"whole":      {bytes.NewReader(content), nil},
		"shorter":    {bytes.NewReader(content[1:]), fault.SizeMismatch},
		"longer":     {io.MultiReader(bytes.NewReader(content), strings.NewReader("x")), fault.SizeMismatch},
		"broken":     {io.MultiReader(bytes.NewReader(content[1:]), iotest.ErrReader(broken)), broken},
		"broken end": {io.MultiReader(bytes.NewReader(content), iotest.ErrReader(broken)), broken},
	} {
		t.Run(what, func(t *testing.T) {
			for _, kind := range []string{"1", "2", "auto", "0"} {
				if seeker, ok := test.source.(io.Seeker); ok {
					if _, err := seeker.Seek(0, io.SeekStart); err != nil {
						t.Fatal(err)
					}
				} else if kind != "1" {
					continue // it is read once
				}
				it := archive.Item{Name: "large", Size: int64(len(content)), Open: func() (io.ReadCloser, error) { return io.NopCloser(test.source), nil }}
				err := createAt(filepath.Join(t.TempDir(), "x.eix"), []archive.Item{it}, archive.CreateOptions{Params: map[string]string{"eterpack-type": kind}})
				if !errors.Is(err, test.want) {
					t.Errorf("%s, type %s: %v", what, kind, err)
				}
			}
		})
	}
}
