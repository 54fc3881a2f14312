package report

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"regexp"
	"strings"
	"testing"

	"pakbox/finding"
	"pakbox/simutrans"
	"pakbox/simutrans/node"
)

// tableOf is a table of this name with three columns.
func tableOf(name string) *simutrans.Table {
	t := *simutrans.Tables[0]
	t.Name, t.Doc, t.Usual = name, "Things & more.", []string{"name", "top_speed", "needs"}
	return &t
}

// body is the content of a page, between the head and the foot.
func body(t *testing.T, page []byte) string {
	t.Helper()
	_, text, ok := strings.Cut(string(page), "<main>")
	text, end, ok2 := strings.Cut(text, "</main>")
	if !ok || !ok2 || end != "</body></html>\n" {
		t.Fatalf("page = %s; want ok = true, ok2 = true, end = \"</body></html>\\n\"", page)
	}
	return text
}

// A table has a row for each object and a column for each usual fact, the licence last.
// Numbers and lists are marked; the column of pictures is only there if there are some.
func TestTablePage(t *testing.T) {
	bus := thing("Bus <1>", map[string]any{"top_speed": 80})
	van := thing("Van", map[string]any{"needs": []string{"Coal", "Ore"}})
	s := &site{Pakset: &Pakset{Name: "pak"}, tables: map[string][]*entry{"vehicles": {bus, van}}}
	const head = `<h1>2 vehicles</h1><p>Things &amp; more.</p><p class="tools"><label>Filter <input type="search" id="filter"></label>`
	const columns = `<th><button>name</button><th class="n"><button>top speed</button><th><button>needs</button><th><button>copyright</button></tr></thead><tbody>`
	want := head + `</p><div class="scroll"><table class="sorted"><thead><tr>` + columns +
		`<tr id="Bus &lt;1&gt;"><td><td class="n">80<td><td></tr>` + "\n" + `<tr id="Van"><td><td><td class="long">Coal, Ore<td></tr>` + "\n</tbody></table></div>"
	if got := body(t, s.tablePage(tableOf("vehicles"))); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	bus.image = "a b.png"
	want = head + ` <a href="sheets/vehicles.png">All on one sheet</a></p><div class="scroll"><table class="sorted"><thead><tr><th>` + columns +
		`<tr id="Bus &lt;1&gt;"><td class="picture"><img loading="lazy" alt="" src="images/a%20b.png"><td><td class="n">80<td><td></tr>` + "\n" + `<tr id="Van"><td class="picture"><td><td><td class="long">Coal, Ore<td></tr>` + "\n</tbody></table></div>"
	if got := body(t, s.tablePage(tableOf("vehicles"))); got != want {
		t.Errorf("with a picture: %s\nwant\n%s", got, want)
	}
	if got := body(t, s.tablePage(tableOf("ways"))); got != "<h1>0 ways</h1><p>Things &amp; more.</p>" {
		t.Errorf("an empty table: %s", got)
	}
	// Goods have who makes, needs and carries them.
	s.tables = map[string][]*entry{"goods": {thing("Coal", map[string]any{"category": 0})}, "factories": {thing("Pit", map[string]any{"makes": []string{"Coal"}}), thing("Works", map[string]any{"needs": []string{"Coal"}})},
		"vehicles": {vehicle("v", "1-1", "2-1", map[string]any{"freight": "Coal", "capacity": 1})}}
	if got := body(t, s.tablePage(tableOf("goods"))); !strings.Contains(got, "</button><th>made by<th>needed by<th>carried by</tr>") ||
		!strings.Contains(got, `<td class="long"><a href="factories.html#Pit">Pit</a><td class="long"><a href="factories.html#Works">Works</a><td class="n">1</tr>`) {
		t.Errorf("goods: %s", got)
	}
}

// Every page links all tables, and the changes if there are any; it marks itself.
func TestPageHead(t *testing.T) {
	for _, since := range []string{"", "old"} {
		s := &site{Pakset: &Pakset{Name: "pak & more", Since: since}}
		text := string(s.page("ways", "content"))
		if n := strings.Count(text, ` aria-current="page"`); n != 1 || !strings.Contains(text, `<a href="ways.html" aria-current="page">ways</a>`) {
			t.Errorf("%d pages are marked", n)
		}
		if n := strings.Count(text, "<a href="); n != len(simutrans.Tables)+len(since)/3 || strings.Contains(text, "changes.html") != (since != "") {
			t.Errorf("since %q: %d links", since, n)
		}
		if !strings.Contains(text, "<title>pak &amp; more: ways</title>") || !strings.Contains(text, `<a class="name" href="index.html">pak &amp; more</a>`) || !strings.Contains(text, "<main>content</main>") {
			t.Errorf("text = %v", text)
		}
	}
}

// The first page counts the objects and lists what the check finds.
func TestIndex(t *testing.T) {
	s := &site{Pakset: &Pakset{Name: "a<b"}, tables: map[string][]*entry{"vehicles": {engine("v", "1-1", "2-1"), engine("w", "1-1", "2-1")}}}
	text := string(s.index())
	if !strings.Contains(text, `<h1>a&lt;b</h1><ul class="cards">`) || !strings.Contains(text, `<li><a href="vehicles.html"><b>2</b> vehicles</a></li>`) || !strings.Contains(text, `<b>0</b> findings`) ||
		!strings.Contains(text, "<p>The check finds nothing.</p>") || strings.Contains(text, "<th>Severity") {
		t.Errorf("text = %v", text)
	}
	s.Findings = []finding.Finding{finding.New(finding.Warning, "r", finding.Position{Entry: "Bus&"}, "it is <late>")}
	text = string(s.index())
	if !strings.Contains(text, `<b>1</b> findings`) || !strings.Contains(text, `<tr><td class="warning">warning<td>Bus&amp;<td>it is &lt;late&gt;</tr>`) || strings.Contains(text, "finds nothing") {
		t.Errorf("text = %v", text)
	}
}

// In the graph a name stands in the middle of its box, goods have round ends, and a line
// leaves and enters boxes level, with a bend of 40 at least.
func TestGraphShapes(t *testing.T) {
	factory := func(name string, needs, makes []string) *entry {
		return thing(name, map[string]any{"needs": needs, "makes": makes})
	}
	s := &site{Pakset: &Pakset{}, tables: map[string][]*entry{"factories": {factory("Pit", nil, []string{"Coal", "Ore"}), factory("Works", []string{"Ore"}, nil)}}}
	text := s.graph()
	for _, want := range []string{
		`viewBox="-2 -2 500 72" width="500" height="72"`, // three columns of 180, the last of 136, and two rows of 34
		`<a href="factories.html#Pit" class="factory"><rect x="0" y="17" width="136" height="26" rx="4"/><text x="68" y="34" text-anchor="middle">Pit</text><title>Pit</title></a>`,
		`<a href="factories.html#Works" class="factory"><rect x="360" y="17" width="136" height="26" rx="4"/>`,
		`class="good"><rect x="180" y="0" width="136" height="26" rx="13"/><text x="248" y="17"`, `class="good"><rect x="180" y="34" width="136" height="26" rx="13"/><text x="248" y="51"`,
		`<path d="M136 30C176 30 140 13 180 13"><title>Pit → Coal</title>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	far := &place{name: "far"}
	near := &place{name: "near", to: []*place{far}}
	middle := &place{name: "middle", to: []*place{far}, from: []*place{near}}
	near.to, far.from, middle.y = append(near.to, middle), []*place{near, middle}, 3
	if columns := arrange([]*place{far, middle, near}); len(columns) != 3 || columns[2][0] != far || far.rank != 2 || middle.rank != 1 {
		t.Errorf("columns = %v; want columns of length 3, columns[2][0] = %v, far.rank = 2, middle.rank = 1", columns, far)
	}
	if lonely := (&place{}).middle(); lonely != 0 {
		t.Errorf("a place without links is in row %g", lonely)
	}
	if m := (&place{from: []*place{{y: 1}, {y: 2}}, to: []*place{{y: 6}}}).middle(); m != 3 {
		t.Errorf("the middle is %g", m)
	}
	// A circle of trade ends after 16 columns at most.
	var ring []*place
	for i := range 20 {
		ring = append(ring, &place{name: fmt.Sprint(i)})
	}
	for i, p := range ring {
		next := ring[(i+1)%len(ring)]
		p.to, next.from = append(p.to, next), append(next.from, p)
	}
	if columns := arrange(ring); len(columns) != 16 {
		t.Errorf("a circle takes %d columns", len(columns))
	}
}

// A short offer is still seen, and years are named every five, or further apart.
func TestTimelineDetails(t *testing.T) {
	s := &site{Pakset: &Pakset{}, tables: map[string][]*entry{"vehicles": {engine("a", "1930-01", "1930-02"), engine("b", "1990-01", "2010-01")}}}
	text := s.timelines()
	if bars := numbers(t, text, `<rect x="([\d.]+)%" y="4" width="([\d.]+)%"`); fmt.Sprint(bars) != "[[10 0.25] [70 20]]" {
		t.Errorf("bars %v", bars)
	}
	if gaps := numbers(t, text, `<rect class="gap" x="([\d.]+)%" y="4" width="([\d.]+)%"`); fmt.Sprint(gaps) != "[[10.08 59.92]]" {
		t.Errorf("gaps %v", gaps)
	}
	if years := numbers(t, text, `y="14">(\d+)</text>`); fmt.Sprint(years[0], years[len(years)-1], len(years)) != "[1920] [2020] 21" {
		t.Errorf("years %v", years)
	}
	for _, m := range regexp.MustCompile(`<span>([^<]*)</span>`).FindAllStringSubmatch(text, -1) {
		if m[1] != "road, engines" && m[1] != "" {
			t.Errorf("a row of %s", m[1])
		}
	}
	if !strings.Contains(text, `<ul class="columns"><li><a href="vehicles.html#a">a</a> (road, engines), retires in 1930-02</li><li><a href="vehicles.html#b">b</a> (road, engines), retires in 2010-01</li></ul>`) {
		t.Errorf("text = %v", text)
	}
	for a, want := range map[[2]bool]int{{true, true}: 0, {false, false}: 0, {true, false}: 1, {false, true}: -1} {
		if got := boolCompare(a[0], a[1]); got != want {
			t.Errorf("%v: got = %d; want %d", a, got, want)
		}
	}
	if months("1931-07") != 1931*12+6 || monthText(1931*12+6) != "1931-07" || monthText(1931*12+11) != "1931-12" {
		t.Error("months and monthText are not inverse for 1931-07 and 1931-12")
	}
	// Of twenty vehicles the first does not count for the beginning, of nineteen it does.
	var list []*entry
	for i := range 20 {
		list = append(list, engine("v", fmt.Sprintf("%d-01", 1900+i), "2000-01"))
	}
	for n, want := range map[int]int{19: 1890, 20: 1891} {
		s.tables["vehicles"] = list[20-n:]
		if n == 19 {
			want++
		}
		if first, last := s.years(); first != want*12 || last != 2010*12 {
			t.Errorf("%d vehicles: from %s to %s", n, monthText(first), monthText(last))
		}
	}
}

// Numbers of every kind are numbers, and what is not a number is 0.
func TestNumbersOfFacts(t *testing.T) {
	e := thing("a", map[string]any{"count": 3, "text": "x<y"})
	if e.number("count") != 3 || e.number("text") != 0 || e.number("none") != 0 || !e.isNumber("count") || e.isNumber("text") || e.isNumber("none") || e.text("text") != "x&lt;y" || e.text("none") != "" {
		t.Errorf("e.facts = %+v", e.facts)
	}
	m := image.NewNRGBA(image.Rect(0, 0, 2, 2))
	if !empty(m) {
		t.Error("a picture of nothing has pixels")
	}
	if m.Pix[15] = 1; empty(m) {
		t.Error("the last pixel is not seen")
	}
}

// A report is not written over another, and not after it was cancelled.
func TestRefusedReports(t *testing.T) {
	dir := t.TempDir()
	if err := Write(t.Context(), dir, &Pakset{Name: "a"}); err != nil {
		t.Fatal(err)
	}
	if err := Write(t.Context(), dir, &Pakset{Name: "a"}); !errors.Is(err, os.ErrExist) {
		t.Errorf("over another: %v", err)
	}
	if _, err := os.Stat(dir + "/changes.html"); err == nil {
		t.Error("a report of one release has changes")
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := Write(ctx, t.TempDir(), &Pakset{Name: "a", Objects: []*node.Node{{Type: node.VHCL}}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
