package main

import (
	"bytes"
	"fmt"
	"math"
	"strings"
)

const plotName = "benchmarks-scaling.svg"

// The plot is a grid: a column for each family of commands, the upper row for
// the time per unit, the lower for memory, with axes that all panels of a row
// share.
const (
	panelWidth, panelHeight = 176, 200
	panelGap                = 16
	marginLeft, marginTop   = 64, 80
	rowGap                  = 56
	legendLine              = 15
)

// inks tell the lines of a panel apart, in this order; the dashes do so
// without colours.
var (
	inks   = []string{"#0b66c2", "#c2410b", "#15803d", "#7c3aed", "#a16207", "#be185d"}
	dashes = []string{"", "6 3", "2 3", "8 3 2 3", "1 3", "10 4"}
)

// axis is a logarithmic axis.
type axis struct {
	low, high float64 // powers of ten
	from, to  float64 // pixels
}

func (a axis) at(v float64) float64 {
	return a.from + (math.Log10(v)-a.low)/(a.high-a.low)*(a.to-a.from)
}

// over makes an axis that holds some values.
func over(values []float64, from, to float64) axis {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		low, high = min(low, math.Log10(v)), max(high, math.Log10(v))
	}
	return axis{math.Floor(low), math.Max(math.Ceil(high), math.Floor(low)+1), from, to}
}

// panelRow is a row of the grid.
type panelRow struct {
	title string
	value func(step) float64
	label func(float64) string
}

var panelRows = []panelRow{
	{"processor time per unit", func(s step) float64 { return float64(max(s.Took.CPU, 1)) / float64(s.Units) / 1e3 }, microseconds},
	{"peak memory", func(s step) float64 { return float64(max(s.Took.Memory, 1)) / 1e6 }, func(v float64) string { return fmt.Sprintf("%g MB", v) }},
}

func microseconds(v float64) string {
	switch {
	case v >= 1e6:
		return fmt.Sprintf("%g s", v/1e6)
	case v >= 1e3:
		return fmt.Sprintf("%g ms", v/1e3)
	default:
		return fmt.Sprintf("%g µs", v)
	}
}

// families groups the cases by the middle of their names, in order.
func families(list []growth) (names []string, members map[string][]growth) {
	members = map[string][]growth{}
	for _, g := range list {
		parts := strings.Split(g.Name, "/")
		family := parts[len(parts)-2]
		if members[family] == nil {
			names = append(names, family)
		}
		members[family] = append(members[family], g)
	}
	return names, members
}

// plot draws the scaling part as SVG.
func plot(list []growth) []byte {
	names, members := families(list)
	lines := 0
	for _, m := range members {
		lines = max(lines, len(m))
	}
	width := marginLeft + len(names)*(panelWidth+panelGap)
	legend := marginTop + 2*panelHeight + rowGap + 44
	height := legend + lines*legendLine + 12
	p := &svg{}
	fmt.Fprintf(p, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="sans-serif" font-size="11">`+"\n", width, height, width, height)
	fmt.Fprintf(p, `<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", width, height)
	p.text(12, 24, "start", "#111111", "Processor time per unit and peak memory over 1 to 1,000 times the input", `font-size="15" font-weight="bold"`)
	x := axis{0, math.Log10(float64(scales[len(scales)-1])), 10, panelWidth - 10}
	for i, row := range panelRows {
		top := float64(marginTop + i*(panelHeight+rowGap))
		var values []float64
		for _, g := range list {
			for _, s := range g.Steps {
				values = append(values, row.value(s))
			}
		}
		y := over(values, top+panelHeight, top)
		p.text(12, top-26, "start", "#111111", row.title, `font-size="13"`)
		for j, name := range names {
			left := float64(marginLeft + j*(panelWidth+panelGap))
			if i == 0 {
				p.text(left+panelWidth/2, top-8, "middle", "#111111", name, `font-weight="bold"`)
			}
			p.frame(left, top, x, y, row, j == 0)
			for k, g := range members[name] {
				p.line(left, x, y, row, g, k)
			}
		}
	}
	for j, name := range names {
		left := marginLeft + j*(panelWidth+panelGap)
		for k, g := range members[name] {
			p.key(left, legend+k*legendLine, g, k)
		}
	}
	p.WriteString("</svg>\n")
	return p.Bytes()
}

// svg is a drawing in the making.
type svg struct{ bytes.Buffer }

func (p *svg) text(x, y float64, anchor, fill, text, more string) {
	fmt.Fprintf(p, `<text x="%.1f" y="%.1f" text-anchor="%s" fill="%s" %s>%s</text>`+"\n", x, y, anchor, fill, more, escape(text))
}

func escape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}

// frame draws a panel without its lines.
func (p *svg) frame(left, top float64, x, y axis, row panelRow, labels bool) {
	fmt.Fprintf(p, `<rect x="%.1f" y="%.1f" width="%d" height="%d" fill="#f6f7f9"/>`+"\n", left, top, panelWidth, panelHeight)
	for e := y.low; e <= y.high; e++ {
		at := y.at(math.Pow(10, e))
		fmt.Fprintf(p, `<path d="M%.1f %.1fh%d" stroke="#d5d9e0"/>`+"\n", left, at, panelWidth)
		if labels {
			p.text(left-6, at+4, "end", "#555555", row.label(math.Pow(10, e)), "")
		}
	}
	for _, s := range scales {
		p.text(left+x.at(float64(s)), top+panelHeight+14, "middle", "#555555", fmt.Sprint(s), `font-size="10"`)
	}
}

// line draws a case.
func (p *svg) line(left float64, x, y axis, row panelRow, g growth, k int) {
	var d strings.Builder
	for i, s := range g.Steps {
		verb := "L"
		if i == 0 {
			verb = "M"
		}
		px, py := left+x.at(float64(s.Scale)), y.at(row.value(s))
		fmt.Fprintf(&d, "%s%.1f %.1f", verb, px, py)
		fmt.Fprintf(p, `<circle cx="%.1f" cy="%.1f" r="2.5" fill="%s"/>`+"\n", px, py, inks[k%len(inks)])
	}
	fmt.Fprintf(p, `<path d="%s" fill="none" stroke="%s" stroke-width="1.6" stroke-dasharray="%s"/>`+"\n", d.String(), inks[k%len(inks)], dashes[k%len(dashes)])
}

// key explains a line.
func (p *svg) key(left, y int, g growth, k int) {
	fmt.Fprintf(p, `<path d="M%d %dh24" stroke="%s" stroke-width="1.6" stroke-dasharray="%s"/>`+"\n", left, y-4, inks[k%len(inks)], dashes[k%len(dashes)])
	parts := strings.Split(g.Name, "/")
	unit, _, _ := strings.Cut(g.Unit, " of ") // the table says of what
	p.text(float64(left+30), float64(y), "start", "#333333", parts[len(parts)-1]+", per "+unit, `font-size="10"`)
}
