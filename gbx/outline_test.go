package gbx_test

import (
	"fmt"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
)

// parts is a visitor that notes the nodes and chunks it is shown.
type parts struct {
	list []string
	open []bool // of each group whether it was noted
}

func (p *parts) Value(string, any) {}

func (p *parts) Coded(_ string, v any, offset, length int64) {
	if _, ok := v.(*gbx.Opaque); ok {
		p.list = append(p.list, fmt.Sprint("opaque ", offset, length))
	}
}

func (p *parts) Begin(_ string, v any, offset int64) {
	noted := true
	switch v := v.(type) {
	case *gbx.Node:
		p.list = append(p.list, fmt.Sprint("node ", v.Class, offset))
	case *gbx.Chunk:
		p.list = append(p.list, fmt.Sprint("chunk ", v.ID, offset))
	case *gbx.HeaderChunk:
		p.list = append(p.list, fmt.Sprint("header ", v.ID, offset))
	default:
		noted = false
	}
	p.open = append(p.open, noted)
}

func (p *parts) End(offset int64) {
	last := len(p.open) - 1
	if p.open[last] {
		p.list = append(p.list, fmt.Sprint("end ", offset))
	}
	p.open = p.open[:last]
}

// An outline shows the nodes and chunks that a walk shows, at the same places,
// also those of packed lists.
func TestOutline(t *testing.T) {
	for name, data := range map[string][]byte{"seed": seedMap(), "packed lists": binaryFile(packedLists()...)} {
		t.Run(name, func(t *testing.T) {
			f := read(t, data, engine.Registry())
			var walked, outlined parts
			if err := f.Walk(&walked); err != nil {
				t.Fatal(err)
			}
			if err := f.Outline(&outlined); err != nil {
				t.Fatal(err)
			}
			if got, want := fmt.Sprint(outlined.list), fmt.Sprint(walked.list); got != want || len(outlined.list) < 10 {
				t.Errorf("%s: %s\nwant %s", name, got, want)
			}
		})
	}
}

// choosy wants no chunk but one.
type choosy struct {
	parts
	values int
}

func (c *choosy) Value(string, any) { c.values++ }

func (c *choosy) Wants(_ string, p any) bool {
	switch p := p.(type) {
	case *gbx.HeaderChunk:
		return false
	case *gbx.Chunk:
		return p.ID == 0x03043018
	}
	return true
}

// A visitor is not shown chunks that it does not want, and the following ones keep
// their offsets.
func TestChooser(t *testing.T) {
	f := read(t, seedMap(), engine.Registry())
	var all parts
	c := new(choosy)
	if err := f.Walk(&all); err != nil {
		t.Fatal(err)
	}
	if err := f.Walk(c); err != nil {
		t.Fatal(err)
	}
	const header, chunk = 2, 2 // the class and the number of nodes; the two values of the chunk
	if want := header + chunk; c.values != want {
		t.Errorf("%d values were shown, want %d", c.values, want)
	}
	if last, want := c.list[len(c.list)-1], all.list[len(all.list)-1]; last != want {
		t.Errorf("the file ends with %s, want %s", last, want)
	}
}
