package lzo1x

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// count returns the bytes 0, 1, 2, … of which a test's literals are made.
func count(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i)
	}
	return string(b)
}

// lastOf returns what a match of the given length and distance adds to s.
func lastOf(s string, distance, length int) string {
	b := []byte(s)
	for range length {
		b = append(b, b[len(b)-distance])
	}
	return string(b[len(s):])
}

const end = "\x11\x00\x00"

// vectors are streams put together by hand from the table in the package
// documentation, one or more for each instruction.
var vectors = []struct {
	name, stream, want string
}{
	{"empty", end, ""},
	{"first byte, 1 literal", "\x12a" + end, "a"},
	{"first byte, 3 literals", "\x14abc" + end, "abc"},
	{"first byte, 4 literals", "\x15abcd" + end, "abcd"},
	{"first byte, 238 literals", "\xff" + count(238) + end, count(238)},
	{"run of 4", "\x01abcd" + end, "abcd"},
	{"run of 18", "\x0f" + count(18) + end, count(18)},
	{"run of 19", "\x00\x01" + count(19) + end, count(19)},
	{"run of 273", "\x00\xff" + count(273) + end, count(273)},
	{"run of 274", "\x00\x00\x01" + count(274) + end, count(274)},

	{"M2, 3 bytes, distance 1", "\x12a\x40\x00" + end, "aaaa"},
	{"M2, 4 bytes, distance 2", "\x13ab\x64\x00" + end, "ababab"},
	{"M2, 5 bytes, distance 3", "\x14abc\x88\x00" + end, "abcabcab"},
	{"M2, 8 bytes, distance 8", "\x19abcdefgh\xfc\x00" + end, "abcdefghabcdefgh"},
	{"M2, distance 9", "\x1aabcdefghi\x40\x01" + end, "abcdefghiabc"},
	{"M2, distance 2048", "\x00" + strings.Repeat("\x00", 7) + "\xf5" + count(2048) + "\x5c\xff" + end, count(2048) + "\x00\x01\x02"},
	{"M2 with 1 literal", "\x12a\x41\x00b" + end, "aaaab"},
	{"M2 with 3 literals", "\x12a\x43\x00bcd" + end, "aaaabcd"},

	{"M3, 3 bytes, distance 1", "\x12a\x21\x00\x00" + end, "aaaa"},
	{"M3, 33 bytes", "\x12a\x3f\x00\x00" + end, strings.Repeat("a", 34)},
	{"M3, 34 bytes", "\x12a\x20\x01\x00\x00" + end, strings.Repeat("a", 35)},
	{"M3, 288 bytes", "\x12a\x20\xff\x00\x00" + end, strings.Repeat("a", 289)},
	{"M3, 289 bytes", "\x12a\x20\x00\x01\x00\x00" + end, strings.Repeat("a", 290)},
	{"M3, distance 300", "\x00\x00\x1b" + count(300) + "\x21\xac\x04" + end, count(300) + "\x00\x01\x02"},
	{"M3, distance 16384", run16384 + "\x21\xfc\xff" + end, count(16384) + "\x00\x01\x02"},
	{"M3 with 2 literals", "\x12a\x21\x02\x00bc" + end, "aaaabc"},

	{"M4, distance 16385", run16385 + "\x11\x04\x00" + end, count(16385) + "\x00\x01\x02"},
	{"M4, 9 bytes", run16385 + "\x17\x04\x00" + end, count(16385) + "\x00\x01\x02\x03\x04\x05\x06\x07\x08"},
	{"M4, 10 bytes", run16385 + "\x10\x01\x04\x00" + end, count(16385) + "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09"},
	{"M4, distance 32768", run16384 + run16384again + "\x19\x00\x00" + end, count(16384) + count(16384) + "\x00\x01\x02"},
	{"M4, distance 49151", run16384 + longM3(32768) + "\x19\xfd\xffx" + end,
		count(16384) + lastOf(count(16384), 1, 32768) + "\x01\x02\x03x"},

	{"near M1 after 1 literal", "\x12a\x00\x00" + end, "aaa"},
	{"near M1 after 3 literals", "\x14abc\x08\x00" + end, "abcab"},
	{"near M1 with literals", "\x13ab\x06\x00cd\x00\x00" + end, "ababcddd"},
	{"near M1, distance 1024", "\x00\x00\x00\x00\xee" + count(1021) + "\x41\x00\x07" + "\x0c\xff" + end,
		count(1021) + "\xfc\xfc\xfc\x07" + "\x01\x02"},
	{"far M1, distance 2049", "\x00" + strings.Repeat("\x00", 7) + "\xf6" + count(2049) + "\x00\x00" + end, count(2049) + "\x00\x01\x02"},
	{"far M1, distance 3072", "\x00" + strings.Repeat("\x00", 11) + "\xf9" + count(3072) + "\x0c\xff" + end, count(3072) + "\x00\x01\x02"},
	{"far M1 with 1 literal, then near M1", "\x00" + strings.Repeat("\x00", 7) + "\xf6" + count(2049) + "\x01\x00z\x00\x00" + end,
		count(2049) + "\x00\x01\x02zzz"},
	{"run after match", "\x12a\x40\x00\x01bcde" + end, "aaaabcde"},

	{"end marker with other length", "\x12a\x17\x00\x00", "a"},
	{"end marker with length byte", "\x12a\x10\x09\x00\x00", "a"},
	{"end marker with literals", "\x12a\x11\x03\x00", "a"},
}

// Long outputs to reach the far distances.
var (
	run16384      = "\x00" + strings.Repeat("\x00", 64) + "\x2e" + count(16384)
	run16385      = "\x00" + strings.Repeat("\x00", 64) + "\x2f" + count(16385)
	run16384again = "\x20" + strings.Repeat("\x00", 64) + "\x1f\xfc\xff" // M3, 16384 bytes
)

// longM3 returns an M3 of the given length at distance 1.
func longM3(length int) string {
	n := length - 33
	return "\x20" + strings.Repeat("\x00", (n-1)/255) + string([]byte{byte((n-1)%255 + 1)}) + "\x00\x00"
}

func TestVectors(t *testing.T) {
	for _, v := range vectors {
		t.Run(v.name, func(t *testing.T) {
			dst := make([]byte, len(v.want))
			n, err := Decompress(dst, []byte(v.stream))
			if err != nil || n != len(v.want) || string(dst) != v.want {
				t.Fatalf("Decompress: %d bytes of %d, %v", n, len(v.want), err)
			}
			// With room to spare the fast path does more of the work.
			dst = make([]byte, len(v.want)+100)
			n, read, err := decompressPrefix(dst, []byte(v.stream+strings.Repeat("\xee", 100)))
			if err != nil || read != len(v.stream) || string(dst[:n]) != v.want {
				t.Fatalf("decompressPrefix: %d bytes of %d from %d of %d, %v", n, len(v.want), read, len(v.stream), err)
			}
			out, err := AppendDecompress([]byte("before"), []byte(v.stream), len(v.want))
			if err != nil || string(out) != "before"+v.want {
				t.Fatalf("AppendDecompress: %d bytes of %d, %v", len(out)-6, len(v.want), err)
			}
		})
	}
}

// TestWriter writes matches about all limits of length and distance, after few
// literals and after many, and reads them again.
func TestWriter(t *testing.T) {
	var distances, lengths []int
	for _, limit := range []int{1, 8, m1NearMax, m2Max, m1FarMax, m3Max, 2 * m3Max, m4Max} {
		distances = append(distances, max(limit-1, 1), limit, min(limit+1, m4Max))
	}
	for _, limit := range []int{3, 8, m4Field + 2, m3Field + 2, m4Field + 2 + 255, m3Field + 2 + 255, 1000} {
		lengths = append(lengths, max(limit-1, 3), limit, limit+1)
	}
	for _, literals := range []int{1, 3, 4, 18, 19, 238, 239, 273, 274, 10000} {
		for _, distance := range distances {
			for _, length := range lengths {
				w := writer{out: make([]byte, MaxCompressedLen(30000))}
				w.literals(make([]byte, literals))
				w.match(distance, length)
				w.literals(make([]byte, literals))
				w.end()
				want := []instruction{{0, 0, literals}, {distance, length, literals}, {}}
				if literals > 3 {
					want = []instruction{{0, 0, literals}, {distance, length, 0}, {0, 0, literals}, {}}
				}
				r := reader{src: w.out[:w.n]}
				for i, in := range want {
					got, ok := r.next()
					if got != in || !ok {
						t.Fatalf("%d literals, match %d, %d: instruction %d is %v, want %v", literals, distance, length, i, got, in)
					}
					r.pos += got.literals
				}
			}
		}
	}
}

// TestCuts checks that all three functions see where a stream is cut off, and
// where the output is too small.
func TestCuts(t *testing.T) {
	for _, v := range vectors {
		step := 1 + len(v.stream)/300
		for cut := 0; cut < len(v.stream); cut += step {
			checkFault(t, v.name, v.stream[:cut], len(v.want), ErrTruncated)
		}
		step = 1 + len(v.want)/300
		for room := 0; room < len(v.want); room += step {
			checkFault(t, v.name, v.stream, room, ErrOutputFull)
		}
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name, stream string
		room         int
		want         error
		offset       int
	}{
		{"no input", "", 9, ErrTruncated, 0},
		{"first literals missing", "\x14ab", 9, ErrTruncated, 0},
		{"no end marker", "\x14abc", 9, ErrTruncated, 4},
		{"end marker cut off", "\x14abc\x11\x00", 9, ErrTruncated, 4},
		{"endless length", "\x12a\x20" + strings.Repeat("\x00", 500), 9, ErrTruncated, 2},
		{"trailing byte", "\x14abc\x11\x00\x00x", 9, ErrTrailing, 7},
		{"two streams", end + end, 9, ErrTrailing, 3},
		{"M2 before the start", "\x14abc\x4c\x00" + end, 9, ErrLookBehind, 4},
		{"M3 before the start", "\x14abc\x21\x0c\x00" + end, 9, ErrLookBehind, 4},
		{"M4 before the start", "\x14abc\x11\x04\x00" + end, 9, ErrLookBehind, 4},
		{"near M1 before the start", "\x14abc\x0c\x00" + end, 9, ErrLookBehind, 4},
		{"far M1 before the start", "\x15abcd\x00\x00" + end, 9, ErrLookBehind, 5},
		{"match at the start", "\x10\x01\x04\x00" + end, 9, ErrLookBehind, 0},
		{"version byte of LZO-RLE", "\x11\x01\x14abc" + end, 9, ErrLookBehind, 0},
		{"no room for literals", "\x14abc" + end, 2, ErrOutputFull, 0},
		{"no room for a match", "\x14abc\x40\x00" + end, 5, ErrOutputFull, 4},
		{"no room for the literals of a match", "\x14abc\x42\x00de" + end, 7, ErrOutputFull, 4},
		{"far too long", "\x12a\x20" + strings.Repeat("\x00", 5000) + "\x01\x00\x00" + end, 1 << 20, ErrOutputFull, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := checkFault(t, c.name, c.stream, c.room, c.want)
			if err != nil && err.Offset != c.offset {
				t.Errorf("offset %d, want %d", err.Offset, c.offset)
			}
			if c.want == ErrLookBehind { // also far from the ends, where other code sees it
				checkFault(t, c.name, c.stream+count(100), c.room+100, c.want)
			}
		})
	}
}

func checkFault(t *testing.T, name, stream string, room int, want error) *Error {
	t.Helper()
	dst := make([]byte, room)
	n, err := Decompress(dst, []byte(stream))
	var fault *Error
	if !errors.As(err, &fault) || !errors.Is(err, want) || n < 0 || n > room {
		t.Errorf("%s: Decompress of %d bytes into %d: %d, %v; want %v", name, len(stream), room, n, err, want)
		return nil
	}
	if !strings.HasPrefix(err.Error(), "lzo1x: ") {
		t.Errorf("%s: error does not name the package: %v", name, err)
	}
	before := []byte("before")
	out, err := AppendDecompress(before, []byte(stream), room)
	if appended := (*Error)(nil); !errors.As(err, &appended) || *appended != *fault {
		t.Errorf("%s: error of Decompress = %v, error of AppendDecompress = %v, want equal errors", name, fault, err)
	}
	if !bytes.Equal(out, before) {
		t.Errorf("%s: AppendDecompress has changed its argument", name)
	}
	return fault
}
