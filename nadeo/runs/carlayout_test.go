package runs

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"pakbox/gbx/engine/game"
)

var update = flag.Bool("update", false, "write testdata anew")

// Which bits of a sample of Trackmania (2020) each column reads, and its values at both
// ends. A column has a value as soon as the sample is long enough for these bits.
func TestLayoutOfCars(t *testing.T) {
	const file, size = "testdata/carlayout.txt", 110
	var got strings.Builder
	for _, c := range AllColumns()[len(Columns):] {
		if c.get != nil {
			continue
		}
		first, last := -1, -1
		for bit := range size * 8 {
			b := make(carBytes, size)
			b[bit/8] = 1 << (bit % 8)
			if n, ok := c.Stored(&Sample{bytes: b}); n != 0 && ok {
				if first < 0 {
					first = bit
				}
				last = bit
			}
		}
		if first < 0 {
			t.Errorf("%s reads nothing", c.Name)
			continue
		}
		need := last/8 + 1
		for n := range size {
			b := make(carBytes, n)
			if has := !math.IsNaN(c.Get(&Sample{bytes: b})); has != (n >= need) {
				t.Errorf("%s of %d bytes: %v, and it needs %d", c.Name, n, has, need)
			}
		}
		full := make(carBytes, size)
		low := c.Get(&Sample{bytes: full})
		for i := range full {
			full[i] = 0xFF
		}
		fmt.Fprintf(&got, "%s: byte %d bit %d to byte %d bit %d, %.6g to %.6g\n", c.Name, first/8, first%8, last/8, last%8, low, c.Get(&Sample{bytes: full}))
	}
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("%s\nwant\n%s", got.String(), want)
	}
}

// A run starts at a waypoint, and the first has the number 0.
func TestStartingPoint(t *testing.T) {
	for _, c := range []struct {
		result int32
		build  uint32
		want   State
	}{{0, 0, OK}, {3, 3, OK}, {0, 1, Suspect}, {1, 0, Suspect}, {-1, 0, Unknown}, {0, math.MaxUint32, Unknown}} {
		g := ghostWith(&game.Chunk0309202B{U02: c.result}, &game.Chunk0309202D{U02: c.build})
		if v := g.checkStart(nil); v.State != c.want {
			t.Errorf("%d and %d: %s: %s", c.result, c.build, v.State, v.Message)
		}
	}
	if v := ghostWith(&game.Chunk0309202B{U02: 1}).checkStart(nil); v.State != Unknown {
		t.Errorf("one place alone: %s", v.Message)
	}
}
