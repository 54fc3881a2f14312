package eterpack

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/metin2/internal/packname"
)

// FuzzOpen reads whatever it is given as a pack: two bytes with the length of
// the index, the index, the data. Every error must say what kind it is, and an
// index that can be read must come out of writing as it was.
func FuzzOpen(f *testing.F) {
	seed := func(eix, epk []byte) {
		b := binary.LittleEndian.AppendUint16(nil, uint16(len(eix)))
		f.Add(append(append(b, eix...), epk...))
	}
	for _, form := range []indexForm{indexPlain, indexCompressed, indexEncrypted} {
		for _, c := range []codec{codecLZO, codecLZ4} {
			s := newSample(f)
			s.form, s.codec = form, c
			s.add("d:/ymir work/\xb0\xa1.txt", 3, text(30))
			s.records = append(s.records, record{id: 9, slotSize: 256})
			seed(s.eix(f), s.epk)
		}
	}
	s := newSample(f)
	for i := range s.records {
		s.records[i].dataCRC++
	}
	seed(s.eix(f), s.epk)
	seed([]byte(defaultMarks.index), nil)
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < 2 {
			return
		}
		n := min(int(binary.LittleEndian.Uint16(b)), len(b)-2)
		eix, epk := b[2:2+n:2+n], b[2+n:]
		opts := archive.Options{MaxEntrySize: 1 << 20, Workers: 1}
		a, err := openMemory(eix, epk, opts)
		if err != nil {
			wantKind(t, err)
			return
		}
		report, err := a.Verify(context.Background(), opts)
		if err != nil {
			t.Fatal(err)
		}
		var failed int
		for i := range a.Entries() {
			file, err := a.OpenEntry(i)
			if err == nil {
				_, err = io.Copy(io.Discard, file) // reading to the end checks the CRC
			}
			if err != nil {
				wantKind(t, err)
				failed++
			}
		}
		if failed > 0 && len(report.Findings) == 0 {
			t.Fatalf("%d entries cannot be read, and verification has nothing to say", failed)
		}
		checkSameIndex(t, a, eix)
	})
}

func wantKind(t *testing.T, err error) {
	t.Helper()
	if fault.KindOf(err) == "" {
		t.Fatalf("an error without a kind: %v", err)
	}
}

// checkSameIndex writes the index and compares it with what was read.
func checkSameIndex(t *testing.T, a *Archive, eix []byte) {
	t.Helper()
	again, err := a.index.encode(a.keys.index, 0)
	if err != nil {
		t.Fatal(err)
	}
	if a.index.form == indexPlain {
		if !bytes.Equal(again, eix) {
			t.Fatal("a plain index does not come out as it was")
		}
		return
	}
	x, err := decodeIndex(again, a.index.marks, a.keys.index, maxIndex(int64(len(again))))
	if err != nil {
		t.Fatal(err)
	}
	if x.form != a.index.form || len(x.records) != len(a.index.records) || !bytes.Equal(x.tail, a.index.tail) {
		t.Fatal("the index does not come out as it was")
	}
	for i := range x.records {
		if !bytes.Equal(x.records[i].raw, a.index.records[i].raw) {
			t.Fatalf("record %d does not come out as it was", i)
		}
	}
}

// FuzzRoundTrip packs any content under any name and reads it again.
func FuzzRoundTrip(f *testing.F) {
	f.Add("a", []byte{}, uint8(0))
	f.Add("D_Ymir_Work/b%FF.txt", text(5000), uint8(7))
	f.Add("c/d", noise(300), uint8(21))
	f.Fuzz(func(t *testing.T, name string, content []byte, how uint8) {
		s := settings{kind: int8(how&3) - 1, codec: codecLZO, form: indexPlain, level: min(int(how>>4), maxLevel)}
		s.keys, _ = newKeys(nil)
		if how&4 != 0 {
			s.codec = codecLZ4
		}
		if how&8 != 0 {
			s.form = indexEncrypted
		}
		page, err := packname.NewCodePage("", []string{name})
		if err != nil {
			wantKind(t, err)
			return
		}
		raw, err := storeName(page, name)
		if err != nil {
			wantKind(t, err)
			return
		}
		x := &index{form: s.form, marks: s.marks, codec: s.codec, records: []record{{name: raw, nameCRC: nameCRC(raw)}}}
		var epk bytes.Buffer
		w := &dataWriter{w: bufio.NewWriter(&epk)}
		if err := w.writeAll(context.Background(), []job{{item(name, content), s.kind, &x.records[0]}}, s, archive.Options{}); err != nil {
			t.Fatal(err)
		}
		eix, err := x.encode(s.keys.index, s.level)
		if err != nil {
			t.Fatal(err)
		}
		a, err := openMemory(eix, epk.Bytes(), archive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		wantClean(t, a)
		if got := readEntry(t, a, 0); !bytes.Equal(got, content) {
			t.Fatal("the content does not come out as it went in")
		}
		again, err := storeName(a.page, a.Entries()[0].Name)
		if err != nil || !bytes.Equal(again, raw) {
			t.Fatalf("%q is stored as %q, listed as %q and stored again as %q", name, raw, a.Entries()[0].Name, again)
		}
	})
}
