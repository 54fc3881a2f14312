package main

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestMedianTakesEachFigureAlone(t *testing.T) {
	got := median([]sample{{3, 10, 200}, {1, 30, 100}, {2, 20, 300}})
	if got != (sample{2, 20, 200}) {
		t.Errorf("got = %v; want sample{2, 20, 200}", got)
	}
}

func TestRemark(t *testing.T) {
	r := &report{tables: &tables{reasons: map[string]string{"zip/list": "the table", "gbx/info / gbx-ts": "the header"}}}
	for _, c := range []struct {
		comparison comparison
		want       string
	}{
		{comparison{Ours: sample{Wall: 100}, Theirs: sample{Wall: 300}}, "**pakbox**"},
		{comparison{Ours: sample{Wall: 100}, Theirs: sample{Wall: 103}}, "even"},
		{comparison{Row: "no such row", Ours: sample{Wall: 100}, Theirs: sample{Wall: 50}}, "peer: behind, unexplained"},
		{comparison{Row: "zip/list", Ours: sample{Wall: 100}, Theirs: sample{Wall: 50}}, "peer: the table"},
		{comparison{Row: "gbx/info", Peer: "gbx-ts", Ours: sample{Wall: 100}, Theirs: sample{Wall: 50}}, "peer: the header"},
		{comparison{Missing: "peer missing"}, "peer missing"},
		{comparison{Ours: sample{Wall: 1}, Theirs: sample{Wall: 2}, Done: "3", Units: 4}, "**pakbox**: the peer gets through 3 of 4 files"},
	} {
		if got := r.Remark(c.comparison); got != c.want {
			t.Errorf("%+v: %q, want %q", c.comparison, got, c.want)
		}
	}
}

// Every row has a command, something to compare with and a size, and every reason
// belongs to a row.
func TestRows(t *testing.T) {
	all, err := readTables()
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]bool{}
	for _, r := range all.rows {
		if rows[r.name] || r.what == "" || r.of == "" || len(r.commands) < 2 || r.target > 0 && !r.commands[1].floor {
			t.Errorf(`r = %+v; want rows[r.name] = false, r.what not empty, r.of not empty, len(r.commands) at least 2, (r.target at most 0 or r.commands[1].floor = true)`, r)
		}
		rows[r.name] = true
	}
	verbs := map[string]bool{}
	for _, r := range all.scaling {
		if len(r.commands) != 1 || r.unit == "" || r.base == 0 {
			t.Errorf(`r = %+v; want r.commands of length 1, r.unit not empty, r.base other than 0`, r)
		}
		verbs[r.name[strings.LastIndexByte(r.name, '/')+1:]] = true
	}
	if len(rows) < 70 || len(all.scaling) < 39 {
		t.Errorf("%d rows, %d of the scaling part", len(rows), len(all.scaling))
	}
	for key := range all.reasons {
		if row, _, _ := strings.Cut(key, " / "); !rows[row] {
			t.Errorf("row %s is missing", row)
		}
	}
	for verb := range all.memoryReasons {
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
	r := &report{tables: &tables{}}
	flat := growth{Name: "scaling/x/y", Steps: steps(time.Millisecond, 1<<20, 1<<20, 1<<20, 2<<20)}
	if flat.Time() != "flat (×1.00)" || r.Memory(flat) != "flat" {
		t.Errorf(`flat.Time() = %v, r.Memory(flat) = %v; want flat.Time() = "flat (×1.00)", r.Memory(flat) = "flat"`, flat.Time(), r.Memory(flat))
	}
	grows := growth{Name: "scaling/x/y", Steps: steps(time.Millisecond, 1e6, 1e6, 10e6, 100e6)}
	grows.Steps[3].Took.CPU *= 3
	if grows.Time() != "grows ×3.00" || r.Memory(grows) != "10 kB per unit" {
		t.Errorf(`grows.Time() = %v, r.Memory(grows) = %v; want grows.Time() = "grows ×3.00", r.Memory(grows) = "10 kB per unit"`, grows.Time(), r.Memory(grows))
	}
}

// The pages have every row.
func TestDocuments(t *testing.T) {
	r := &report{Date: "2000-01-01", Rounds: 7, tables: &tables{},
		Rows: []comparison{
			{Row: "a/b", What: "do", Units: 2, Peer: "p | q", Ours: sample{Wall: 2e6, CPU: 1e6}, Theirs: sample{Wall: 1e6, CPU: 3e6}},
			{Row: "a/c", Peer: "gone", Missing: "peer missing"},
			{Row: "command/x", OursName: "pakbox x", Target: 2, Floor: true, Ours: sample{CPU: 9}, Theirs: sample{CPU: 3}},
			{Row: "a/d", Peer: "cat", Floor: true, Ours: sample{CPU: 3}, Theirs: sample{CPU: 1}},
		},
		Scaling: []growth{{Name: "scaling/x/z", Unit: "file", Steps: steps(time.Second, 1, 1, 1, 1<<40)}},
	}
	page, err := r.page("page.md")
	details, e := r.page("details.md")
	if err := errors.Join(err, e); err != nil {
		t.Fatal(err)
	}
	page = append(page, details...)
	for _, want := range []string{"| 0.50 | 3.00 | peer: behind, unexplained |", `p \| q`, "| gone | | | | | | peer missing |", "behind in 1; in 1 the peer was missing", "| 3.0 |", "`scaling/x/z`"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
}
