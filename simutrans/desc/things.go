package desc

import (
	"fmt"

	"pakbox/fault"
)

// Voice is the sound a thing makes: the number of a built-in sound, none, or
// the name of a file.
type Voice struct {
	ID   int64
	File string
}

const (
	// NoSound is the ID of silence.
	NoSound = -1
	// NamedSound is the ID that says that a file name follows.
	NamedSound = -2
)

// id visits the number: a byte, or two in Extended.
func (v *Voice) id(c *coder) {
	w := i8
	if c.ext() {
		w = i16
	}
	num(c, "sound", w, &v.ID)
}

// file visits the name, which is there only if the number says so.
func (v *Voice) file(c *coder) {
	if v.ID != NamedSound {
		return
	}
	length := int64(len(v.File))
	num(c, "sound_file_length", u8, &length)
	c.bytes("sound_file", int(length), &v.File)
}

// list visits a counted list of integers.
func list(c *coder, name string, countWidth, w width, p *[]int64) {
	count := int64(len(*p))
	num(c, "num_"+name, countWidth, &count)
	if c.mode == reading {
		if count > int64(c.remaining()/w.bytes()) {
			c.r.Fail(fault.Truncated, c.r.Offset(), name, "%d elements, %d bytes remain", count, c.remaining())
			return
		}
		*p = make([]int64, count)
	}
	for i := range *p {
		num(c, fmt.Sprintf("%s_%d", name, i), w, &(*p)[i])
	}
}

// Good is the body of GOOD.
type Good struct {
	Head
	Value      Money
	Category   int64
	SpeedBonus int64 // percent
	Weight     Kilos // of one unit
	Color      int64 // on the map

	ClassRevenue []int64    // Extended: percent
	Stages       [][2]int64 // Extended: revenue by distance
}

func (d *Good) layout(c *coder) {
	num(c, "value", c.money(4, u16), &d.Value)
	if c.since(3) {
		num(c, "category", u8, &d.Category)
	} else {
		num(c, "category", u16, &d.Category)
	}
	if c.since(1) {
		num(c, "speed_bonus", u16, &d.SpeedBonus)
	}
	if c.since(2) {
		num(c, "weight_per_unit", u16, &d.Weight)
	}
	if c.since(3) {
		num(c, "color", u8, &d.Color)
	}
	if c.ext() {
		d.extended(c)
	}
}

func (d *Good) extended(c *coder) {
	c.unknown = c.version.Standard != 3 || c.version.Extended != 1
	classes, stages := int64(len(d.ClassRevenue)), int64(len(d.Stages))
	num(c, "classes", u8, &classes)
	num(c, "stages", u8, &stages)
	if c.mode == reading {
		if stages*4+classes*2 > int64(c.remaining()) {
			c.r.Fail(fault.Truncated, c.r.Offset(), "stages", "%d bytes remain", c.remaining())
			return
		}
		d.Stages, d.ClassRevenue = make([][2]int64, stages), make([]int64, classes)
	}
	for i := range d.Stages {
		num(c, fmt.Sprintf("stage_%d_distance", i), u16, &d.Stages[i][0])
		num(c, fmt.Sprintf("stage_%d_value", i), u16, &d.Stages[i][1])
	}
	for i := range d.ClassRevenue {
		num(c, fmt.Sprintf("class_revenue_percent_%d", i), u16, &d.ClassRevenue[i])
	}
}

// Tree is the body of TREE.
type Tree struct {
	Head
	Reserved int64
	Climates Climates
	Weight   int64
	Seasons  int64
}

func (d *Tree) layout(c *coder) {
	switch {
	case c.since(2):
		num(c, "climates", u16, &d.Climates)
		num(c, "distribution_weight", u8, &d.Weight)
		num(c, "seasons", u8, &d.Seasons)
	case c.since(1):
		num(c, "reserved", u8, &d.Reserved)
		num(c, "distribution_weight", u8, &d.Weight)
	default:
		c.unknown = true
	}
}

// GroundObject is the body of GOBJ: stones, flocks, herds.
type GroundObject struct {
	Head
	Climates   Climates
	Weight     int64
	Seasons    int64
	TreesOnTop int64
	Speed      Speed
	Waytype    Waytype
	Price      Money // to remove it
}

func (d *GroundObject) layout(c *coder) {
	if !c.since(1) {
		c.unknown = true
		return
	}
	num(c, "climates", u16, &d.Climates)
	num(c, "distribution_weight", u16, &d.Weight)
	num(c, "seasons", u8, &d.Seasons)
	num(c, "trees_on_top", u8, &d.TreesOnTop)
	num(c, "topspeed", u16, &d.Speed)
	num(c, "waytype", u16, &d.Waytype)
	num(c, "price", c.money(2, i32), &d.Price)
}

// Sound is the body of SOUN.
type Sound struct {
	Head
	Number int64
	File   string // with its NUL
}

func (d *Sound) layout(c *coder) {
	if !c.since(1) {
		c.unknown = true
		return
	}
	num(c, "sound_nr", u16, &d.Number)
	if c.since(2) {
		// The length leaves out the NUL that follows the name.
		length := int64(max(len(d.File)-1, 0))
		num(c, "length", u16, &length)
		c.bytes("sound_name", int(length)+1, &d.File)
	}
}

// List is the body of IMG1, IMG2 and IMG3: how many children follow.
type List struct {
	Head
	Count    int64
	Reserved int64
}

func (d *List) layout(c *coder) {
	num(c, "count", u16, &d.Count)
	num(c, "reserved", u16, &d.Reserved)
}

// Text is the body of TEXT.
type Text struct {
	Head
	Text string // with its NUL
}

func (d *Text) layout(c *coder) { c.bytes("text", c.remaining(), &d.Text) }

// Reference is the body of XREF.
type Reference struct {
	Head
	Type  string // four letters
	Fatal int64
	Name  string // with its NUL
}

func (d *Reference) layout(c *coder) {
	c.bytes("type", 4, &d.Type)
	num(c, "fatal", u8, &d.Fatal)
	c.bytes("name", c.remaining(), &d.Name)
}
