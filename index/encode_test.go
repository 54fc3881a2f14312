package index_test

import (
	"bytes"
	"reflect"
	"testing"

	"pakbox/index"
	"pakbox/internal/testkit/corpus"
)

// Rows that were handed on as bytes are the same rows, and bytes that were cut
// off are refused.
func TestRowsAsBytes(t *testing.T) {
	for file := range corpus.GBX(t, "03093000", "2e002000") {
		want := indexFile(t, &index.Indexer{Check: true, Verify: true}, file)
		data, err := want.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		got := &index.Rows{}
		if err := got.UnmarshalBinary(data); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if again, _ := got.MarshalBinary(); !bytes.Equal(again, data) || !reflect.DeepEqual(got.Files, want.Files) || !reflect.DeepEqual(got.Replays, want.Replays) {
			t.Fatalf("%s: other rows", file)
		}
		if err := got.UnmarshalBinary(data[:len(data)-1]); err == nil {
			t.Fatalf("%s: rows that are cut off", file)
		}
	}
}

// Whatever the bytes are, reading them ends, with as many rows at most as they
// can hold.
func FuzzRowsAsBytes(f *testing.F) {
	data, _ := index.Failed("a/b", index.StatusUnreadable, 7, nil, index.Changed()).MarshalBinary()
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
