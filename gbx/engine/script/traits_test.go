package script

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
)

// record is the chunk as a record of its own.
type record struct{ Chunk11002000 }

// Bytes as the specification describes them.
var (
	// Version 2: counts, kinds and truth values are 32-bit words.
	old = cat(word(2), word(2),
		text("Flag"), word(1), word(1),
		text("Names"), word(7), word(0), word(5), word(2), text("a"), text("bc"))
	// Version 5: types first, and a struct whose member has a default.
	typed = cat(word(5), []byte{2},
		[]byte{15, 1}, text("K_Pos"), text("Where"), []byte{10}, word(0), word(0), word(0),
		[]byte{7, 5, 2}, // Integer[Text]
		[]byte{2},
		[]byte{1, 'P', 0}, word(1), word(2), word(3),
		[]byte{1, 'S', 1}, []byte{1, 1, 'k'}, word(42))
	// Version 6: the member has none.
	bare = cat(word(6), []byte{1}, []byte{15, 1}, text("K_Pos"), text("Where"), []byte{10},
		[]byte{1, 1, 'P', 0}, word(1), word(2), word(3))
)

func cat(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func word(n uint32) []byte { return []byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)} }

func text(s string) []byte { return append(word(uint32(len(s))), s...) }

func TestTraits(t *testing.T) {
	for name, data := range map[string][]byte{"old": old, "typed": typed, "bare": bare} {
		var r record
		if err := gbx.DecodeRecord(data, &r); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if again, err := gbx.EncodeRecord(&r); err != nil || !bytes.Equal(again, data) {
			t.Errorf("%s: coded as % x, want % x (%v)", name, again, data, err)
		}
	}
}

func TestTraitValues(t *testing.T) {
	var r record
	if err := gbx.DecodeRecord(old, &r); err != nil {
		t.Fatal(err)
	}
	v := r.Traits.Traits
	if len(v) != 2 || v[0].Name != "Flag" || v[0].Value.Bool != 1 || v[1].Value.Pairs[1].Value.Text != "bc" {
		t.Errorf(`v = %+v; want v of length 2, v[0].Name = "Flag", v[0].Value.Bool = 1, v[1].Value.Pairs[1].Value.Text = "bc"`, v)
	}
	r = record{}
	if err := gbx.DecodeRecord(typed, &r); err != nil {
		t.Fatal(err)
	}
	v = r.Traits.Traits
	if v[0].Type.Name != "K_Pos" || v[0].Type.Members[0].Name != "Where" {
		t.Errorf("type %+v", v[0].Type)
	}
	if p := v[1].Value.Pairs; len(p) != 1 || p[0].Key.Text != "k" || p[0].Value.Int != 42 {
		t.Errorf(`v[1] = %+v; want p of length 1, p[0].Key.Text = "k", p[0].Value.Int = 42`, v[1])
	}
}

func TestTraitMistakes(t *testing.T) {
	deep := cat(word(5), []byte{1}, []byte(strings.Repeat("\x07\x00", 1000)))
	for _, test := range []struct {
		data []byte
		want fault.Kind
	}{
		{cat(word(7)), fault.UnsupportedVersion},
		{cat(word(5), []byte{1, 2}, []byte{1, 1, 'x', 9}), fault.Corrupt},
		{cat(word(3), []byte{1, 1, 'x', 4}), fault.Unsupported},
		{deep, fault.Limit},
		{typed[:len(typed)-1], fault.Truncated},
	} {
		var r record
		if err := gbx.DecodeRecord(test.data, &r); !errors.Is(err, test.want) {
			t.Errorf("% x: got %v, want %v", test.data[:min(len(test.data), 16)], err, test.want)
		}
	}
}

// FuzzTraits decodes anything; what decodes is coded to bytes that decode to
// the same.
func FuzzTraits(f *testing.F) {
	f.Add(old)
	f.Add(typed)
	f.Add(bare)
	f.Fuzz(func(t *testing.T, data []byte) {
		var r record
		if err := gbx.DecodeRecord(data, &r); err != nil {
			var e *fault.Error
			if !errors.As(err, &e) {
				t.Fatalf("error without a kind: %v", err)
			}
			return
		}
		once, err := gbx.EncodeRecord(&r)
		if err != nil {
			t.Fatal(err)
		}
		var again record
		if err := gbx.DecodeRecord(once, &again); err != nil {
			t.Fatalf("coded to something else: %v", err)
		}
		if twice, err := gbx.EncodeRecord(&again); err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("coded differently the second time (%v)", err)
		}
	})
}
