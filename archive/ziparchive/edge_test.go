package ziparchive_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"pakbox/archive"
	"pakbox/archive/ziparchive"
	"pakbox/fault"
)

// headers reads what create wrote with the standard library.
func headers(t *testing.T, path string) []*zip.File {
	t.Helper()
	r, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r.File
}

// Times that zip has no room for are left out; those it has come back, and to
// the second.
func TestTimes(t *testing.T) {
	for when, want := range map[time.Time]time.Time{
		{}: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(1979, 12, 31, 23, 59, 59, 0, time.UTC): time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC):      time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(2024, 5, 6, 7, 8, 11, 0, time.UTC):     time.Date(2024, 5, 6, 7, 8, 11, 0, time.UTC),
		time.Unix(1<<31-1, 0).UTC():                      time.Unix(1<<31-1, 0).UTC(),
		time.Unix(1<<31, 0).UTC():                        time.Unix(1<<31, 0).UTC(),
		time.Date(2107, 12, 31, 1, 2, 4, 0, time.UTC):    time.Date(2107, 12, 31, 1, 2, 4, 0, time.UTC),
		time.Date(2108, 1, 1, 0, 0, 0, 0, time.UTC):      time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC),
	} {
		it := item("a", "x")
		it.ModTime = when
		if got := headers(t, create(t, nil, it))[0].Modified; !got.UTC().Equal(want) {
			t.Errorf("%v is stored as %v", when, got.UTC())
		}
	}
	late := item("a", "x")
	late.ModTime = time.Unix(1<<31, 0)
	if len(headers(t, create(t, nil, late))[0].Extra) != 0 {
		t.Error("a time after 2038 is in a field that others read as one before 1970")
	}
	none, some := item("a", "x"), item("a", "x")
	none.ModTime = time.Time{}
	if len(headers(t, create(t, nil, none))[0].Extra) != 0 || len(headers(t, create(t, nil, some))[0].Extra) != 9 {
		t.Error("the field for the time is there without one, or is missing")
	}
}

// Only names beyond ASCII are marked as UTF-8.
func TestUTF8Flag(t *testing.T) {
	for name, want := range map[string]bool{"a~\x7f": false, "\u0080": true, "ä": true} {
		if name == "a~\x7f" {
			name = "a~" // 0x7f may not be in a name
		}
		if got := headers(t, create(t, nil, item(name, "x")))[0].Flags&0x800 != 0; got != want {
			t.Errorf("%q: got = %v; want %v", name, got, want)
		}
	}
}

// The field with the name in Unicode counts if it is whole, of version 1 and
// written for the name in the header; it may stand behind others.
func TestUnicodePathField(t *testing.T) {
	const raw = "b\x81.txt"
	field := func(id uint16, content []byte) []byte {
		b := binary.LittleEndian.AppendUint16(nil, id)
		b = binary.LittleEndian.AppendUint16(b, uint16(len(content)))
		return append(b, content...)
	}
	path := func(version byte, sum uint32, name string) []byte {
		return append(binary.LittleEndian.AppendUint32([]byte{version}, sum), name...)
	}
	sum := crc32.ChecksumIEEE([]byte(raw))
	good := field(0x7075, path(1, sum, "new.txt"))
	for _, test := range []struct {
		what  string
		extra []byte
		want  string
	}{
		{"whole", good, "new.txt"},
		{"behind another", append(field(0x9999, []byte("1234")), good...), "new.txt"},
		{"behind an empty one", append(field(0x9999, nil), good...), "new.txt"},
		{"of one letter", field(0x7075, path(1, sum, "n")), "n"},
		{"without a name", field(0x7075, path(1, sum, "")), "bü.txt"},
		{"of version 2", field(0x7075, path(2, sum, "new.txt")), "bü.txt"},
		{"for another name", field(0x7075, path(1, sum+1, "new.txt")), "bü.txt"},
		{"of another kind", field(0x7076, path(1, sum, "new.txt")), "bü.txt"},
		{"inside one that is cut", append([]byte{0x99, 0x99, 0xff, 0xff}, good...), "bü.txt"},
		{"behind half a head", append(slices.Clone(good), 0x99, 0x99), "new.txt"},
		{"not in UTF-8", field(0x7075, path(1, sum, "\xff")), "bü.txt"},
	} {
		t.Run(test.what, func(t *testing.T) {
			var b bytes.Buffer
			w := zip.NewWriter(&b)
			if _, err := w.CreateHeader(&zip.FileHeader{Name: raw, NonUTF8: true, Extra: test.extra}); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if got := open(t, b.Bytes()).Entries()[0].Name; got != test.want {
				t.Errorf("%s: %q, want %q", test.what, got, test.want)
			}
		})
	}
}

// An entry of exactly the size that is allowed is read; what is stored as it is
// takes no memory, however long.
func TestLimitIsExact(t *testing.T) {
	packed := create(t, nil, item("a", strings.Repeat("x", 1000)))
	stored := create(t, map[string]string{"level": "0"}, item("a", strings.Repeat("x", 1000)))
	for _, test := range []struct {
		path  string
		limit int64
		want  error
	}{{packed, 1000, nil}, {packed, 999, fault.Limit}, {stored, 999, nil}} {
		p, err := archive.Registry{ziparchive.Format{}}.Enter(ctx, test.path, archive.Options{MaxEntrySize: test.limit})
		if err != nil {
			t.Fatal(err)
		}
		f, err := p.OpenEntry(0)
		if !errors.Is(err, test.want) || (err == nil) != (test.want == nil) {
			t.Errorf("limit %d: %v", test.limit, err)
		}
		if err == nil {
			if b, err := io.ReadAll(f); err != nil || len(b) != 1000 {
				t.Errorf("%d bytes, %v", len(b), err)
			}
			f.Close()
		}
		report, err := p.Verify(ctx, archive.Options{})
		if unchecked := map[bool]int{true: 0, false: 1}[test.want == nil]; err != nil || report.Unchecked != unchecked {
			t.Errorf("limit %d: %+v, %v", test.limit, report, err)
		}
		p.Close()
	}
}

func TestSettings(t *testing.T) {
	size := func(level string) uint64 {
		return headers(t, create(t, map[string]string{"level": level}, item("a", strings.Repeat("some text ", 1000))))[0].CompressedSize64
	}
	if size("0") != 10000 || size("9") > size("1") || size("1") > 5000 || size("99") != size("9") {
		t.Errorf(`%d, %d, %d, %d; want size("0") = 10000, size("9") at most size("1"), size("1") at most 5000, size("99") = size("9")`, size("0"), size("1"), size("9"), size("99"))
	}
	if f := headers(t, create(t, nil, item("a", "no gain")))[0]; f.Method != zip.Store {
		t.Error("what does not become smaller is compressed")
	}
	for _, params := range []map[string]string{{"level": "-1"}, {"level": "x"}} {
		stage, err := archive.NewStage(t.TempDir()+"/a.zip", false)
		if err != nil {
			t.Fatal(err)
		}
		var bad *archive.ParamError
		if err := (ziparchive.Format{}).Create(ctx, stage, nil, archive.CreateOptions{Params: params}); !errors.As(err, &bad) {
			t.Errorf("%v: err = %v; want err of the type of bad", params, err)
		}
		stage.Abort()
	}
	stage, err := archive.NewStage(t.TempDir()+"/a.zip", false)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	if err := (ziparchive.Format{}).Create(ctx, stage, nil, archive.CreateOptions{Params: map[string]string{"comment": strings.Repeat("x", 1<<16)}}); err == nil {
		t.Error("a comment that is too long was written")
	}
}

// An edit keeps the comment, unless another is asked for.
func TestEditComment(t *testing.T) {
	path := create(t, map[string]string{"comment": "old"}, item("a", "x"))
	for _, test := range []struct {
		params map[string]string
		want   string
	}{{nil, "old"}, {map[string]string{"comment": "new"}, "new"}, {map[string]string{"comment": ""}, ""}} {
		p, err := archive.Registry{ziparchive.Format{}}.Enter(ctx, path, archive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		stage, err := archive.NewStage(t.TempDir()+"/b.zip", false)
		if err != nil {
			t.Fatal(err)
		}
		put := item("b", "y")
		if err := p.Archive.(archive.Editor).Edit(ctx, stage, []archive.Edit{{Put: &put}}, archive.CreateOptions{Params: test.params}); err != nil {
			t.Fatal(err)
		}
		if err := stage.Commit(); err != nil {
			t.Fatal(err)
		}
		p.Close()
		r, err := zip.OpenReader(stage.Path())
		if err != nil {
			t.Fatal(err)
		}
		if r.Comment != test.want || len(r.File) != 2 {
			t.Errorf("%v: %q, %d files", test.params, r.Comment, len(r.File))
		}
		r.Close()
	}
}
