package index_test

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"testing"

	"pakbox/index"
)

// Rows that were handed on as bytes are the same rows; bytes that were cut off
// anywhere, or that others follow, are refused.
func TestRowsAsBytes(t *testing.T) {
	want := samples(t)
	want.Append(index.FailureRow("gone/file", index.StatusUnreadable, 7, nil, index.ChangedError()))
	table(want, "ghosts")[0]["checkpoints"].([]*int64)[0] = nil // one that was not passed
	data, err := want.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	got := &index.Rows{}
	if err := got.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	sameLines(t, written(got), written(want))
	if !reflect.DeepEqual(got, want) {
		t.Error("other rows, which look the same")
	}
	for _, n := range []int{0, 1, 3, 4, len(data) / 2, len(data) - 1} {
		if err := new(index.Rows).UnmarshalBinary(data[:n]); err == nil {
			t.Errorf("rows that are cut off after %d bytes", n)
		}
	}
	if err := new(index.Rows).UnmarshalBinary(append(data, 0)); err == nil {
		t.Error("rows with something behind them")
	}
	// A file, with as few columns as there can be, and no row in the other tables.
	few, err := index.FailureRow("a/b", index.StatusChanged, 7, nil, index.ChangedError()).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	tail := "\x07\x00\x00\x00changed" + "\x01\x07\x00\x00\x00changed" + "\x01\x22\x00\x00\x00the file changed while it was read" + "\x00\x00" + string(binary.LittleEndian.AppendUint64(nil, index.Version)) +
		string(make([]byte, 4*(len(index.Tables())-1)))
	if !bytes.HasPrefix(few, []byte{1, 0, 0, 0}) || !bytes.HasSuffix(few, []byte(tail)) {
		t.Errorf("few = % x; want few beginning with []byte{1, 0, 0, 0}, few ending in []byte(tail)", few)
	}
}

// Reading any bytes ends, with no more rows than the bytes
// can hold.
func FuzzRowsAsBytes(f *testing.F) {
	data, _ := index.FailureRow("a/b", index.StatusUnreadable, 7, nil, index.ChangedError()).MarshalBinary()
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		r := &index.Rows{}
		if r.UnmarshalBinary(data) != nil {
			return
		}
		again, err := r.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if err := new(index.Rows).UnmarshalBinary(again); err != nil {
			t.Fatal(err)
		}
	})
}
