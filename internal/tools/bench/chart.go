package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"math"
	"text/template"
)

// bar is a line of a chart: a ratio, and its target (0 for none).
type bar struct {
	Label         string
	Value, Target float64
}

//go:embed chart.svg
var chartText string

var chartTemplate = template.Must(template.New("chart.svg").Parse(chartText))

// chart draws bars on a logarithmic axis. A bar is green if it is within its
// target, or above 1 if it has none.
func chart(title, note string, bars []bar) []byte {
	const left, width, top, height = 330, 460, 64, 20
	low, high := 0.0, 1.0
	for _, b := range bars {
		low, high = math.Min(low, math.Floor(math.Log10(b.Value))), math.Max(high, math.Ceil(math.Log10(math.Max(b.Value, b.Target))))
	}
	at := func(v float64) float64 { return left + (math.Log10(v)-low)/(high-low)*width }
	type mark struct {
		At   float64
		Text string
	}
	type line struct {
		bar
		Y, From, Width, Mark float64
		Ink, Text            string
	}
	data := struct {
		Title, Note           string
		Width, Height, Bottom int
		One                   float64
		Marks                 []mark
		Lines                 []line
	}{Title: title, Note: note, Width: left + width + 60, Height: top + len(bars)*height + 16, Bottom: top + len(bars)*height, One: at(1)}
	for e := low; e <= high; e++ {
		data.Marks = append(data.Marks, mark{at(math.Pow(10, e)), fmt.Sprintf("×%g", math.Pow(10, e))})
	}
	for i, b := range bars {
		l := line{bar: b, Y: float64(top + i*height), From: math.Min(at(1), at(b.Value)), Width: math.Abs(at(b.Value) - at(1)), Ink: "#c2410b", Text: fmt.Sprintf("%.3g", b.Value)}
		if b.Target > 0 && b.Value <= b.Target || b.Target == 0 && b.Value >= 1 {
			l.Ink = "#15803d"
		}
		if b.Target > 0 {
			l.Mark = at(b.Target)
		}
		data.Lines = append(data.Lines, l)
	}
	var out bytes.Buffer
	if err := chartTemplate.Execute(&out, data); err != nil {
		panic(err) // the template is part of this program
	}
	return out.Bytes()
}
