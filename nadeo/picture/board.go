package picture

import (
	"fmt"
	"image/color"

	"pakbox/internal/lib/racetime"
	"pakbox/nadeo"
	"pakbox/nadeo/runs"
)

// Sizes in the picture of a leaderboard, in pixels.
const (
	boardWidth = 900
	boardRow   = 34
	boardHead  = 78  // name of a map, and the lines below it
	mostRows   = 100 // most rows on the picture
)

// medalColours are those of the games.
var medalColours = map[string]color.NRGBA{
	"author": {0x2f, 0xbf, 0x71, 0xff}, "gold": {0xf2, 0xc0, 0x3c, 0xff}, "silver": {0xc4, 0xcc, 0xd6, 0xff}, "bronze": {0xc8, 0x84, 0x48, 0xff},
}

// DrawBoard draws the leaderboards of maps, one below the other: rank, driver, time, gap
// to the first, medal and date. A width of 0 means the default.
func DrawBoard(places []runs.BoardRow, width int) *Canvas {
	if width == 0 {
		width = boardWidth
	}
	f := frameOf(width)
	f.start, f.end = 24, float64(f.width)-24
	rows := places[:min(len(places), mostRows)]
	height := 20.0
	for i := range rows {
		height += boardRow
		if firstOfMap(rows, i) {
			height += boardHead
		}
	}
	if len(rows) < len(places) || len(rows) == 0 {
		height += boardRow
	}
	c := newCanvas(f.width, int(height)+4)
	y := 4.0
	for i := range rows {
		if firstOfMap(rows, i) {
			c.boardTitle(&f, places, i, y)
			y += boardHead
		}
		c.boardRow(&f, &rows[i], y, i%2 == 0)
		y += boardRow
	}
	switch {
	case len(rows) == 0:
		c.text(soft, "no run with a time and a map", f.start, y+30, 15, left)
	case len(rows) < len(places):
		c.text(soft, fmt.Sprintf("and %d more", len(places)-len(rows)), f.start, y+22, 14, left)
	}
	return c
}

func firstOfMap(places []runs.BoardRow, i int) bool {
	return i == 0 || places[i].MapUID != places[i-1].MapUID
}

// boardTitle writes the name of the map above its leaderboard, which begins with place i.
func (c *Canvas) boardTitle(f *frame, places []runs.BoardRow, i int, y float64) {
	n := i
	for n < len(places) && places[n].MapUID == places[i].MapUID {
		n++
	}
	name := plainLine(nadeo.Plain(places[i].MapName))
	if name == "" {
		name = places[i].MapUID
	}
	drivers := "1 driver"
	if n-i > 1 {
		drivers = fmt.Sprintf("%d drivers", n-i)
	}
	c.boldText(bright, shortened(name, f.across(), 24, true), f.start, y+42, 24, left)
	c.text(soft, drivers, f.start, y+64, 14, left)
}

// boardRow writes the row of one driver.
func (c *Canvas) boardRow(f *frame, p *runs.BoardRow, y float64, shaded bool) {
	if shaded {
		c.rect(panel, f.start-12, y, f.across()+24, boardRow)
	}
	base := y + 23
	c.text(soft, fmt.Sprint(p.Rank), f.start+26, base, 16, right)
	x := f.end
	if !f.narrow {
		if !p.Date.IsZero() {
			c.text(soft, p.Date.Format("2006-01-02"), x, base, 14, right)
		}
		x -= 110
	}
	if p.Gap > 0 {
		c.text(soft, racetime.Delta(int64(p.Gap)), x, base, 15, right)
	}
	x -= 84
	c.boldText(bright, nadeo.TimeText(p.Time), x, base, 17, right)
	x -= 110
	if colour, ok := medalColours[p.Medal]; ok {
		c.disc(colour, point{x, y + 17}, 8)
		c.disc(faded(background, 0x50), point{x, y + 17}, 4)
	}
	name := plainLine(nadeo.Plain(p.Driver.Nick))
	if name == "" {
		name = plainLine(p.Driver.Login)
	}
	c.text(bright, shortened(name, x-20-(f.start+40), 16, false), f.start+40, base, 16, left)
}
