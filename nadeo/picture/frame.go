package picture

// frame is the layout of a picture of runs: its width and the edges of its panels, in
// pixels. A narrow picture has small margins and titles, for phones.
type frame struct {
	width      int
	start, end float64
	narrow     bool
}

// Widths of pictures of runs, in pixels.
const (
	usualWidth = 1400
	wideFrom   = 760 // narrower pictures are laid out for phones
	// LeastWidth and MostWidth limit the width. Other widths are changed to the nearer
	// limit.
	LeastWidth = 320
	MostWidth  = 4096
)

// frameOf makes the layout for a width; 0 means the default width.
func frameOf(width int) frame {
	if width == 0 {
		width = usualWidth
	}
	width = min(max(width, LeastWidth), MostWidth)
	if width < wideFrom {
		return frame{width, 46, float64(width) - 14, true}
	}
	return frame{width, 76, float64(width) - 48, false}
}

// across returns the width of the panels.
func (f *frame) across() float64 { return f.end - f.start }

// road returns the box for the lines. Its height depends on the width.
func (f *frame) road() box {
	const wide = 1276.0 // at this width the panel is 648 high
	tall := 648 * min(1, max(f.across()/wide, 0.45))
	return box{f.start, roadTop, f.across(), tall}
}

// pad returns the space between a line and the edge of its panel.
func (f *frame) pad() float64 {
	if f.narrow {
		return 36
	}
	return 64
}

// heading writes a title and a line below it at the left, and a time and a line below it
// at the right.
func (c *Canvas) heading(f *frame, title, below, time, belowTime string) {
	big, line := 26.0, 15.0
	if f.narrow {
		big, line = 18, 12
	}
	c.boldText(bright, time, f.end, 48, big+2, right)
	c.text(soft, shortened(belowTime, 0.4*f.across(), line, false), f.end, 74, line, right)
	c.boldText(bright, shortened(title, f.across()-textWidth(time, big+2, true)-24, big, true), f.start, 48, big, left)
	room := f.across() - 24
	if belowTime != "" {
		room -= min(textWidth(drawnText(belowTime), line, false), 0.4*f.across())
	}
	c.text(soft, shortened(below, room, line, false), f.start, 74, line, left)
}
