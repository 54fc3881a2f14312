package lz4

import (
	"encoding/binary"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/anchore/go-lzo"

	"pakbox/internal/testkit/corpus"
)

// sampleSize is how much of each sample is tested with: several times the
// reach of a match.
const sampleSize = 512 << 10

// samples are the kinds of real data that sizes and speeds are measured on:
// game files, this project's source and a program.
var samples = []struct {
	name string
	load func(tb testing.TB, size int) []byte
}{
	{"gbx", gbxBodies},
	{"simutrans", func(tb testing.TB, size int) []byte {
		return concat(tb, corpus.Dir(tb, "simutrans"), size, 0, wholeFile)
	}},
	{"text", func(tb testing.TB, size int) []byte {
		return concat(tb, filepath.Join("..", ".."), size, 0, func(path string, data []byte) []byte {
			if !strings.HasSuffix(path, ".go") {
				return nil
			}
			return data
		})
	}},
	{"program", func(tb testing.TB, size int) []byte {
		path, err := os.Executable()
		if err != nil {
			tb.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		return data[:min(size, len(data))]
	}},
}

// gbxBodies returns the bodies of GBX files, unpacked, no more than 32 KiB of
// each so that many kinds take part.
func gbxBodies(tb testing.TB, size int) []byte {
	return concat(tb, corpus.Dir(tb, "gbx"), size, 32<<10, func(_ string, data []byte) []byte {
		return gbxBody(data)
	})
}

// gbxBody unpacks the body of a GBX file that has no reference table, or
// returns nil. It reads just enough of the format for that.
func gbxBody(data []byte) []byte {
	le := binary.LittleEndian
	if len(data) < 17 || string(data[:3]) != "GBX" || string(data[5:9]) != "BUCR" {
		return nil
	}
	at := uint64(17) + uint64(le.Uint32(data[13:])) // behind the user data
	if at+16 > uint64(len(data)) || le.Uint32(data[at+4:]) != 0 {
		return nil
	}
	body := make([]byte, min(le.Uint32(data[at+8:]), 64<<20))
	n, err := lzo.Decompress(data[at+16:], body)
	if err != nil || n != len(body) {
		return nil
	}
	return body
}

func wholeFile(_ string, data []byte) []byte { return data }

// concat joins what take returns for the files under dir, up to size bytes and
// at most each of one file (0: all).
func concat(tb testing.TB, dir string, size, each int, take func(string, []byte) []byte) []byte {
	tb.Helper()
	var out []byte
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		data = take(path, data)
		if each > 0 {
			data = data[:min(each, len(data))]
		}
		out = append(out, data...)
		if len(out) >= size {
			return fs.SkipAll
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	if len(out) < size/2 {
		tb.Fatalf("only %d bytes of sample in %s", len(out), filepath.Base(dir))
	}
	return out[:min(size, len(out))]
}
