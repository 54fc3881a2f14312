package report

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pakbox/fact"
	"pakbox/simutrans/node"
)

// thing is a row of a table with a name and facts.
func thing(name string, facts map[string]any) *entry {
	e := &entry{node: &node.Node{Type: node.VHCL, Children: []*node.Node{node.NewText(name)}}}
	for k, v := range facts {
		kind := fact.Text
		switch v.(type) {
		case int:
			kind = fact.Count
		case []string:
			kind = fact.List
		}
		e.facts = append(e.facts, fact.Make(k, k, kind, v, ""))
	}
	return e
}

func vehicle(name, intro, retire string, more map[string]any) *entry {
	facts := map[string]any{"waytype": "road", "intro": intro, "retire": retire}
	for k, v := range more {
		facts[k] = v
	}
	return thing(name, facts)
}

func engine(name, intro, retire string) *entry {
	return vehicle(name, intro, retire, map[string]any{"power": 100})
}

func names(list []*entry) string {
	var all []string
	for _, e := range list {
		all = append(all, node.Display(e.node.Name()))
	}
	return strings.Join(all, " ")
}

// Vehicles that can replace one another are a group: engines of a way, and those for one
// kind of freight, which may be a category of goods.
func TestOffers(t *testing.T) {
	bus := map[string]any{"power": 80, "freight": "Passengers", "capacity": 20}
	s := &site{Pakset: &Pakset{}, tables: map[string][]*entry{
		"goods": {thing("Passengers", map[string]any{"category": 0}), thing("Coal", map[string]any{"category": 3}), thing("Oil", map[string]any{"category": 4}), thing("Ore", map[string]any{"category": 3})},
		"vehicles": {
			vehicle("bus", "1950-01", "1960-01", bus),
			vehicle("trailer", "1950-01", "1960-01", map[string]any{"freight": "Ore", "capacity": 5}),
			vehicle("other", "1950-01", "1960-01", map[string]any{"freight": "Coal", "capacity": 5}),
			vehicle("tank", "1950-01", "1960-01", map[string]any{"freight": "Oil", "capacity": 5}),
			vehicle("tender", "1950-01", "1960-01", map[string]any{"freight": "Coal", "capacity": 0}),
			vehicle("loco", "1950-01", "1960-01", map[string]any{"power": 1, "waytype": "rail"}),
			vehicle("wagon", "1950-01", "1960-01", map[string]any{"power": 0, "waytype": "rail", "freight": "Passengers", "capacity": 1}),
		},
	}}
	var got []string
	for _, o := range s.offers() {
		got = append(got, fmt.Sprintf("%s %s: %s", o.waytype, o.role, names(o.vehicles)))
	}
	want := []string{"rail engines: loco", "rail Passengers: wagon", "road engines: bus", "road Coal and alike: trailer other", "road Oil: tank", "road Passengers: bus"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Times that meet or overlap are one; a vehicle that retires before it is offered has none.
// A vehicle that retires needs a successor that is there in that month and stays longer.
func TestSpansAndSuccessors(t *testing.T) {
	for _, test := range []struct {
		list []*entry
		want string
		lost string
	}{
		{nil, "", ""},
		{[]*entry{engine("a", "1930-01", "1940-01"), engine("b", "1940-01", "1950-06")}, "1930-01 to 1950-06", "b"},
		{[]*entry{engine("b", "1940-02", "1950-06"), engine("a", "1930-01", "1940-01")}, "1930-01 to 1940-01, 1940-02 to 1950-06", "b a"},
		{[]*entry{engine("a", "1930-01", "1960-01"), engine("b", "1940-01", "1950-01"), engine("c", "1955-01", "1970-12")}, "1930-01 to 1970-12", "c"},
		{[]*entry{engine("a", "1930-01", "1930-01"), engine("b", "1940-01", "1935-01")}, "", "a b"},
		{[]*entry{engine("a", "1930-01", "2999-01")}, "1930-01 to 2999-01", ""},
		{[]*entry{engine("a", "1930-01", "2899-12"), engine("b", "1930-01", "2900-01")}, "1930-01 to 2900-01", ""},
		{[]*entry{engine("a", "1930-01", "2899-12")}, "1930-01 to 2899-12", "a"},
		{[]*entry{engine("a", "1930-01", "1940-01"), engine("b", "1930-01", "1940-01")}, "1930-01 to 1940-01", "a b"},
	} {
		o := &offer{vehicles: test.list}
		var got []string
		for _, s := range o.spans() {
			got = append(got, monthText(s.from)+" to "+monthText(s.to))
		}
		if strings.Join(got, ", ") != test.want || names(o.unreplaced()) != test.lost {
			t.Errorf("%s: %q, without a successor %q; want %q and %q", names(test.list), got, names(o.unreplaced()), test.want, test.lost)
		}
	}
}

// The vehicles without a successor must be found without comparing each with each other.
func TestManyVehicles(t *testing.T) {
	o := &offer{}
	for i := range 8000 {
		o.vehicles = append(o.vehicles, engine(fmt.Sprint(i), fmt.Sprintf("%d-01", 1000+i%500), fmt.Sprintf("%d-01", 1001+i%500)))
	}
	start := time.Now()
	lost := o.unreplaced()
	if took := time.Since(start); took > 5*time.Second || len(lost) != 8000/500 {
		t.Errorf("%d of 8,000 vehicles without a successor after %v, want %d", len(lost), took, 8000/500)
	}
}

// numbers are the values of attributes, in the order of the text.
func numbers(t *testing.T, text, pattern string) (all [][]float64) {
	t.Helper()
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		var row []float64
		for _, s := range m[1:] {
			f, err := strconv.ParseFloat(s, 64)
			if err != nil {
				t.Fatal(err)
			}
			row = append(row, f)
		}
		all = append(all, row)
	}
	return all
}

// A timeline runs from ten years before the first vehicles to ten years after the last
// date. Bars stand where their months are, and gaps between them.
func TestTimelines(t *testing.T) {
	s := &site{Pakset: &Pakset{}, tables: map[string][]*entry{"vehicles": {engine("a", "1930-01", "1940-01"), engine("b<", "1950-01", "1960-01"), engine("c", "1960-01", "2999-01")}}}
	first, last := s.years()
	if first != 1920*12 || last != 1970*12 {
		t.Errorf("from %s to %s", monthText(first), monthText(last))
	}
	text := s.timelines()
	bars := numbers(t, text, `<rect[^>]* x="([\d.]+)%" y="4" width="([\d.]+)%"`)
	// 50 years are 100 %: a year is 2 %.
	if want := [][]float64{{20, 20}, {40, 20}, {60, 40}}; fmt.Sprint(bars) != fmt.Sprint(want) {
		t.Errorf("bars %v, want %v", bars, want)
	}
	years := numbers(t, text, `<text x="([\d.]+)%" y="14">(\d+)</text>`)
	lines := numbers(t, text, `<line x1="([\d.]+)%" x2="([\d.]+)%" y2="20"/>`)
	if len(years) != 11 || len(lines) != 11 {
		t.Errorf("years %v, lines %v", years, lines)
	}
	for i, y := range years {
		if y[0] != (y[1]-1920)*2 || int(y[1])%5 != 0 || lines[i][0] != y[0] || lines[i][1] != y[0] {
			t.Errorf("the year %g is at %g, its line at %v", y[1], y[0], lines[i])
		}
	}
	for _, want := range []string{"nothing from 1940-01 to 1950-01", "<li>road, engines: nothing between 1940-01 and 1950-01</li>", "1930-01 to 1940-01<", "1950-01 to the end<", `class="gap"`,
		`#a">a</a> (road, engines), retires in 1940-01</li>`} {
		if !strings.Contains(text, want) {
			t.Errorf("the timeline lacks %q", want)
		}
	}
	if strings.Contains(text, "retires in 1960") || strings.Contains(text, "No gap") {
		t.Error("a successor or a gap is not seen")
	}
	s.tables["vehicles"] = []*entry{engine("a", "1930-01", "2999-01")}
	if text := s.timelines(); !strings.Contains(text, "No gap.") || !strings.Contains(text, "Every vehicle that retires has a successor.") {
		t.Errorf(`text = %s; want text with "No gap.", text with "Every vehicle that retires has a successor."`, text)
	}
	// Over centuries there are about a dozen lines, and vehicles of the year 1 do not count.
	for i := range 40 {
		s.tables["vehicles"] = append(s.tables["vehicles"], engine(fmt.Sprint(i), fmt.Sprintf("%d-01", 1800+i*7), fmt.Sprintf("%d-01", 1850+i*7)))
	}
	s.tables["vehicles"] = append(s.tables["vehicles"], engine("old", "0001-01", "2999-01"))
	if first, _ := s.years(); first < 1780*12 {
		t.Errorf("the timeline begins in %s", monthText(first))
	}
	if n := len(numbers(t, s.timelines(), `y="14">(\d+)</text>`)); n < 8 || n > 16 {
		t.Errorf("%d years are named", n)
	}
	s.tables["vehicles"] = nil
	if text := s.timelines(); text != "" {
		t.Errorf("without vehicles: %s", text)
	}
}

// The graph of industries: boxes lie in the picture and not on each other, each to the
// right of all that lead to it, and lines go from the right end of a box to the left end
// of another.
func TestGraph(t *testing.T) {
	factory := func(name string, needs, makes []string) *entry {
		return thing(name, map[string]any{"needs": needs, "makes": makes})
	}
	s := &site{Pakset: &Pakset{}, tables: map[string][]*entry{"factories": {
		factory("Mine & Co", nil, []string{"Coal"}), factory("Pit", nil, []string{"Ore", "Coal"}), factory("A steel works with a name too long", []string{"Ore", "Coal"}, []string{"Steel"}),
		factory("Shop", []string{"Steel"}, nil), factory("Plant", []string{"Coal"}, nil), factory("Statue", nil, nil),
	}}}
	text := s.graph()
	size := numbers(t, text, `viewBox="-2 -2 (\d+) (\d+)" width="(\d+)" height="(\d+)"`)
	if len(size) != 1 || size[0][0] != size[0][2] || size[0][1] != size[0][3] {
		t.Fatalf("size = %v; want size of length 1, size[0][0] = size[0][2], size[0][1] = size[0][3]", size)
	}
	boxes := numbers(t, text, `<rect x="(-?\d+)" y="(-?\d+)" width="(\d+)" height="(\d+)"`)
	var titles []string
	for _, m := range regexp.MustCompile(`</text><title>([^<]*)</title></a>`).FindAllStringSubmatch(text, -1) {
		titles = append(titles, m[1])
	}
	if len(boxes) != 8 || len(titles) != 8 || slices.Contains(titles, "Statue") || !slices.Contains(titles, "Mine &amp; Co") {
		t.Fatalf("%d boxes: %q", len(boxes), titles)
	}
	at := map[string][]float64{}
	right, low := 0.0, 0.0
	for i, b := range boxes {
		at[titles[i]] = b
		right, low = max(right, b[0]+b[2]), max(low, b[1]+b[3])
		if b[0] < 0 || b[1] < 0 || b[0]+b[2] > size[0][0]-4 || b[1]+b[3] > size[0][1]-4 {
			t.Errorf("%s is outside: %v of %v", titles[i], b, size)
		}
		for k, o := range boxes[:i] {
			if b[0] < o[0]+o[2] && o[0] < b[0]+b[2] && b[1] < o[1]+o[3] && o[1] < b[1]+b[3] {
				t.Errorf("%s lies on %s", titles[i], titles[k])
			}
		}
	}
	if right != size[0][0]-4 || low < size[0][1]-20 {
		t.Errorf("the boxes end at %g, %g of %v", right, low, size)
	}
	links := 0
	for _, m := range regexp.MustCompile(`<path d="M(\d+) (\d+)C\d+ \d+ \d+ \d+ (\d+) (\d+)"><title>([^<]*) → ([^<]*)</title>`).FindAllStringSubmatch(text, -1) {
		links++
		from, to := at[m[5]], at[m[6]]
		if from == nil || to == nil || from[0]+from[2] > to[0] {
			t.Errorf("%s is not to the left of %s", m[5], m[6])
			continue
		}
		if got, want := strings.Join(m[1:5], " "), fmt.Sprint(from[0]+from[2], from[1]+from[3]/2, to[0], to[1]+to[3]/2); got != want {
			t.Errorf("%s to %s is drawn from and to %s, want %s", m[5], m[6], got, want)
		}
	}
	if links != 8 {
		t.Errorf("%d links", links)
	}
	if !strings.Contains(text, ">A steel works with…<") || short("abc", 3) != "abc" || short("äbcd", 3) != "äb…" {
		t.Error("a long name is not cut")
	}
	s.tables["factories"] = []*entry{factory("Statue", nil, nil)}
	if got := s.graph(); got != "" {
		t.Errorf("without trade: %s", got)
	}
}

// Places of a column are sorted by what they are linked to, so that lines do not cross.
func TestArrange(t *testing.T) {
	a, b, c, d := &place{name: "a"}, &place{name: "b"}, &place{name: "c"}, &place{name: "d"}
	join := func(x, y *place) { x.to, y.from = append(x.to, y), append(y.from, x) }
	join(a, d)
	join(b, c)
	columns := arrange([]*place{a, b, c, d})
	if len(columns) != 2 || columns[0][0].to[0] != columns[1][0] || columns[0][1].to[0] != columns[1][1] {
		t.Errorf("columns = %v; want columns of length 2, columns[0][0].to[0] = columns[1][0], columns[0][1].to[0] = columns[1][1]", columns)
	}
	for _, column := range columns {
		for i, p := range column {
			if p.y != float64(i) {
				t.Errorf("%s is in row %g", p.name, p.y)
			}
		}
	}
	long := []*place{{name: "0"}}
	for i := range 6 {
		p := &place{name: fmt.Sprint(i + 1)}
		join(long[i], p)
		long = append(long, p)
	}
	slices.Reverse(long) // the order in which they are given does not matter
	if columns := arrange(long); len(columns) != 7 || columns[6][0].name != "6" {
		t.Errorf("%d columns", len(columns))
	}
}

// A vehicle carries its good, and the others of its category.
func TestTrade(t *testing.T) {
	s := &site{Pakset: &Pakset{}, tables: map[string][]*entry{
		"goods":     {thing("Mail", map[string]any{"category": 0}), thing("Coal", map[string]any{"category": 3}), thing("Ore", map[string]any{"category": 3})},
		"factories": {thing("Mine", map[string]any{"makes": []string{"Coal", "Ore"}}), thing("Works", map[string]any{"needs": []string{"Coal"}})},
		"vehicles": {vehicle("v", "1-1", "2-1", map[string]any{"freight": "Coal", "capacity": 1}), vehicle("w", "1-1", "2-1", map[string]any{"freight": "Mail", "capacity": 1}),
			vehicle("x", "1-1", "2-1", map[string]any{"freight": "Ore", "capacity": 0})},
	}}
	want := "map[carried:map[Coal:[v] Mail:[w] Ore:[v]] made:map[Coal:[Mine] Ore:[Mine]] needed:map[Coal:[Works]]]"
	if got := fmt.Sprint(s.trade()); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := links("goods", []string{"A & b", "c"}), `<a href="goods.html#A%20&%20b">A &amp; b</a>, <a href="goods.html#c">c</a>`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
