package report

import (
	"cmp"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"

	"pakbox/simutrans/node"
)

// place is a factory or a good in the graph of industries.
type place struct {
	name     string
	good     bool
	from, to []*place
	rank     int     // column
	y        float64 // row in the column
}

// graph draws which factories make and need which goods, from left to right: a factory,
// the goods that it makes, and the factories that need them.
func (s *site) graph() string {
	places := s.places()
	if len(places) == 0 {
		return ""
	}
	columns := arrange(places)
	const boxWidth, boxHeight, pitch, row = 136, 26, 180, 34
	rows := 0
	for _, c := range columns {
		rows = max(rows, len(c))
	}
	left := func(p *place) int { return p.rank * pitch }
	top := func(p *place) int { return int(p.y*row) + (rows-len(columns[p.rank]))*row/2 }
	var b strings.Builder
	fmt.Fprintf(&b, `<h2>Chains of industry</h2><div class="scroll"><svg class="graph" role="img" aria-label="Which factories make and need which goods" viewBox="-2 -2 %d %d" width="%[1]d" height="%[2]d">`,
		(len(columns)-1)*pitch+boxWidth+4, rows*row+4)
	for _, p := range places {
		for _, next := range p.to {
			x, y, x2, y2 := left(p)+boxWidth, top(p)+boxHeight/2, left(next), top(next)+boxHeight/2
			bend := max((x2-x)/2, 40)
			fmt.Fprintf(&b, `<path d="M%[1]d %[2]dC%[3]d %[2]d %[4]d %[5]d %[6]d %[5]d"><title>%[7]s → %[8]s</title></path>`, x, y, x+bend, x2-bend, y2, x2, html.EscapeString(p.name), html.EscapeString(next.name))
		}
	}
	for _, p := range places {
		class, page, round := "factory", "factories", 4
		if p.good {
			class, page, round = "good", "goods", boxHeight/2
		}
		fmt.Fprintf(&b, `<a href="%s.html#%s" class="%s"><rect x="%d" y="%d" width="%d" height="%d" rx="%d"/><text x="%d" y="%d" text-anchor="middle">%s</text><title>%s</title></a>`,
			page, url.PathEscape(p.name), class, left(p), top(p), boxWidth, boxHeight, round, left(p)+boxWidth/2, top(p)+boxHeight/2+4, html.EscapeString(short(p.name, 19)), html.EscapeString(p.name))
	}
	b.WriteString("</svg></div>")
	return b.String()
}

// places returns the factories that trade, and their goods, with links between them.
func (s *site) places() (list []*place) {
	goods := map[string]*place{}
	good := func(name string) *place {
		if goods[name] == nil {
			goods[name] = &place{name: name, good: true}
			list = append(list, goods[name])
		}
		return goods[name]
	}
	join := func(a, b *place) { a.to, b.from = append(a.to, b), append(b.from, a) }
	for _, e := range s.tables["factories"] {
		f := &place{name: node.Display(e.node.Name())}
		for _, name := range e.list("needs") {
			join(good(name), f)
		}
		for _, name := range e.list("makes") {
			join(f, good(name))
		}
		if len(f.from)+len(f.to) > 0 {
			list = append(list, f)
		}
	}
	return list
}

// arrange puts places into columns, each to the right of all places that lead to it.
// Within a column it sorts them by the rows of their links. For a circle of trade the
// search stops after as many steps as there are places.
func arrange(places []*place) [][]*place {
	most := 0
	for range places {
		moved := false
		for _, p := range places {
			for _, next := range p.to {
				if next.rank <= p.rank && p.rank < 2*len(places) {
					next.rank, moved = p.rank+1, true
				}
			}
		}
		if !moved {
			break
		}
	}
	for _, p := range places {
		p.rank = min(p.rank, 15) // a circle of trade may have moved it far to the right
		most = max(most, p.rank)
	}
	columns := make([][]*place, most+1)
	for _, p := range places {
		p.y = float64(len(columns[p.rank]))
		columns[p.rank] = append(columns[p.rank], p)
	}
	for range 6 {
		for _, c := range columns {
			slices.SortStableFunc(c, func(a, b *place) int { return cmp.Compare(a.middle(), b.middle()) })
			for i, p := range c {
				p.y = float64(i)
			}
		}
	}
	return columns
}

// middle is the mean row of the places linked to a place.
func (p *place) middle() float64 {
	sum, count := 0.0, 0.0
	for _, q := range slices.Concat(p.from, p.to) {
		sum, count = sum+q.y, count+1
	}
	return sum / max(count, 1)
}
