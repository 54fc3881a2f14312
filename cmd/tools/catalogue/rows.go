package main

import (
	"bytes"
	"fmt"
	"maps"
	"math/big"
	"os"
	"slices"
	"strings"
)

// row is a block of the catalogue: the fields of blocks.parse.
type row struct {
	ground, air                                             string
	rise, family, radius, ends, role, surface, mirror, turn string
	confidence                                              string
}

// catalogue has the rows by environment and name.
type catalogue map[string]map[string]*row

func (c catalogue) add(environment, name string) *row {
	if c[environment] == nil {
		c[environment] = map[string]*row{}
	}
	if c[environment][name] == nil {
		c[environment][name] = &row{confidence: "-"}
	}
	return c[environment][name]
}

// lines reads a table, without its first line and comments.
func lines(file string, fields int, each func(f []string)) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	first := true
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if first || strings.HasPrefix(line, "#") {
			first = false
			continue
		}
		if len(f) < fields {
			return fmt.Errorf("%s: a line of %d fields: %q", file, len(f), line)
		}
		each(f)
	}
	return nil
}

// readTMUF reads the cells of the blocks of TrackMania United Forever.
func (c catalogue) readTMUF(file string) error {
	return lines(file, 5, func(f []string) {
		r := c.add(f[0], f[1])
		cells := packCells(f[3], f[4])
		if f[2] == "ground" {
			r.ground = cells
		} else {
			r.air = cells
		}
		r.confidence = "C" // for all but the cells, which follow from names
	})
}

// packCells makes a size with a bit mask of the taken cells: x counts fastest, then z,
// then y.
func packCells(size, cells string) string {
	var s [3]int
	fmt.Sscanf(size, "%dx%dx%d", &s[0], &s[1], &s[2])
	bits, n := new(big.Int), 0
	for word := range strings.FieldsSeq(cells) {
		var x, y, z int
		fmt.Sscanf(word, "%d,%d,%d", &x, &y, &z)
		bits.SetBit(bits, x+s[0]*(z+s[2]*y), 1)
		n++
	}
	if n == s[0]*s[1]*s[2] {
		return size
	}
	return fmt.Sprintf("%s:%x", size, bits)
}

// readBlocks reads the blocks of ManiaPlanet and Trackmania. The blocks of Stadium before
// 2020 are those of TrackMania United Forever.
func (c catalogue) readBlocks(file string) error {
	return lines(file, 16, func(f []string) {
		environment := f[1]
		if f[0] == "tm2020" && environment == "Stadium" {
			environment = "Stadium2020"
		}
		r := c.add(environment, f[2])
		if r.ground == "" && r.air == "" {
			r.ground, r.air = masked(f[3], f[5]), masked(f[4], f[5])
		}
		r.rise = strings.TrimSuffix(strings.TrimPrefix(given(f[6]), "0,"), ",0")
		r.family, r.radius, r.ends, r.role, r.surface = given(f[7]), given(f[8]), given(f[9]), given(f[10]), given(f[11])
		if r.role == "none" {
			r.role = ""
		}
		r.mirror, r.turn, r.confidence = f[12], strings.TrimSuffix(f[13], "?"), f[15]
		switch {
		case strings.HasSuffix(f[13], "?") && f[13] != "?":
			r.confidence = "D"
		case r.mirror == "?" || r.mirror == "-":
			r.mirror = ""
		}
		if r.turn == "by variant" {
			r.turn = "v"
		}
	})
}

// given returns a field, "" for the sign that means nothing.
func given(s string) string {
	if s == "-" || s == "?" {
		return ""
	}
	return s
}

// masked returns a size with its cells. An unknown height counts as one cell.
func masked(size, cells string) string {
	size = strings.Replace(given(size), "?", "1", 1)
	if size == "" || cells == "full" || cells == "?" {
		return size
	}
	var x, y, z int
	fmt.Sscanf(size, "%dx%dx%d", &x, &y, &z)
	bits, _ := new(big.Int).SetString(cells, 16)
	if bits.BitLen() > x*y*z || countBits(bits) == x*y*z {
		return size // the cells belong to the other variant
	}
	return size + ":" + cells
}

func countBits(b *big.Int) (n int) {
	for i := range b.BitLen() {
		n += int(b.Bit(i))
	}
	return n
}

// text writes the catalogue in the form that package blocks reads.
func (c catalogue) text() []byte {
	var b bytes.Buffer
	for i, environment := range slices.Sorted(maps.Keys(c)) {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "[%s]\n", environment)
		for j, name := range slices.Sorted(maps.Keys(c[environment])) {
			r := c[environment][name]
			if j > 0 {
				b.WriteByte('\n')
			}
			ground, air := r.ground, r.air
			switch {
			case ground == "":
				ground, air = air, ""
			case air == ground:
				air = ""
			}
			if r.mirror == "self" {
				r.mirror = "="
			}
			b.WriteString(strings.Join([]string{name, ground, air, r.rise, r.family, r.radius, r.ends, r.role, r.surface, r.mirror, r.turn, r.confidence}, "\t"))
		}
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// readItems reads the items of the games as parts of the catalogue: a line
// [Environment items], then a line for each item with its name and role.
func readItems(file string) ([]byte, error) {
	parts := map[string][]string{}
	err := lines(file, 8, func(f []string) {
		environment := f[1]
		if environment == "Theme" || f[0] == "tm2020" && environment == "Stadium" {
			environment = "Stadium2020"
		}
		role := f[3]
		if role == "none" {
			role = ""
		}
		parts[environment] = append(parts[environment], f[2]+"\t"+role)
	})
	var b bytes.Buffer
	for _, environment := range slices.Sorted(maps.Keys(parts)) {
		slices.Sort(parts[environment])
		fmt.Fprintf(&b, "[%s items]\n%s\n", environment, strings.Join(parts[environment], "\n"))
	}
	return b.Bytes(), err
}
