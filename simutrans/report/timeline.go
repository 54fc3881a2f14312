package report

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"sort"
	"strings"

	"pakbox/simutrans/node"
)

// span is a range of months since year 0. It does not include to.
type span struct{ from, to int }

// never is the month from which a retirement date means never. The
// compiler's default is the year 2999.
const never = 2900 * 12

// months reads a month in the form of tables: 1931-07.
func months(text string) int {
	var year, month int
	fmt.Sscanf(text, "%d-%d", &year, &month)
	return year*12 + month - 1
}

func monthText(m int) string { return fmt.Sprintf("%d-%02d", m/12, m%12+1) }

// offer is a group of vehicles that can replace each other: of the same way type, and
// either all engines or all for one kind of freight.
type offer struct {
	waytype, role string
	vehicles      []*entry
}

func (e *entry) span() span {
	v, _ := e.facts.Get("intro")
	w, _ := e.facts.Get("retire")
	return span{months(v.Text()), months(w.Text())}
}

// offers groups the vehicles. A vehicle with an engine and with freight is in two groups.
func (s *site) offers() (list []*offer) {
	found := map[string]*offer{}
	add := func(e *entry, role string) {
		waytype := e.text("waytype")
		o := found[waytype+" "+role]
		if o == nil {
			o = &offer{waytype: waytype, role: role}
			found[waytype+" "+role] = o
			list = append(list, o)
		}
		o.vehicles = append(o.vehicles, e)
	}
	for _, e := range s.tables["vehicles"] {
		if e.number("power") > 0 {
			add(e, "engines")
		}
		if good, ok := e.facts.Get("freight"); ok && good.Value != nil && e.number("capacity") > 0 {
			goods := s.sameCategory(good.Text())
			role := goods[0]
			if len(goods) > 1 {
				role += " and alike"
			}
			add(e, role)
		}
	}
	slices.SortFunc(list, func(a, b *offer) int {
		return cmp.Or(strings.Compare(a.waytype, b.waytype), boolCompare(b.role == "engines", a.role == "engines"), strings.Compare(a.role, b.role))
	})
	return list
}

func boolCompare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// spans are the times in which a vehicle of the group can be bought. Adjacent times are
// joined.
func (o *offer) spans() (list []span) {
	for _, e := range o.vehicles {
		if t := e.span(); t.from < t.to {
			list = append(list, t)
		}
	}
	slices.SortFunc(list, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	joined := list[:0]
	for _, t := range list {
		if last := len(joined) - 1; last >= 0 && t.from <= joined[last].to {
			joined[last].to = max(joined[last].to, t.to)
		} else {
			joined = append(joined, t)
		}
	}
	return joined
}

// unreplaced are the vehicles without a successor when they retire.
func (o *offer) unreplaced() (list []*entry) {
	spans := o.spans() // sorted, so that a pakset of any size takes little time
	for _, e := range o.vehicles {
		end := e.span().to
		next := sort.Search(len(spans), func(i int) bool { return spans[i].to > end })
		if end < never && (next == len(spans) || spans[next].from > end) {
			list = append(list, e)
		}
	}
	return list
}

// timelines draws when vehicles can be bought, and lists the gaps.
func (s *site) timelines() string {
	offers := s.offers()
	first, last := s.years()
	if len(offers) == 0 || first >= last {
		return ""
	}
	var b, gaps, lost strings.Builder
	// Positions are in percent, so that rows fit every width.
	x := func(month int) float64 {
		return float64(min(max(month, first), last)-first) * 100 / float64(last-first)
	}
	bar := func(class string, t span, title string) {
		fmt.Fprintf(&b, `<rect%s x="%.2f%%" y="4" width="%.2f%%" height="12"><title>%s</title></rect>`, class, x(t.from), max(x(t.to)-x(t.from), 0.25), title)
	}
	b.WriteString(`<h2>When vehicles can be bought</h2><div class="timeline">`)
	var lines, labels strings.Builder
	step := max((last-first)/12/60*5, 5) // for about twelve lines
	for year := (first/12 + step - 1) / step * step; year*12 <= last; year += step {
		fmt.Fprintf(&lines, `<line x1="%.2f%%" x2="%.2[1]f%%" y2="20"/>`, x(year*12))
		fmt.Fprintf(&labels, `<text x="%.2f%%" y="14">%d</text>`, x(year*12), year)
	}
	for _, o := range offers {
		role := html.EscapeString(o.role)
		fmt.Fprintf(&b, `<span>%s, %s</span><svg>%s`, o.waytype, role, &lines)
		before := 0
		for n, t := range o.spans() {
			if n > 0 {
				bar(` class="gap"`, span{before, t.from}, "nothing from "+monthText(before)+" to "+monthText(t.from))
				fmt.Fprintf(&gaps, "<li>%s, %s: nothing between %s and %s</li>", o.waytype, role, monthText(before), monthText(t.from))
			}
			end := "the end"
			if t.to < never {
				end = monthText(t.to)
			}
			bar("", t, monthText(t.from)+" to "+end)
			before = t.to
		}
		b.WriteString("</svg>\n")
		for _, e := range o.unreplaced() {
			fmt.Fprintf(&lost, "<li>%s (%s, %s), retires in %s</li>", links("vehicles", []string{node.Display(e.node.Name())}), o.waytype, role, monthText(e.span().to))
		}
	}
	fmt.Fprintf(&b, `<span></span><svg>%s</svg></div>`, &labels)
	for _, section := range []struct{ title, none, list string }{
		{"Gaps in the timeline", "No gap.", gaps.String()},
		{"Vehicles that nothing replaces", "Every vehicle that retires has a successor.", lost.String()},
	} {
		fmt.Fprintf(&b, "<h2>%s</h2>", section.title)
		if section.list == "" {
			fmt.Fprintf(&b, "<p>%s</p>", section.none)
		} else {
			fmt.Fprintf(&b, `<ul class="columns">%s</ul>`, section.list)
		}
	}
	return b.String()
}

// years are the first and last month of the timeline. A few vehicles that exist from year
// 1 on are ignored.
func (s *site) years() (first, last int) {
	var starts []int
	for _, e := range s.tables["vehicles"] {
		t := e.span()
		starts = append(starts, t.from)
		if last = max(last, t.from); t.to < never {
			last = max(last, t.to)
		}
	}
	if len(starts) == 0 {
		return 0, 0
	}
	slices.Sort(starts)
	return starts[len(starts)/20] - 10*12, last + 10*12
}

// short cuts a text to a number of letters.
func short(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}
