package vpk42_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"testing"
	"time"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/metin2/vpk42"
)

// FuzzOpen opens, verifies and reads whatever it is given. All errors must be
// of the kinds that the contract names. Encrypted archives are opened without
// a passphrase: nothing but a right HMAC gets behind it.
func FuzzOpen(f *testing.F) {
	text := bytes.Repeat([]byte("content "), 50)
	for _, o := range variants {
		if !o.Encrypt {
			o.Created = time.Unix(1_800_000_000, 0)
			f.Add(write(f, []archive.Item{item("empty", nil), item("a/b.txt", text)}, o))
		}
	}
	small := write(f, []archive.Item{item("a", []byte("abcabcabcabcabcabcabcabc"))}, vpk42.WriteOptions{Version: 2, Algorithm: vpk42.LZ4, Level: 1})
	f.Add(small)
	lie := bytes.Clone(small)
	binary.LittleEndian.PutUint32(lie[0x1000:], 1<<31-1)
	f.Add(lie)
	f.Fuzz(readAll)
}

// FuzzTable is FuzzOpen with the mutations in the parts that matter: a block
// of data and the entry table, in an archive whose other parts are right.
func FuzzTable(f *testing.F) {
	text := bytes.Repeat([]byte("content "), 50)
	for _, o := range variants {
		if !o.Encrypt {
			o.Version = 2
			data := write(f, []archive.Item{item("empty", nil), item("a/b.txt", text)}, o)
			h := open(f, data, archive.Options{}).Header()
			f.Add(uint8(h.CompressionAlgorithm), int32(2), data[0x1000:h.EntryTableOffset], data[h.EntryTableOffset:len(data)-32])
		}
	}
	empty := write(f, nil, vpk42.WriteOptions{Store: true, Version: 2, Created: time.Unix(1, 0)})
	f.Fuzz(func(t *testing.T, algorithm uint8, count int32, block, table []byte) {
		data := bytes.Clone(empty[:512])
		data[27] = algorithm
		binary.LittleEndian.PutUint32(data[6:], uint32(count))
		binary.LittleEndian.PutUint64(data[10:], uint64(0x1000+len(block)))
		binary.LittleEndian.PutUint32(data[18:], uint32(len(table)))
		data = append(data, make([]byte, 0x1000-512)...)
		data = append(data, block...)
		data = append(data, table...)
		readAll(t, append(data, make([]byte, 32)...))
	})
}

// readAll opens, verifies and reads data.
func readAll(t *testing.T, data []byte) {
	a, err := vpk42.Open(context.Background(), input(data), archive.Options{MaxEntrySize: 1 << 20})
	if err != nil {
		wantTyped(t, err)
		return
	}
	report, err := a.Verify(context.Background(), archive.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range a.Entries() {
		content, err := readEntry(a, i)
		if err != nil {
			wantTyped(t, err)
			if report.OK() {
				t.Errorf("%q cannot be read, but verification is fine: %v", e.Name, err)
			}
		} else if int64(len(content)) != e.Size {
			t.Errorf("content of %q has %d bytes, but its entry declares %d", e.Name, len(content), e.Size)
		}
	}
	fs.WalkDir(a, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			t.Error(err)
		}
		return nil
	})
}

func wantTyped(t *testing.T, err error) {
	t.Helper()
	var e *fault.Error
	if !errors.As(err, &e) {
		t.Errorf("%T: err = %v; want err of the type of e", err, err)
	}
}

// FuzzRoundTrip packs what it is given and wants it back, before and after an
// edit.
func FuzzRoundTrip(f *testing.F) {
	f.Add("a/b.txt", []byte("content content content"), byte(0))
	f.Add("ü.bin", bytes.Repeat([]byte{1, 2, 3, 4}, 2000), byte(3))
	f.Add("", []byte{}, byte(7))
	f.Fuzz(func(t *testing.T, name string, data []byte, choice byte) {
		o := variants[int(choice)%len(variants)]
		o.Encrypt, o.Workers = false, 1
		items := []archive.Item{item("x/"+name, data), item("other", data[len(data)/2:])}
		var file memFile
		if err := vpk42.Write(context.Background(), &file, items, o); err != nil {
			wantTyped(t, err)
			return
		}
		a := open(t, file.data, archive.Options{})
		checkItemsStored(t, a, items)
		verifyClean(t, a)
		b := open(t, edit(t, a, archive.Edit{Remove: "other"}, put("third", data)), archive.Options{})
		verifyClean(t, b)
		checkItemsStored(t, b, []archive.Item{items[0], item("third", data)})
	})
}
