package blocks

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pakbox/gbx"
)

// cellsText is how the catalogue writes cells: the size, and which cells of the box are
// taken, as a number in base 16 whose lowest bit is the first cell.
func cellsText(c *Cells) string {
	if !c.Known() {
		return "?"
	}
	text := fmt.Sprintf("%dx%dx%d", c.Size.X, c.Size.Y, c.Size.Z)
	mask, i, full := new(big.Int), 0, true
	for y := range c.Size.Y {
		for z := range c.Size.Z {
			for x := range c.Size.X {
				if c.Has(x, y, z) {
					mask.SetBit(mask, i, 1)
				} else {
					full = false
				}
				i++
			}
		}
	}
	if full {
		return text
	}
	return text + ":" + mask.Text(16)
}

// same reports whether two texts of cells are the same, whatever zeros the number begins
// with. A full box may say so or not.
func same(got, written string) bool {
	size, mask, part := strings.Cut(written, ":")
	if written == "" {
		size = "?"
	}
	if part {
		size += ":" + strings.TrimLeft(mask, "0")
	}
	if full, _, _ := strings.Cut(size, ":"); got == full && part {
		n, _ := new(big.Int).SetString(mask, 16)
		var x, y, z int
		fmt.Sscanf(full, "%dx%dx%d", &x, &y, &z)
		return new(big.Int).Add(n, big.NewInt(1)).Cmp(new(big.Int).Lsh(big.NewInt(1), uint(x*y*z))) == 0
	}
	return got == size
}

var endForm = regexp.MustCompile(`^([NESW])(\d+)@(-?[\d.]+)(?:/(-?[\d.]+))?(?:~([\d.]+))?$`)

// Every line of the catalogue is found with its values.
func TestEveryLine(t *testing.T) {
	unpacked, err := gzip.NewReader(bytes.NewReader(catalogue))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	part, lines, masks := "", 0, 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "[") {
			part = strings.Trim(line, "[]")
			continue
		}
		f := strings.Split(line, "\t")
		lines++
		if environment, ok := strings.CutSuffix(part, " items"); ok {
			it := FindItem(environment, f[0])
			if it == nil || it.Name != f[0] || it.Environment != environment || strings.TrimPrefix(it.Role.String(), NoRole.String()) != f[1] {
				t.Errorf("%s: %q is %+v", part, line, it)
			}
			continue
		}
		b := Find(part, f[0])
		if b == nil || b.Environment != part {
			t.Errorf("%s: %s is %+v", part, f[0], b)
			continue
		}
		air := f[2]
		if air == "" {
			air = f[1]
		}
		if !same(cellsText(&b.Ground), f[1]) || !same(cellsText(&b.Air), air) {
			t.Errorf("%s %s: cells %s and %s, want %s and %s", part, f[0], cellsText(&b.Ground), cellsText(&b.Air), f[1], air)
		}
		if strings.Contains(f[1]+f[2], ":") {
			masks++
		}
		mirror, turn := b.Mirror, strconv.Itoa(b.MirrorTurn)
		if mirror == b.Name && f[9] == "=" {
			mirror = "="
		}
		if b.ByVariant {
			turn = "v"
		}
		role := b.Role.String()
		if b.Role == NoRole {
			role = ""
		}
		number := func(n int, written string) string {
			if n == 0 && written == "" {
				return ""
			}
			return strconv.Itoa(n)
		}
		if turn == "0" && f[10] == "" {
			turn = ""
		}
		got := []string{number(b.Rise, f[3]), b.Family, number(b.Radius, f[5]), role, b.Surface, mirror, turn, b.Confidence.String()}
		if want := []string{f[3], f[4], f[5], f[7], f[8], f[9], f[10], f[11]}; !slices.Equal(got, want) {
			t.Errorf("%s %s: %q, want %q", part, f[0], got, want)
		}
		words := strings.Fields(f[6])
		if len(words) != len(b.Ends) {
			t.Errorf("%s %s: %d ends, want %q", part, f[0], len(b.Ends), words)
			continue
		}
		for i, e := range b.Ends {
			m := endForm.FindStringSubmatch(words[i])
			if m == nil {
				t.Errorf("%s %s: the end %s", part, f[0], words[i])
				continue
			}
			if m[4] == "" {
				m[4] = m[3]
			}
			float := func(s string) float64 { v, _ := strconv.ParseFloat(s, 64); return v }
			if e.Side.String() != m[1] || strconv.Itoa(e.Cell) != m[2] || e.From != float(m[3]) || e.To != float(m[4]) || e.Width != float(m[5]) {
				t.Errorf("%s %s: the end %s is %+v", part, f[0], words[i], e)
			}
		}
	}
	if lines < 6500 || masks < 100 {
		t.Errorf("%d lines, %d with cells that are not a box", lines, masks)
	}
}

// Maps of a vista have its own blocks and items and those of Stadium, and every list is
// in order.
func TestLists(t *testing.T) {
	for _, collection := range []string{"BlueBay", "Stadium2020", "Speed", "Nowhere"} {
		names, items := Names(collection), ItemNames(collection)
		if !slices.IsSorted(names) || !slices.IsSorted(items) || (len(names) > 0) != Knows(collection) {
			t.Errorf("%s: %d blocks, %d items", collection, len(names), len(items))
		}
		for _, name := range items {
			if FindItem(collection, name) == nil {
				t.Errorf("FindItem(%q, %q) = nil", collection, name)
			}
		}
	}
	bay, stadium := ItemNames("BlueBay"), ItemNames("Stadium2020")
	own := 0
	for _, name := range bay {
		if !slices.Contains(stadium, name) {
			own++
			if environment := ItemEnvironment(name); environment != "BlueBay" && FindItem(environment, name) == nil {
				t.Errorf("%s is an item of %q", name, environment)
			}
		}
	}
	if own == 0 || len(bay) < len(stadium) || FindItem("Stadium2020", "NoSuchItem") != nil || ItemEnvironment("NoSuchItem") != "" {
		t.Errorf("BlueBay has %d items, %d of its own; Stadium %d", len(bay), own, len(stadium))
	}
	// Of several environments with an item it is the first one.
	for _, name := range stadium {
		first := ""
		for environment, list := range items() {
			if list[name] != nil && (first == "" || environment < first) {
				first = environment
			}
		}
		if got := ItemEnvironment(name); got != first {
			t.Errorf("%s is an item of %s, want %s", name, got, first)
		}
	}
	if got := Environments(); !slices.IsSorted(got) || !slices.Contains(got, "Desert") || slices.ContainsFunc(got, func(s string) bool { return strings.HasSuffix(s, " items") }) {
		t.Errorf(`got = %q; want slices.IsSorted(got) = true, "Desert" in got, slices.ContainsFunc(got, func(s string) bool { return strings.HasSuffix(s, " items") }) = false`, got)
	}
	for range All("Stadium2020") {
		break // who has seen enough gets no more
	}
	var road *Block = Find("Stadium2020", "RoadTechCurve3")
	if road.Has("roa") || !road.Has(strings.Fields(road.Family)[0]) || road.Ground.Size == (gbx.Int3{}) {
		t.Errorf(`road = %+v; want road.Has("roa") = false, road.Has(strings.Fields(road.Family)[0]) = true, road.Ground.Size other than gbx.Int3{}`, road)
	}
}
