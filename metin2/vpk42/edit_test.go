package vpk42_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/metin2/vpk42"
)

// edit applies edits to an archive and returns the new file.
func edit(tb testing.TB, a *vpk42.Archive, edits ...archive.Edit) []byte {
	tb.Helper()
	stage, err := archive.NewStage(filepath.Join(tb.TempDir(), "out.vpk"), false)
	if err != nil {
		tb.Fatal(err)
	}
	defer stage.Abort()
	if err := a.Edit(context.Background(), stage, edits, archive.CreateOptions{}); err != nil {
		tb.Fatal(err)
	}
	if err := stage.Commit(); err != nil {
		tb.Fatal(err)
	}
	data, err := os.ReadFile(stage.Path())
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func put(name string, data []byte) archive.Edit {
	it := item(name, data)
	return archive.Edit{Put: &it}
}

// TestEditGolden puts and removes in the good archives of the corpus and
// compares what was not touched, down to the stored bytes. Of the encrypted
// ones it takes a few, because each costs several key derivations.
func TestEditGolden(t *testing.T) {
	dir, list := goldens(t)
	encrypted := []string{"v1/enc.vpk", "v1/empty_enc.vpk", "v2/lz4_enc.vpk", "original/mangled_enc.vpk", "original/zstd_enc.vpk"}
	for _, g := range list {
		if g.Expect != "ok" || strings.HasPrefix(g.File, "corrupt/") ||
			g.Passphrase != nil && !slices.Contains(encrypted, g.File) {
			continue
		}
		t.Run(g.File, func(t *testing.T) {
			t.Parallel()
			in := load(t, filepath.Join(dir, g.File))
			a, err := vpk42.Open(context.Background(), in, g.options())
			if err != nil {
				t.Fatal(err)
			}
			whole := make([]byte, in.Size)
			in.ReadAt(whole, 0)
			if !bytes.Equal(edit(t, a), whole) {
				t.Error("an edit without changes gives another file")
			}
			text := []byte(strings.Repeat("new text ", 1000))
			grown := open(t, edit(t, a, put("new/File.txt", text)), g.options())
			if grown.Header().Salt != a.Header().Salt || grown.Header().CreatedAtUtcTicks != a.Header().CreatedAtUtcTicks {
				t.Error("the header changed")
			}
			sameStored(t, a, grown, len(a.Table()))
			got, err := fs.ReadFile(grown, "NEW/file.TXT")
			if err != nil || !bytes.Equal(got, text) {
				t.Errorf("the new entry: %v", err)
			}
			added := grown.Table()[len(a.Table())]
			if wanted := g.Level > 0 && g.Algorithm > 0; added.IsCompressed != wanted || added.IsEncrypted != (g.Passphrase != nil) {
				t.Errorf("the new entry is compressed %v, encrypted %v", added.IsCompressed, added.IsEncrypted)
			}
			if (added.StoredName != added.FileName) != g.Mangled {
				t.Errorf("the new entry is stored as %q", added.StoredName)
			}
			verifyOK(t, grown)
			shrunk := open(t, edit(t, grown, archive.Edit{Remove: "new"}), g.options())
			if !bytes.Equal(edit(t, shrunk), edit(t, a)) && g.Passphrase == nil {
				t.Error("adding and removing an entry gives another file")
			}
			sameStored(t, a, shrunk, len(a.Table()))
			verifyOK(t, shrunk)
		})
	}
}

func verifyOK(tb testing.TB, a archive.Archive) {
	tb.Helper()
	report, err := a.Verify(context.Background(), archive.Options{})
	if err != nil || !report.OK() {
		tb.Errorf("err = %v, report = %+v; want no error, report.OK() = true", err, report)
	}
}

// sameStored wants the first n entries of both to be stored the same.
func sameStored(tb testing.TB, a, b *vpk42.Archive, n int) {
	tb.Helper()
	for i := range n {
		x, y := a.Table()[i], b.Table()[i]
		if x.FileName != y.FileName || x.StoredName != y.StoredName || !bytes.Equal(x.Nonce, y.Nonce) ||
			!bytes.Equal(x.AuthTag, y.AuthTag) || !bytes.Equal(x.ContentHash, y.ContentHash) ||
			x.StoredSize != y.StoredSize || x.IsCompressed != y.IsCompressed {
			tb.Errorf("record of %s changed", x.FileName)
		}
		p, err1 := readEntry(a, i)
		q, err2 := readEntry(b, i)
		if err1 != nil || err2 != nil || !bytes.Equal(p, q) {
			tb.Errorf("content of %s changed: %v %v", x.FileName, err1, err2)
		}
	}
}

func TestEdits(t *testing.T) {
	data := write(t, samples(), vpk42.WriteOptions{Version: 2, Algorithm: vpk42.LZ4, Level: 3, Mangle: true})
	a := open(t, data, archive.Options{})
	rename := func(from, to string) archive.Edit { return archive.Edit{Rename: &archive.Rename{From: from, To: to}} }

	b := open(t, edit(t, a, put("text/LONG.txt", []byte("short")), rename("NOISE", "sound"), archive.Edit{Remove: "EMPTY"}), archive.Options{})
	verifyClean(t, b)
	var names []string
	for _, e := range b.Table() {
		names = append(names, e.FileName)
		if e.StoredName != vpk42.MangledName(e.FileName) {
			t.Errorf("%s is stored as %s", e.FileName, e.StoredName)
		}
	}
	if got := strings.Join(names[:5], " "); got != "one.byte five Text/Long.TXT sound/random.bin sound/exactly_4096.bin" {
		t.Errorf("entries are %s", got)
	}
	if text, err := fs.ReadFile(b, "Text/Long.TXT"); string(text) != "short" || err != nil {
		t.Errorf(`text = %q, err = %v; want text = "short", no error`, text, err)
	}

	for name, test := range map[string]struct {
		edit archive.Edit
		want error
	}{
		"remove nothing":  {archive.Edit{Remove: "none"}, fs.ErrNotExist},
		"rename nothing":  {rename("none", "x"), fs.ErrNotExist},
		"rename onto":     {rename("five", "ONE.byte"), fs.ErrExist},
		"rename outside":  {rename("five", "../five"), fault.Unsafe},
		"rename too long": {rename("five", strings.Repeat("n", 513)), fault.NameTooLong},
		"put too long":    {put(strings.Repeat("n", 513), nil), fault.NameTooLong},
	} {
		stage, _ := archive.NewStage(filepath.Join(t.TempDir(), "out.vpk"), false)
		if err := a.Edit(context.Background(), stage, []archive.Edit{test.edit}, archive.CreateOptions{}); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
		stage.Abort()
	}
}

// TestEditKeepsTheUnknown edits an archive with reserved bytes, odd flags, a
// trailer and bytes behind the table, none of which an edit may lose.
func TestEditKeepsTheUnknown(t *testing.T) {
	data := write(t, samples()[:4], vpk42.WriteOptions{Version: 2, Algorithm: vpk42.LZ4, Level: 3})
	h := open(t, data, archive.Options{}).Header()
	table := data[h.EntryTableOffset : h.EntryTableOffset+int64(h.EntryTableSize)]
	last := len(table) - 10
	if table[last] != 1 {
		t.Fatal("expected IsCompressed of the last entry here")
	}
	table[last] = 5
	copy(data[500:], "future")
	binary.LittleEndian.PutUint32(data[23:], 99)
	data = append(data, "appended bytes of unknown meaning"...)
	a := open(t, data, archive.Options{})

	out := edit(t, a, put("more", []byte("more")))
	if string(out[500:506]) != "future" || binary.LittleEndian.Uint32(out[23:]) != 99 {
		t.Error("header bytes were lost")
	}
	if !bytes.HasSuffix(out, data[h.EntryTableOffset+int64(h.EntryTableSize):]) {
		t.Error("bytes behind the table were lost")
	}
	b := open(t, edit(t, open(t, out, archive.Options{}), archive.Edit{Remove: "more"}), archive.Options{})
	report, err := b.Verify(context.Background(), archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[fault.Kind]bool{}
	for _, f := range report.Findings {
		kinds[fault.Kind(f.Rule)] = true
	}
	if len(kinds) != 3 || !kinds[fault.ReservedNonzero] || !kinds[fault.TrailingData] || !kinds[fault.NonzeroTrailer] {
		t.Errorf("findings: %+v", report.Findings)
	}
	sameStored(t, a, b, 4)
	if again := edit(t, open(t, out, archive.Options{}), archive.Edit{Remove: "more"}); !bytes.Equal(again, data) {
		t.Error("taking back an edit does not give the first file again")
	}
}

// TestEditSharedBlock keeps a block shared that two entries share.
func TestEditSharedBlock(t *testing.T) {
	dir, _ := goldens(t)
	in := load(t, filepath.Join(dir, "corrupt/v1/overlap_same_block.vpk"))
	a, err := vpk42.Open(context.Background(), in, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, edit(t, a, put("more", []byte("more"))), archive.Options{})
	if x, y := b.Table()[1], b.Table()[2]; x.DataOffset != y.DataOffset {
		t.Errorf("%s at %d, %s at %d", x.FileName, x.DataOffset, y.FileName, y.DataOffset)
	}
	sameStored(t, a, b, len(a.Table()))
}
