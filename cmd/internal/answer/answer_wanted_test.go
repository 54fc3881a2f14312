package answer

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/itchyny/gojq"

	"pakbox/archive"
	"pakbox/nadeo/gbxarchive"
	"pakbox/nadeo/nadeotest/mapsample"
)

// An expression gives the same on the part of a document that it looks at as
// on all of it.
func TestWantedBy(t *testing.T) {
	data, err := mapsample.Map()
	if err != nil {
		t.Fatal(err)
	}
	a, err := gbxarchive.Format{}.Open(context.Background(), archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data))}, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	document := func(want *archive.Want) (any, int) {
		var b bytes.Buffer
		if err := writeDump(&b, "a", a.(archive.Dumper), want); err != nil {
			t.Fatal(err)
		}
		size := b.Len()
		dec := json.NewDecoder(&b)
		dec.UseNumber()
		var v any
		if err := dec.Decode(&v); err != nil {
			t.Fatal(err)
		}
		return v, size
	}
	full, all := document(archive.Everything)
	for expression, little := range map[string]bool{
		".path": true, "{path, f: .format}": true, ".header.version": true, ".body.name": true,
		"[.body.chunks[].chunk]": true,
		".body.chunks[-1].chunk": false, // what stands in brackets may be anything
		".body.chunks[1].chunk":  true,
		".header.chunks[] | select(.chunk == \"03043003\") | .values.mapName": true,
		".body.chunks | map(.skip // false)":                                  true,
		"if .format == \"gbx\" then .body.class else .header end":             true,
		".header[\"classID\"], .nothing":                                      true,
		"\"\\(.path) \\(.header.letters)\"":                                   true,
		"[.header[] | type]":                                                  false, ". as {body: $b} | $b.name": false, "..": false, ".": false, "del(.body)": false,
		"def f: .body; f": false, ".body.chunks |= length": false, "[paths] | length": false, ".body | keys": false, ".[\"bo\" + \"dy\"].class": false,
	} {
		t.Run(expression, func(t *testing.T) {
			q, err := gojq.Parse(expression)
			if err != nil {
				t.Fatal(err)
			}
			part, size := document(wantedBy(q))
			if got, want := results(q, part), results(q, full); !reflect.DeepEqual(got, want) {
				t.Errorf("%s gives %.200v, want %.200v", expression, got, want)
			}
			if little && size > all/4 {
				t.Errorf("%s: %d of %d bytes were made", expression, size, all)
			}
		})
	}
}

func results(q *gojq.Query, document any) (list []any) {
	for it := q.Run(document); ; {
		v, ok := it.Next()
		if !ok {
			return list
		}
		list = append(list, v)
	}
}
