package blocks

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/hex"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pakbox/gbx"
)

// catalogue is a generated file, a compressed text. A line [Environment] begins a part;
// each following line is a block, with the fields of the function parse between tabs.
// Parts with items begin with a line [Environment items].
//
//go:embed catalogue.txt.gz
var catalogue []byte

// sections returns the parts of the catalogue, not yet parsed.
var sections = sync.OnceValue(func() map[string]*section {
	in, err := gzip.NewReader(bytes.NewReader(catalogue))
	if err != nil {
		panic(err) // cannot fail: the catalogue is embedded in the program
	}
	text, err := io.ReadAll(in)
	if err != nil {
		panic(err)
	}
	all := map[string]*section{}
	for part := range strings.SplitSeq(string(text), "\n[") {
		name, lines, _ := strings.Cut(strings.TrimPrefix(part, "["), "]\n")
		all[name] = &section{name: name, text: lines}
	}
	return all
})

// section is the part of the catalogue for one environment. It is parsed on first use,
// because most programs need only one.
type section struct {
	name, text string
	once       sync.Once
	blocks     map[string]*Block
}

// in returns the blocks of an environment by name.
func in(environment string) map[string]*Block {
	s := sections()[environment]
	if s == nil {
		return nil
	}
	s.once.Do(func() {
		s.blocks = make(map[string]*Block, strings.Count(s.text, "\n"))
		for line := range strings.Lines(s.text) {
			b := parse(strings.TrimSuffix(line, "\n"))
			b.Environment = s.name
			s.blocks[b.Name] = b
		}
	})
	return s.blocks
}

func catalogueNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range sections() {
			if !strings.HasSuffix(name, itemsPart) && !yield(name) {
				return
			}
		}
	}
}

// parse reads a line of the catalogue: name, cells on the ground and in the air, rise,
// family, radius, ends, role, surface, mirror image, its turn, confidence. An empty field
// means the default. The catalogue is embedded in the program, so parse checks nothing.
func parse(line string) *Block {
	f := strings.Split(line, "\t")
	b := &Block{Name: f[0], Ground: parseCells(f[1]), Family: f[4], Surface: f[8], Mirror: f[9], Confidence: Confidence(f[11][0])}
	if b.Air = b.Ground; f[2] != "" {
		b.Air = parseCells(f[2])
	}
	b.Rise, _ = strconv.Atoi(f[3])
	b.Radius, _ = strconv.Atoi(f[5])
	for _, word := range strings.Fields(f[6]) {
		b.Ends = append(b.Ends, parseEnd(word))
	}
	b.Role = roleOf(f[7])
	if b.ByVariant = f[10] == "v"; !b.ByVariant {
		b.MirrorTurn, _ = strconv.Atoi(f[10])
	}
	if b.Mirror == "=" {
		b.Mirror = b.Name
	}
	return b
}

// roleOf returns the role with this name, no role for "".
func roleOf(name string) Role { return Role(max(0, slices.Index(roleNames[:], name))) }

// parseCells reads a size, and after a colon a hexadecimal mask of the taken cells:
// 3x1x3:1bf.
func parseCells(word string) Cells {
	c := Cells{Full: true}
	size, mask, part := strings.Cut(word, ":")
	if size == "" || size == "?" {
		return c
	}
	for i, number := range strings.SplitN(size, "x", 3) {
		n, _ := strconv.Atoi(number)
		*[]*int32{&c.Size.X, &c.Size.Y, &c.Size.Z}[i] = int32(n)
	}
	if part {
		c.Full = false
		if len(mask)%2 == 1 {
			mask = "0" + mask
		}
		c.mask, _ = hex.DecodeString(mask)
		for i, j := 0, len(c.mask)-1; i < j; i, j = i+1, j-1 {
			c.mask[i], c.mask[j] = c.mask[j], c.mask[i]
		}
	}
	return c
}

// parseEnd reads an end such as N1@2/4.5~14.9: side, cell, heights, width.
func parseEnd(word string) End {
	e := End{Side: Side(strings.IndexByte("NESW", word[0]))}
	cell, rest, _ := strings.Cut(word[1:], "@")
	e.Cell, _ = strconv.Atoi(cell)
	rest, width, _ := strings.Cut(rest, "~")
	e.Width, _ = strconv.ParseFloat(width, 64)
	from, to, both := strings.Cut(rest, "/")
	e.From, _ = strconv.ParseFloat(from, 64)
	if e.To = e.From; both {
		e.To, _ = strconv.ParseFloat(to, 64)
	}
	return e
}

// TurnCell returns the new coordinate of a cell after its box was turned. The box keeps its
// lowest corner.
func TurnCell(c, size gbx.Int3, direction int) gbx.Int3 {
	switch direction {
	case 1:
		c.X, c.Z = size.Z-1-c.Z, c.X
	case 2:
		c.X, c.Z = size.X-1-c.X, size.Z-1-c.Z
	case 3:
		c.X, c.Z = c.Z, size.X-1-c.X
	}
	return c
}
