package main

import (
	"fmt"
	"math"
)

const (
	commandsPlot = "benchmarks-commands.svg"
	peersPlot    = "benchmarks-peers.svg"
)

// bar is a line of a chart: how many times something is, and how many times it
// may be (0: nothing is said).
type bar struct {
	label  string
	value  float64
	target float64
}

// The chart has a line for each bar: its label, then the bar on a logarithmic
// axis, on which ten times as much is as far everywhere.
const (
	barLabels = 330
	barWidth  = 460
	barHeight = 20
	barTop    = 64
)

// bars draws a chart. A bar is good, and green, if it is within its target, or
// above 1 where it has none.
func bars(title, note string, list []bar) []byte {
	values := []float64{1}
	for _, b := range list {
		values = append(values, b.value)
		if b.target > 0 {
			values = append(values, b.target)
		}
	}
	x := over(values, barLabels, barLabels+barWidth)
	width, height := barLabels+barWidth+60, barTop+len(list)*barHeight+16
	bottom := float64(barTop + len(list)*barHeight)
	p := &svg{}
	fmt.Fprintf(p, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="sans-serif" font-size="11">`+"\n", width, height, width, height)
	fmt.Fprintf(p, `<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", width, height)
	p.text(12, 20, "start", "#111111", title, `font-size="15" font-weight="bold"`)
	p.text(12, 38, "start", "#555555", note, "")
	for e := x.low; e <= x.high; e++ {
		at := x.at(math.Pow(10, e))
		fmt.Fprintf(p, `<path d="M%.1f %d V%.1f" stroke="#d5d9e0"/>`+"\n", at, barTop-4, bottom)
		p.text(at, barTop-8, "middle", "#555555", fmt.Sprintf("×%g", math.Pow(10, e)), `font-size="10"`)
	}
	one := x.at(1)
	for i, b := range list {
		y := float64(barTop + i*barHeight)
		ink, at := "#c2410b", x.at(b.value)
		if b.target > 0 && b.value <= b.target || b.target == 0 && b.value >= 1 {
			ink = "#15803d"
		}
		p.text(barLabels-8, y+14, "end", "#333333", b.label, "")
		fmt.Fprintf(p, `<rect x="%.1f" y="%.1f" width="%.1f" height="%d" fill="%s"/>`+"\n", min(one, at), y+4, math.Abs(at-one), barHeight-7, ink)
		if b.target > 0 {
			fmt.Fprintf(p, `<path d="M%.1f %.1fv%d" stroke="#111111" stroke-width="2"/>`+"\n", x.at(b.target), y+2, barHeight-3)
		}
		p.text(max(one, at)+6, y+14, "start", "#111111", fmt.Sprintf("%.3g", b.value), `font-size="10"`)
	}
	fmt.Fprintf(p, `<path d="M%.1f %d V%.1f" stroke="#111111"/>`+"\n", one, barTop-4, bottom)
	p.WriteString("</svg>\n")
	return p.Bytes()
}

// commandsChart shows the commands over their floor, with their targets.
func (r *report) commandsChart() []byte {
	var list []bar
	for _, c := range r.Rows {
		if c.Target > 0 && c.Missing == "" {
			list = append(list, bar{c.OursName, c.floors(), c.Target})
		}
	}
	return bars("Commands over mere decompression", "processor time of the whole process over liblzo2 unpacking the same bodies; the black mark is the target", list)
}

// peersChart shows how many times as fast as its peers pakbox is.
func (r *report) peersChart() []byte {
	var list []bar
	for _, c := range r.Rows {
		if !c.Floor && !c.Library && c.Target == 0 && c.Missing == "" {
			list = append(list, bar{c.Row + ", " + c.Peer, c.wall(), 0})
		}
	}
	return bars("pakbox beside its peers", "the peer's time over pakbox's: right of the line pakbox is faster", list)
}
