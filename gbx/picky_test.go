package gbx_test

import (
	"slices"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
)

// picky is a visitor that does not want some groups.
type picky struct {
	journal
	not func(name string, p any) bool
}

func (j *picky) Wants(name string, p any) bool { return !j.not(name, p) }

func (j *picky) Inside(_, _ []byte, _ error) bool { return false }

// without is a journal without the lines about values inside
// groups of some names.
func without(lines []string, names ...string) (left []string) {
	for i := 0; i < len(lines); i++ {
		left = append(left, lines[i])
		depth := len(lines[i]) - len(strings.TrimLeft(lines[i], " "))
		if name, _, _ := strings.Cut(lines[i][depth:], " "); !slices.Contains(names, name) {
			continue
		}
		for strings.HasPrefix(lines[i+1][depth:], " ") {
			i++
		}
	}
	return left
}

// A visitor is not shown chunks that it does not want, and all others keep their
// offsets.
func TestPicky(t *testing.T) {
	data, reg := shownFile()
	f := read(t, data, reg)
	all := strings.Split(strings.TrimSpace(shown), "\n")
	for _, test := range []struct {
		name string
		not  func(name string, p any) bool
		want []string
	}{
		{"no chunks", func(name string, p any) bool { _, ok := p.(*gbx.Chunk); return ok }, without(all, "chunk")},
		{"no header chunks", func(name string, p any) bool { _, ok := p.(*gbx.HeaderChunk); return ok }, without(all, "header")},
		{"no nodes", func(name string, p any) bool { return name == "node" }, without(all, "node")},
	} {
		t.Run(test.name, func(t *testing.T) {
			j := picky{not: test.not}
			if err := f.Walk(&j); err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
			want := slices.DeleteFunc(test.want, func(line string) bool { return strings.Contains(line, "inside:") })
			if checkLines(t, j.lines, want); t.Failed() {
				t.Fatalf("test.name = %v; want t.Failed() = false", test.name)
			}
		})
	}
	j := picky{not: func(name string, p any) bool { return name == "content" }}
	if err := f.Walk(&j); err != nil || slices.ContainsFunc(j.lines, func(line string) bool { return strings.Contains(line, "content") }) || !strings.HasSuffix(j.lines[len(j.lines)-1], "end 216") {
		t.Errorf("j.lines = %q (err = %v)", j.lines, err)
	}
}

// A list that is kept packed begins and ends at once for a visitor that does not want it.
func TestPickyList(t *testing.T) {
	f := read(t, binaryFile(packedLists()...), engine.Registry())
	var all journal
	if err := f.Walk(&all); err != nil {
		t.Fatal(err)
	}
	j := picky{not: func(name string, p any) bool {
		_, packed := p.(gbx.PackedList)
		return packed && name == "bakedBlocks"
	}}
	if err := f.Walk(&j); err != nil {
		t.Fatal(err)
	}
	want := without(all.lines, "bakedBlocks")
	begin := slices.Index(want, "  bakedBlocks 334")
	if begin < 0 || want[begin+1] != "  end 362" {
		t.Fatalf(`want = %q; expected a line "  bakedBlocks 334", and behind it "  end 362"`, want)
	}
	want[begin+1] = "  end 334"
	checkLines(t, j.lines, want)
}

// sated has had enough of a file once it has seen a chunk.
type sated struct {
	journal
	enough string
}

func (j *sated) Done() bool {
	return slices.ContainsFunc(j.lines, func(line string) bool { return strings.HasPrefix(line, j.enough) })
}

// Chunks after the one with which a visitor has all that it wants are not
// shown, also where the visitor wants an outline only.
func TestDone(t *testing.T) {
	data, reg := shownFile()
	f := read(t, data, reg)
	for enough, chunks := range map[string]int{"classID": 0, " chunk 0": 1, " chunk 64": 6, "     chunk 80": 6} {
		t.Run(enough, func(t *testing.T) { // a node inside comes to its end
			j := sated{enough: enough}
			if err := f.Walk(&j); err != nil {
				t.Fatal(err)
			}
			shown := 0
			for _, line := range j.lines {
				if strings.HasPrefix(line, " chunk ") {
					shown++
				}
			}
			if shown != chunks || j.depth != 0 {
				t.Errorf("enough with %q: %d chunks, want %d, depth %d", enough, shown, chunks, j.depth)
			}
		})
	}
}
