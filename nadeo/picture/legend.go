package picture

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	"pakbox/gbx/engine/game"
	"pakbox/nadeo"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/maps/scene"
)

// title writes the map's name, its author and the author's time.
func (c *Canvas) title(m *maps.Map) {
	right0 := float64(mapWidth - mapEdge)
	room := right0 - mapEdge
	unit := m.Scoring().Author
	if t, n := m.Medals().Texts(m.Scoring())[0], m.Medals().Author; n > 0 || n == 0 && unit == maps.Respawns {
		c.boldText(bright, t, right0, 46, 26, right)
		c.text(soft, [...]string{"author time", "author's points", "author's respawns"}[unit], right0, 70, 15, right)
		room -= textWidth(t, 26, true) + 40
	}
	c.boldText(bright, shortened(plainLine(nadeo.Plain(m.Name())), room, 30, true), mapEdge, 46, 30, left)
	who := plainLine(nadeo.Plain(m.Author().Nick))
	if who == "" {
		who = plainLine(m.Author().Login)
	}
	parts := []string{}
	if who != "" {
		parts = append(parts, "by "+who)
	}
	parts = append(parts, strings.TrimSpace(nadeo.EnvironmentName(m.Collection())+" "+m.Mood()))
	if m.Mode() != game.CGameCtnChallengePlayModeRace && m.Mode() != game.CGameCtnChallengePlayModeScript {
		parts = append(parts, m.Mode().String())
	}
	c.text(soft, shortened(strings.Join(parts, "  ·  "), room, 15, false), mapEdge, 70, 15, left)
}

// plainLine makes a text fit on one line.
func plainLine(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s))
}

// legend explains the colours and marks.
func (c *Canvas) legend(m *maps.Map, p *plan, ground color.NRGBA, all []mark) {
	y := float64(c.Height) - 22
	x := float64(mapEdge)
	seen := map[scene.Way]int{}
	for i := range all {
		seen[all[i].way]++
	}
	label := func(s string) {
		c.text(soft, s, x, y, 14, left)
		x += textWidth(s, 14, false) + 22
	}
	label(fmt.Sprintf("%d blocks, %d items", m.BlockCount(), m.ItemCount()))
	for _, w := range []scene.Way{scene.Start, scene.Lap, scene.Checkpoint, scene.Finish} {
		if n := seen[w]; n > 0 {
			r := 6.0
			if ways[w].letter != "" {
				r = 8
			}
			c.badge(point{x + 8, y - 5}, r, ways[w].colour, ways[w].letter)
			x += 22
			name := ways[w].name
			if n > 1 {
				name = fmt.Sprintf("%d %s", n, ways[w].names)
			}
			label(name)
		}
	}
	cell := m.CellSize()
	const width = 170.0
	end := float64(mapWidth - mapEdge)
	if to := fmt.Sprintf("%.0f m high", (p.high-p.low)*float64(cell.Y)); p.high > p.low {
		end -= textWidth(to, 13, false) + 10 + width
		c.scaleBar(end, y-11, width, 11, "0", to)
	}
	x = c.swatches(x, y, p, ground, all)
	c.distance(x, y, end-40, p.scale/float64(cell.X))
}

// swatches explains the colours of everything that is not a track.
func (c *Canvas) swatches(x, y float64, p *plan, ground color.NRGBA, all []mark) float64 {
	for _, s := range []struct {
		kind scene.Kind
		name string
	}{{scene.Terrain, "ground"}, {scene.Scenery, "scenery"}} {
		i := slices.IndexFunc(all, func(k mark) bool { return k.kind == s.kind && !k.item })
		if i < 0 {
			continue
		}
		k := mark{kind: s.kind}
		c.rect(k.colour(p, (p.low+p.high)/2, ground), x, y-11, 13, 13)
		c.text(soft, s.name, x+20, y, 14, left)
		x += 20 + textWidth(s.name, 14, false) + 22
	}
	return x
}

// distance paints a bar of a round number of metres, if there is space for it.
func (c *Canvas) distance(x, y, end, pixels float64) {
	const most = 130
	length := 1.0
	for i := 0; length*[]float64{2, 2.5, 2}[i%3]*pixels <= most && i < 15; i++ {
		length *= []float64{2, 2.5, 2}[i%3]
	}
	text := fmt.Sprintf("%.0f m", length)
	to := x + length*pixels
	if to+8+textWidth(text, 14, false) > end {
		return
	}
	c.rect(soft, x, y-5, to-x, 2)
	c.rect(soft, x, y-9, 2, 10)
	c.rect(soft, to-2, y-9, 2, 10)
	c.text(soft, text, to+8, y, 14, left)
}
