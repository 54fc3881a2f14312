package lzo1x

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// FuzzDecompress checks that any input gives bytes within the room or a typed
// error, that measuring and decoding agree, and that what an independent
// decoder accepts gives the same bytes.
func FuzzDecompress(f *testing.F) {
	for _, v := range vectors {
		if len(v.stream) < 3000 {
			f.Add([]byte(v.stream), uint16(len(v.want)))
		}
	}
	r := rand.New(rand.NewPCG(9, 10))
	for _, l := range levels {
		src := copies(r, 3000)
		f.Add(appendCompress(nil, src, l.level), uint16(len(src)))
	}
	f.Fuzz(func(t *testing.T, packed []byte, room uint16) {
		comparePeer(t, packed, int(room))

		// Nothing beyond dst is touched, though the slice could grow.
		const guard = 64
		buf := bytes.Repeat([]byte{0xa5}, int(room)+guard)
		n, err := Decompress(buf[:room], packed)
		if !bytes.Equal(buf[room:], bytes.Repeat([]byte{0xa5}, guard)) {
			t.Fatal("written beyond dst")
		}
		out, appendErr := AppendDecompress(nil, packed, int(room))
		if err == nil && (appendErr != nil || !bytes.Equal(out, buf[:n])) {
			t.Fatalf("AppendDecompress differs: %v", appendErr)
		}
		if err != nil {
			var fault, appendFault *Error
			if !errors.As(err, &fault) || !errors.As(appendErr, &appendFault) || *fault != *appendFault {
				t.Fatalf("error of Decompress = %v, error of AppendDecompress = %v, want equal errors", err, appendErr)
			}
			if fault.Offset < 0 || fault.Offset > len(packed) {
				t.Fatalf("offset outside the input: %v", err)
			}
		}
	})
}

func FuzzRoundTripFast(f *testing.F) { fuzzRoundTrip(f, Fast) }

func FuzzRoundTripBest(f *testing.F) { fuzzRoundTrip(f, Best) }

// fuzzRoundTrip codes an input, and the same input repeated at a distance, by
// which short inputs reach all kinds of match.
func fuzzRoundTrip(f *testing.F, level Level) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, shape := range shapes {
		f.Add(shape.make(r, 200), uint16(r.IntN(1<<16)))
	}
	f.Add(copies(r, 4000), uint16(0))
	f.Add([]byte{}, uint16(0))
	between := noise(r, 1<<16, 256)
	f.Fuzz(func(t *testing.T, src []byte, distance uint16) {
		checkRoundTrip(t, src, level)
		d := int(distance)
		if d%16 != 0 {
			d %= 1 << 12 // most are near, because Best takes long over many bytes
		}
		if d > len(src) && len(src) > 0 {
			checkRoundTrip(t, slices.Concat(src, between[:d-len(src)], src), level)
		}
	})
}
