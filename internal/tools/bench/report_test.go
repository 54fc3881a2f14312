package main

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"testing"
	"time"
)

func TestMedianTakesEachFigureAlone(t *testing.T) {
	got := median([]sample{{3, 10, 200}, {1, 30, 100}, {2, 20, 300}})
	if got != (sample{2, 20, 200}) {
		t.Error(got)
	}
}

func TestAhead(t *testing.T) {
	for _, c := range []struct {
		comparison comparison
		ahead, why string
	}{
		{comparison{Ours: sample{Wall: 100}, Theirs: sample{Wall: 300}}, "pakbox", ""},
		{comparison{Ours: sample{Wall: 100}, Theirs: sample{Wall: 103}}, "even", ""},
		{comparison{Row: "no such row", Ours: sample{Wall: 100}, Theirs: sample{Wall: 50}}, "peer", "behind, unexplained"},
		{comparison{Row: "zip/list", Ours: sample{Wall: 100}, Theirs: sample{Wall: 50}}, "peer", reasons["zip/list"]},
		{comparison{Row: "gbx/info", Peer: "gbx-ts rc12, header", Ours: sample{Wall: 100}, Theirs: sample{Wall: 50}}, "peer", reasons["gbx/info / gbx-ts rc12, header"]},
		{comparison{Floor: true, Ours: sample{Wall: 100}, Theirs: sample{Wall: 50}}, "floor", ""},
		{comparison{Missing: "peer missing"}, "peer missing", ""},
		{comparison{Ours: sample{Wall: 1}, Theirs: sample{Wall: 2}, Done: "3", Units: 4}, "pakbox", "the reference gets through 3 of 4 files"},
	} {
		if ahead, why := c.comparison.ahead(), c.comparison.remark(); ahead != c.ahead || why != c.why {
			t.Errorf("%+v: %s, %q", c.comparison, ahead, why)
		}
	}
}

// Every reason belongs to a row that is there, so that none outlives its row.
func TestReasonsHaveRows(t *testing.T) {
	b := &bench{}
	rows := map[string]bool{}
	for _, m := range b.makers() {
		rows[m.name] = true
	}
	for key := range reasons {
		if row, _, _ := strings.Cut(key, " / "); !rows[row] {
			t.Errorf("there is no row %s", row)
		}
	}
	verbs := map[string]bool{}
	for _, c := range b.scaling() {
		verbs[c.name[strings.LastIndexByte(c.name, '/')+1:]] = true
	}
	for verb := range memoryReasons {
		if !verbs[verb] {
			t.Errorf("nothing scales %s", verb)
		}
	}
}

func steps(cpu time.Duration, memory ...int64) (list []step) {
	for i, scale := range scales {
		list = append(list, step{scale, 10 * scale, sample{CPU: cpu * time.Duration(scale), Memory: memory[i]}})
	}
	return list
}

func TestGrowth(t *testing.T) {
	flat := growth{Name: "scaling/x/y", Steps: steps(time.Millisecond, 1<<20, 1<<20, 1<<20, 2<<20)}
	if flat.timeWord() != "flat (×1.00)" || flat.memoryWord() != "flat" {
		t.Error(flat.timeWord(), flat.memoryWord())
	}
	grows := growth{Name: "scaling/x/y", Steps: steps(time.Millisecond, 1e6, 1e6, 10e6, 100e6)}
	grows.Steps[3].Took.CPU *= 3
	if grows.timeWord() != "grows ×3.00" || grows.memoryWord() != "10 kB per unit" {
		t.Error(grows.timeWord(), grows.memoryWord())
	}
}

// The documents hold every row, and the plot is a drawing whatever the figures
// are.
func TestDocuments(t *testing.T) {
	r := &report{Date: "2000-01-01", Rounds: 7,
		Rows: []comparison{
			{Row: "a/b", What: "do", Units: 2, Peer: "p | q", Ours: sample{Wall: 2e6, CPU: 1e6}, Theirs: sample{Wall: 1e6, CPU: 3e6}},
			{Row: "a/c", Peer: "gone", Missing: "peer missing"},
			{Row: "command/x", OursName: "pakbox x", Target: 2, Floor: true, Ours: sample{CPU: 9}, Theirs: sample{CPU: 3}},
			{Row: "a/d", Peer: "cat", Floor: true, Ours: sample{CPU: 3}, Theirs: sample{CPU: 1}},
		},
		Scaling: []growth{{Name: "scaling/x/y", Unit: "file", Steps: steps(0, 0, 0, 0, 0)}, {Name: "scaling/x/z", Unit: "file", Steps: steps(time.Second, 1, 1, 1, 1<<40)}},
	}
	var text bytes.Buffer
	if err := r.text(&text); err != nil {
		t.Fatal(err)
	}
	page := string(r.markdown())
	for _, want := range []string{"| 0.50 | 3.00 | peer: behind, unexplained |", `p \| q`, "| gone | | | | | | peer missing |", "behind in 1; in 1 the peer was missing", "| 3.0 |", plotName} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	for _, want := range []string{"a/b", "peer missing", "scaling/x/y"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	for _, picture := range [][]byte{plot(r.Scaling), r.commandsChart(), r.peersChart()} {
		isDrawing(t, picture)
	}
	for _, want := range []string{">pakbox x</text>", ">3</text>"} {
		if !bytes.Contains(r.commandsChart(), []byte(want)) {
			t.Errorf("no %q in the chart of the commands", want)
		}
	}
	for _, want := range []string{">a/b, p | q</text>", ">0.5</text>"} {
		if !bytes.Contains(r.peersChart(), []byte(want)) {
			t.Errorf("no %q in the chart of the peers", want)
		}
	}
}

func isDrawing(t *testing.T, picture []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(picture))
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok {
			for _, a := range e.Attr {
				if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
					t.Errorf("%s %s=%s", e.Name.Local, a.Name.Local, a.Value)
				}
			}
		}
	}
}
