package engine_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
)

// smallFiles are small files of many classes and games, with and without
// header chunks, references to other files and a compressed body.
var smallFiles = []string{
	"24003000/405516b90ee6.Challenge.Gbx",    // TrackMania 1.0
	"24003000/b94cc050cc8d.Challenge.Gbx",    // blocks, old class numbers
	"03079000/ac5849ff8f23.Clip.Gbx",         // media blocks
	"03090000/80810155a194.Campaign.Gbx",     // lists of lists
	"090bb000/93f419a90962.Mesh.gbx",         // old lists, meshes
	"090fd000/0d4491543a22.Mat.Gbx",          // IDs
	"0911c000/1d0a004b6d04.Wagon.Gbx",        // files outside
	"0b005000/e8e7dc95b5ba.SystemConfig.Gbx", // texts
	"24004000/6899c90afc9a.TMCollection.Gbx", // files outside, many fields
	"2e002000/cf2b4cf8dcb0.Item.Gbx",         // header chunks, nested nodes
}

// readSmall calls test with each of the small files, and with the same file
// with its body uncompressed, so that damage reaches the chunks.
func readSmall(t *testing.T, test func(name string, data []byte)) {
	t.Helper()
	dir := corpus.Dir(t, "gbx")
	for _, name := range smallFiles {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		test(name, data)
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !f.IsCompressed() {
			continue
		}
		plain := bytes.Clone(data[:len(data)-len(f.PackedBody())-8-len(f.Trailer)])
		plain[7] = 'U'
		test(name+", uncompressed", append(plain, f.BodyBytes()...))
	}
}

// memory measures now and then what a read allocates.
type memory struct{ reads int }

// oneIn is how often it is measured, because measuring stops the world.
const oneIn = 50

// check reads a file and returns a mistake in how it was read: reading must end
// in a file that is coded to the same bytes or in a fault, and within the
// memory that decoding may take.
func (m *memory) check(data []byte) error {
	var before, after runtime.MemStats
	m.reads++
	measure := m.reads%oneIn == 0
	if measure {
		runtime.ReadMemStats(&before)
	}
	f, err := gbx.Parse(data, engine.Registry())
	if measure {
		runtime.ReadMemStats(&after)
		if n, most := after.TotalAlloc-before.TotalAlloc, uint64(16*len(data)+64<<20); n > most {
			return fmt.Errorf("takes %d bytes of memory", n)
		}
	}
	if err != nil {
		if fault.KindOf(err) == "" {
			return fmt.Errorf("fails with what is not a fault: %w", err)
		}
		return nil
	}
	body, err := f.EncodeBody()
	if err != nil {
		return fmt.Errorf("cannot be coded: %w", err)
	}
	if !bytes.Equal(body, f.BodyBytes()) {
		return fmt.Errorf("its body is coded differently")
	}
	if saved, err := f.Encode(); err != nil || !bytes.Equal(saved, data) {
		return fmt.Errorf("is saved differently (%v)", err)
	}
	return nil
}

func TestTruncatedAtEveryByte(t *testing.T) {
	var m memory
	readSmall(t, func(name string, data []byte) {
		bad := 0
		for n := range data {
			if err := m.check(data[:n:n]); err != nil && bad < 5 {
				bad++
				t.Errorf("%s, first %d bytes: %v", name, n, err)
			}
		}
	})
}

func TestEveryBitOfTheFirstKilobyte(t *testing.T) {
	var m memory
	readSmall(t, func(name string, data []byte) {
		bad := 0
		flipped := bytes.Clone(data)
		for i := range min(1024, len(data)) {
			for bit := range 8 {
				flipped[i] ^= 1 << bit
				if err := m.check(flipped); err != nil && bad < 5 {
					bad++
					t.Errorf("%s, bit %d of byte %d: %v", name, bit, i, err)
				}
				flipped[i] ^= 1 << bit
			}
		}
	})
}
