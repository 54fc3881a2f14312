package ziparchive_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"pakbox/archive"
	"pakbox/archive/ziparchive"
	"pakbox/fault"
	"pakbox/internal/testkit/peer"
)

var ctx = context.Background()

func open(t *testing.T, data []byte) archive.Archive {
	t.Helper()
	a, err := ziparchive.Format{}.Open(ctx, archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data))}, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func item(name, content string) archive.Item {
	return archive.Item{
		Name: name, Size: int64(len(content)), ModTime: time.Date(2024, 5, 6, 7, 8, 10, 0, time.UTC),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil },
	}
}

// create writes a zip file and returns its path.
func create(t *testing.T, params map[string]string, items ...archive.Item) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.zip")
	stage, err := archive.NewStage(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	if err := (ziparchive.Format{}).Create(ctx, stage, items, archive.CreateOptions{Params: params}); err != nil {
		t.Fatal(err)
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCreateIsReadByUnzip(t *testing.T) {
	unzip := peer.Program(t, "unzip", "unzip")
	text := strings.Repeat("compressible ", 1000)
	path := create(t, map[string]string{"comment": "hello"}, item("dir/text.txt", text), item("empty", ""), item("ü.bin", "\x00\x01"))
	if out, err := exec.Command(unzip, "-tqq", path).CombinedOutput(); err != nil {
		t.Errorf("unzip -t: %v\n%s", err, out)
	}
	if out, err := exec.Command(unzip, "-p", path, "dir/text.txt").Output(); err != nil || string(out) != text {
		t.Errorf("unzip -p gave %d bytes, %v", len(out), err)
	}
}

func TestCreateIsDeterministicAndAFileSystem(t *testing.T) {
	items := []archive.Item{item("b", strings.Repeat("b", 5000)), item("a/x", "1"), item("a/y", "")}
	first, _ := os.ReadFile(create(t, nil, items...))
	second, _ := os.ReadFile(create(t, nil, items...))
	if !bytes.Equal(first, second) {
		t.Error("the same input gave different bytes")
	}
	a := open(t, first)
	if err := fstest.TestFS(a, "a/x", "a/y", "b"); err != nil {
		t.Error(err)
	}
	if e := a.Entries()[0]; e.Name != "b" || !e.Compressed || e.StoredSize >= e.Size || e.Method != "deflate" {
		t.Errorf("entry = %+v", e)
	}
	report, err := a.Verify(ctx, archive.Options{})
	if err != nil || !report.OK() || report.Entries != 3 || report.Bytes != 5001 {
		t.Errorf("verify: %+v, %v", report, err)
	}
}

// A closed buffer is used for other entries, so that nobody may read from it.
func TestCreateRefusesDoubleNames(t *testing.T) {
	stage, err := archive.NewStage(filepath.Join(t.TempDir(), "a.zip"), false)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	err = ziparchive.Format{}.Create(ctx, stage, []archive.Item{item("x", "1"), item("x", "2")}, archive.CreateOptions{})
	if !errors.Is(err, fault.DuplicateName) {
		t.Errorf("got %v", err)
	}
}

func TestReadAfterClose(t *testing.T) {
	data, err := os.ReadFile(create(t, nil, item("a", strings.Repeat("a", 5000)), item("b", strings.Repeat("b", 5000))))
	if err != nil {
		t.Fatal(err)
	}
	a := open(t, data)
	first, err := a.Open("a")
	if err != nil {
		t.Fatal(err)
	}
	first.Close()
	first.Close()
	second, err := a.Open("b")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := first.Read(make([]byte, 10)); n > 0 || err == nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	if got, err := io.ReadAll(second); string(got) != strings.Repeat("b", 5000) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// An item of unknown size is streamed, and its level counts all the same.
func TestStreamedItemsHaveTheirLevel(t *testing.T) {
	var text strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&text, "%d %d\n", i, i*i%977)
	}
	stored := func(level string, size int64) (n int64) {
		it := item("x", text.String())
		it.Size = size
		data, err := os.ReadFile(create(t, map[string]string{"level": level}, it))
		if err != nil {
			t.Fatal(err)
		}
		a := open(t, data)
		if report, err := a.Verify(ctx, archive.Options{}); err != nil || !report.OK() || report.Bytes != int64(text.Len()) {
			t.Errorf("level %s: %+v, %v", level, report, err)
		}
		return a.Entries()[0].StoredSize
	}
	for _, level := range []string{"0", "1", "6", "9"} {
		if known, streamed := stored(level, int64(text.Len())), stored(level, -1); streamed != known {
			t.Errorf("level %s: %d bytes streamed, %d from memory", level, streamed, known)
		}
	}
}

// edited returns an archive after some edits.
func edited(t *testing.T, a archive.Archive, edits ...archive.Edit) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "edited.zip")
	stage, err := archive.NewStage(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	if err := a.(archive.Editor).Edit(ctx, stage, edits, archive.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestEditCopiesUntouchedEntriesVerbatim(t *testing.T) {
	// Written by another implementation at another level, so that coding it
	// again would show.
	var old bytes.Buffer
	w := zip.NewWriter(&old)
	for _, name := range []string{"keep", "gone", "moved"} {
		f, _ := w.Create(name)
		io.WriteString(f, strings.Repeat(name+" content ", 500))
	}
	w.SetComment("kept too")
	w.Close()
	a := open(t, old.Bytes())
	put := item("new", "fresh")
	data := edited(t, a, archive.Edit{Put: &put}, archive.Edit{Remove: "gone"},
		archive.Edit{Rename: &archive.Rename{From: "moved", To: "x/moved"}})
	b := open(t, data)
	var names []string
	for i, e := range b.Entries() {
		names = append(names, e.Name)
		if e.Name == "keep" || e.Name == "x/moved" {
			j := map[string]int{"keep": 0, "x/moved": 2}[e.Name]
			o := a.Entries()[j]
			was := old.Bytes()[o.Offset : o.Offset+o.StoredSize]
			is := data[e.Offset : e.Offset+e.StoredSize]
			if !bytes.Equal(was, is) {
				t.Errorf("%s (entry %d) was re-encoded", e.Name, i)
			}
		}
	}
	if got := strings.Join(names, " "); got != "keep x/moved new" {
		t.Errorf("entries: %s", got)
	}
	if c := b.Facts()[0].Value; c != "kept too" {
		t.Errorf("comment = %v", c)
	}
}

// Bytes after the archive are reported and kept.
func TestEditKeepsWhatFollows(t *testing.T) {
	path := create(t, map[string]string{"comment": "a comment"}, item("a", "one"))
	zipped, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, rest := range []string{"", "\r\n", strings.Repeat("and more ", 7000)} {
		a := open(t, append(bytes.Clone(zipped), rest...))
		report, err := a.Verify(ctx, archive.Options{})
		if err != nil || !report.OK() || len(report.Findings) != min(len(rest), 1) {
			t.Errorf("%d bytes follow: %+v, %v", len(rest), report, err)
		}
		put := item("b", "two")
		if data := edited(t, a, archive.Edit{Put: &put}); !strings.HasSuffix(string(data), "a comment"+rest) {
			t.Errorf("%d bytes followed; now the archive ends with %q", len(rest), data[len(data)-10:])
		}
	}
}

// Folders that are stored by themselves are not entries, but an edit keeps them
// in their places, unless it took all that was in them.
func TestEditKeepsFolders(t *testing.T) {
	var old bytes.Buffer
	w := zip.NewWriter(&old)
	for _, name := range []string{"empty/", "a/", "a/x", `win\dir\`, "gone/", "gone/x", "old/", "old/none/", "old/x"} {
		w.CreateRaw(&zip.FileHeader{Name: name})
	}
	w.Close()
	a := open(t, old.Bytes())
	if n := len(a.Entries()); n != 3 {
		t.Errorf("%d entries: %+v", n, a.Entries())
	}
	if report, err := a.Verify(ctx, archive.Options{}); err != nil || !report.OK() {
		t.Errorf("verify: %+v, %v", report, err)
	}
	data := edited(t, a, archive.Edit{Remove: "gone/x"}, archive.Edit{Rename: &archive.Rename{From: "old", To: "new"}})
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		t.Fatalf("err = %v; want no error or err matching zip.ErrInsecurePath", err)
	}
	var names []string
	for _, f := range r.File {
		names = append(names, f.Name)
	}
	if got, want := strings.Join(names, " "), `empty/ a/ a/x win\dir\ new/ new/none/ new/x`; got != want {
		t.Errorf("the archive holds %s, want %s", got, want)
	}
}

func TestDamageHasItsKind(t *testing.T) {
	good, _ := os.ReadFile(create(t, nil, item("text", strings.Repeat("text ", 1000))))
	flip := func(at int) []byte {
		b := bytes.Clone(good)
		b[at] ^= 0x10
		return b
	}
	a := open(t, good)
	at := int(a.Entries()[0].Offset)
	for name, test := range map[string]struct {
		data  []byte
		kinds []fault.Kind
	}{
		"content": {flip(at + 5), []fault.Kind{fault.HashMismatch, fault.DecompressFailed, fault.Truncated}},
	} {
		report, err := open(t, test.data).Verify(ctx, archive.Options{})
		if err != nil || len(report.Findings) != 1 || report.OK() {
			t.Errorf("%s: report = %+v, err = %v; want no error, report.Findings of length 1, report.OK() = false", name, report, err)
			continue
		}
		found := false
		for _, k := range test.kinds {
			found = found || fault.Kind(report.Findings[0].Rule) == k
		}
		if !found || report.Findings[0].Entry != "text" {
			t.Errorf(`%s: report.Findings[0] = %+v; want found = true, report.Findings[0].Entry = "text"`, name, report.Findings[0])
		}
	}
	cut := good[:len(good)-10]
	_, err := ziparchive.Format{}.Open(ctx, archive.Input{ReaderAt: bytes.NewReader(cut), Size: int64(len(cut))}, archive.Options{})
	if !errors.Is(err, fault.Corrupt) {
		t.Errorf("cut off: %v", err)
	}
}

func TestUnsafeNamesAreFindings(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range []string{"../x", "ok", "/abs", "ok"} {
		f, _ := w.Create(name)
		io.WriteString(f, "x")
	}
	w.Close()
	report, err := open(t, b.Bytes()).Verify(ctx, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[fault.Kind]int{}
	for _, f := range report.Findings {
		kinds[fault.Kind(f.Rule)]++
	}
	if kinds[fault.Unsafe] != 2 || kinds[fault.DuplicateName] != 1 {
		t.Errorf("findings: %+v", report.Findings)
	}
}

// An entry that cannot be read is not damaged for that, and what was not read
// is not counted as checked.
func TestUnsupportedIsNoDamage(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, h := range []zip.FileHeader{
		{Name: "plain"},
		{Name: "encrypted", Flags: 1, UncompressedSize64: 1000},
		{Name: "bzip2", Method: 12, UncompressedSize64: 1000},
	} {
		w.CreateRaw(&h)
	}
	w.Close()
	report, err := open(t, b.Bytes()).Verify(ctx, archive.Options{})
	if err != nil || report.Damaged() || report.OK() || report.Unchecked != 2 || len(report.Findings) != 2 || report.Bytes != 0 {
		t.Errorf("report = %+v, err = %v; want no error, report.Damaged() = false, report.OK() = false, report.Unchecked = 2, report.Findings of length 2, report.Bytes = 0", report, err)
	}
}

// Entries that share their data are how a small zip claims to hold very much.
// They are reported, and not read where that would take too long.
func TestOverlap(t *testing.T) {
	content := strings.Repeat("x", 1000)
	for other, want := range map[string]map[fault.Kind]int{
		content: {fault.Overlap: 9},
		"x":     {fault.Overlap: 9, fault.Limit: 1},
	} {
		t.Run(other, func(t *testing.T) {
			items := []archive.Item{item("0", content)}
			for i := range 9 {
				items = append(items, item(fmt.Sprint(i+1), other))
			}
			data, err := os.ReadFile(create(t, map[string]string{"level": "0"}, items...))
			if err != nil {
				t.Fatal(err)
			}
			// Every record of the central directory describes the first file.
			const signature, sums, sumsEnd, offset = "PK\x01\x02", 16, 28, 42
			first := bytes.Index(data, []byte(signature))
			for at := first; at < len(data); at++ {
				if bytes.HasPrefix(data[at:], []byte(signature)) {
					copy(data[at+sums:], data[first+sums:first+sumsEnd])
					copy(data[at+offset:], make([]byte, 4))
				}
			}
			report, err := open(t, data).Verify(ctx, archive.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := map[fault.Kind]int{}
			for _, f := range report.Findings {
				got[fault.Kind(f.Rule)]++
			}
			if !maps.Equal(got, want) || (report.Bytes == 1000) != (want[fault.Limit] > 0) {
				t.Errorf("%v, want %v; %d bytes read", got, want, report.Bytes)
			}
		})
	}
}

// FuzzOpen: whatever the bytes, typed errors only, and nothing is read past
// what an entry claims.
func FuzzOpen(f *testing.F) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range []string{"a", "d/b"} {
		e, _ := w.Create(name)
		io.WriteString(e, strings.Repeat(name, 40))
	}
	w.Close()
	f.Add(b.Bytes())
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := ziparchive.Format{}.Open(ctx, archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data))}, archive.Options{MaxEntrySize: 1 << 20})
		if err != nil {
			if fault.KindOf(err) == "" {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		report, err := a.Verify(ctx, archive.Options{Workers: 1})
		if err != nil || report.Bytes < 0 {
			t.Fatalf("report = %+v, err = %v; want no error, report.Bytes at least 0", report, err)
		}
	})
}
