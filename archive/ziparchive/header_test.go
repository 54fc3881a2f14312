package ziparchive_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"pakbox/archive"
	"pakbox/internal/testkit/peer"
)

// TestNamesAndTimesForOthers: what pakbox writes is read by Python as it is
// meant: names in UTF-8, times, and a date that exists even for a missing time.
func TestNamesAndTimesForOthers(t *testing.T) {
	python := peer.Program(t, "python3", "python3")
	timeless := item("none.txt", "x")
	timeless.ModTime = time.Time{}
	early, late := item("1970.txt", "x"), item("2200.txt", "x")
	early.ModTime, late.ModTime = time.Unix(0, 0), time.Date(2200, 1, 2, 3, 4, 5, 0, time.UTC)
	large := item("grüße/large.txt", "x")
	large.Size = -1 // unknown, so that it is streamed
	path := create(t, nil, item("grüße/ü.txt", "x"), item("plain.txt", "x"), timeless, early, late, large)
	out, err := exec.Command(python, "-X", "utf8", "-c", `
import sys, zipfile
for i in zipfile.ZipFile(sys.argv[1]).infolist():
    print(i.filename, *i.date_time)
`, path).Output()
	want := `grüße/ü.txt 2024 5 6 7 8 10
plain.txt 2024 5 6 7 8 10
none.txt 1980 1 1 0 0 0
1970.txt 1980 1 1 0 0 0
2200.txt 1980 1 1 0 0 0
grüße/large.txt 2024 5 6 7 8 10
`
	if err != nil || string(out) != want {
		t.Errorf("python read, %v:\n%swant:\n%s", err, out, want)
	}
	data, _ := os.ReadFile(path)
	for _, e := range open(t, data).Entries() {
		hasTime := !strings.Contains("none.txt 1970.txt 2200.txt", e.Name)
		if got := e.ModTime; hasTime && !got.Equal(item("", "").ModTime) || !hasTime && !got.IsZero() {
			t.Errorf("%s: modified %v", e.Name, got)
		}
	}
}

// dosZip is an archive as programs for DOS and Windows write it: names in code
// page 437, one of them also in UTF-8, and with backslashes.
func dosZip(t *testing.T) []byte {
	t.Helper()
	const japanese = "\x93\xfa\x96{.txt"
	extra := func(name string, sum uint32) []byte {
		b := binary.LittleEndian.AppendUint16(nil, 0x7075)
		b = binary.LittleEndian.AppendUint16(b, uint16(5+len(name)))
		b = binary.LittleEndian.AppendUint32(append(b, 1), sum)
		return append(b, name...)
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, h := range []*zip.FileHeader{
		{Name: "Gr\x81\xe1e\\a.txt", NonUTF8: true},
		{Name: japanese, NonUTF8: true, Extra: extra("日本.txt", crc32.ChecksumIEEE([]byte(japanese)))},
		{Name: "b\x81.txt", NonUTF8: true, Extra: extra("of another name.txt", 1)},
		{Name: "keep\x84.txt", NonUTF8: true, Extra: []byte{0x75, 0x70, 0xff, 0xff, 1}},
		{Name: "bad\xff.txt", Flags: 0x800},
	} {
		f, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, "x")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestNamesInCodePages(t *testing.T) {
	a := open(t, dosZip(t))
	want := []string{"Grüße/a.txt", "日本.txt", "bü.txt", "keepä.txt", "bad\xff.txt"}
	for i, e := range a.Entries() {
		if e.Name != want[i] {
			t.Errorf("name %d: %q, want %q", i, e.Name, want[i])
		}
	}
}

// An edit leaves other entries' names as they are stored, and writes a new one
// so that others read it.
func TestEditKeepsNamesAsStored(t *testing.T) {
	a := open(t, dosZip(t))
	put := item("bü.txt", "new")
	data := edited(t, a, archive.Edit{Put: &put}, archive.Edit{Remove: "bad\xff.txt"},
		archive.Edit{Rename: &archive.Rename{From: "日本.txt", To: "月.txt"}})
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		name string
		utf8 bool
	}{{"Gr\x81\xe1e\\a.txt", false}, {"月.txt", true}, {"bü.txt", true}, {"keep\x84.txt", false}}
	for i, f := range r.File {
		if f.Name != want[i].name || f.Flags&0x800 != 0 != want[i].utf8 {
			t.Errorf("entry %d: %q, flags %x", i, f.Name, f.Flags)
		}
	}
}
