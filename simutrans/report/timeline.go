package report

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strings"

	"pakbox/simutrans/node"
)

// span is a time in months from month 0 of year 0, without its last month.
type span struct{ from, to int }

// never is the year from which a date of retirement means that there is none: the
// compiler's own default is 2999.
const never = 2900 * 12

// months reads a month as tables write it: 1931-07.
func months(text string) int {
	var year, month int
	fmt.Sscanf(text, "%d-%d", &year, &month)
	return year*12 + month - 1
}

func monthText(m int) string { return fmt.Sprintf("%d-%02d", m/12, m%12+1) }

// offer is vehicles that can stand for one another: of one way, and all of them
// engines or all for one kind of freight.
type offer struct {
	waytype, role string
	vehicles      []*entry
}

func (e *entry) span() span {
	v, _ := e.facts.Get("intro")
	w, _ := e.facts.Get("retire")
	return span{months(v.Text()), months(w.Text())}
}

// offers sorts the vehicles. One with an engine and room for freight is in two.
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

// spans are the times in which something can be bought, joined where they meet.
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

// unreplaced are the vehicles whose place nobody takes when they retire.
func (o *offer) unreplaced() (list []*entry) {
	for _, e := range o.vehicles {
		end := e.span().to
		if end < never && !slices.ContainsFunc(o.vehicles, func(other *entry) bool {
			t := other.span()
			return t.from <= end && end < t.to
		}) {
			list = append(list, e)
		}
	}
	return list
}

// timelines draws when what can be bought, and lists the gaps.
func (s *site) timelines() string {
	offers := s.offers()
	first, last := s.years()
	if len(offers) == 0 || first >= last {
		return ""
	}
	var b, gaps, lost strings.Builder
	const label, width, row = 230, 900, 20
	x := func(month int) int { return label + (min(max(month, first), last)-first)*(width-label)/(last-first) }
	height := len(offers)*row + 24
	fmt.Fprintf(&b, `<h2>When vehicles can be bought</h2><div class="scroll"><svg class="timeline" role="img" aria-label="When vehicles can be bought" viewBox="0 0 %d %d" width="%[1]d" height="%[2]d">`, width, height)
	step := max((last-first)/12/60*5, 5) // some twelve lines
	for year := (first/12 + step - 1) / step * step; year*12 <= last; year += step {
		fmt.Fprintf(&b, `<path class="grid" d="M%[1]d 0V%[2]d"/><text x="%[1]d" y="%[3]d" text-anchor="middle">%[4]d</text>`, x(year*12), height-18, height-4, year)
	}
	for i, o := range offers {
		y := i * row
		fmt.Fprintf(&b, `<text x="0" y="%d">%s, %s</text>`, y+14, o.waytype, html.EscapeString(short(o.role, 20)))
		before := 0
		for n, t := range o.spans() {
			if n > 0 {
				fmt.Fprintf(&b, `<rect class="gap" x="%d" y="%d" width="%d" height="12"><title>nothing from %s to %s</title></rect>`, x(before), y+4, max(x(t.from)-x(before), 2), monthText(before), monthText(t.from))
				fmt.Fprintf(&gaps, "<li>%s, %s: nothing between %s and %s</li>", o.waytype, html.EscapeString(o.role), monthText(before), monthText(t.from))
			}
			end := "the end"
			if t.to < never {
				end = monthText(t.to)
			}
			fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="12"><title>%s to %s</title></rect>`, x(t.from), y+4, max(x(t.to)-x(t.from), 2), monthText(t.from), end)
			before = t.to
		}
		for _, e := range o.unreplaced() {
			fmt.Fprintf(&lost, "<li>%s (%s, %s), retires in %s</li>", links("vehicles", []string{node.Display(e.node.Name())}), o.waytype, html.EscapeString(o.role), monthText(e.span().to))
		}
	}
	b.WriteString("</svg></div>")
	for _, section := range []struct{ title, none, list string }{
		{"Gaps in the timeline", "There is no gap.", gaps.String()},
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

// years are the months between which the timeline is drawn. A few vehicles that are
// there from year 1 on do not count.
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

// short cuts a text to so many letters.
func short(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}
