package answer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pakbox/gbx"
	"pakbox/trackmania"
)

// Placed is a block or item on a map in JSON.
type Placed struct {
	Name      string      `json:"name"`
	Kind      string      `json:"kind"`           // block, baked, item
	Coord     *[3]int32   `json:"coord"`          // null off the grid
	Direction *int        `json:"direction"`      // null off the grid
	Position  *[3]float32 `json:"position"`       // in metres; null on the grid
	Rotation  *[3]float32 `json:"yaw_pitch_roll"` // in radians; null on the grid
	Ghost     bool        `json:"ghost"`
	Ground    bool        `json:"ground"`
	Color     *int        `json:"color"`
	Skin      *string     `json:"skin"`
	Waypoint  *string     `json:"waypoint"`
	Flags     *string     `json:"flags"`
}

// PlacedOn lists what stands on a map.
func PlacedOn(m *trackmania.Map, baked, items bool) []Placed {
	list := make([]Placed, 0)
	for _, b := range m.Blocks() {
		list = append(list, placedBlock(&b, "block"))
	}
	if baked {
		for _, b := range m.BakedBlocks() {
			list = append(list, placedBlock(&b, "baked"))
		}
	}
	if items {
		for _, it := range m.Items() {
			j := Placed{Name: it.Model.ID.String(), Kind: "item", Waypoint: NonEmpty(it.Waypoint), Color: colorOrNull(it.Color)}
			j.Position, j.Rotation = floats(it.Position), floats(it.YawPitchRoll)
			list = append(list, j)
		}
	}
	return list
}

func placedBlock(b *trackmania.Block, kind string) Placed {
	flags := fmt.Sprintf("%08X", b.Flags)
	j := Placed{
		Name: b.Name, Kind: kind, Ghost: b.Ghost(), Ground: b.Ground(), Color: colorOrNull(b.Color),
		Skin: NonEmpty(b.Skin), Waypoint: NonEmpty(b.Waypoint), Flags: &flags,
	}
	if b.Free {
		j.Position, j.Rotation = floats(b.Position), floats(b.YawPitchRoll)
	} else {
		j.Coord, j.Direction = &[3]int32{b.Coord.X, b.Coord.Y, b.Coord.Z}, &b.Direction
	}
	return j
}

func floats(v gbx.Vec3) *[3]float32 {
	return &[3]float32{jsonFloat(v.X), jsonFloat(v.Y), jsonFloat(v.Z)}
}

// jsonFloat replaces what JSON cannot say by zero.
func jsonFloat(f float32) float32 {
	if f-f != 0 {
		return 0
	}
	return f
}

func colorOrNull(c int) *int {
	if c < 0 {
		return nil
	}
	return &c
}

// BlockColumns are the columns of blocks in a table.
var BlockColumns = []string{"name", "kind", "x", "y", "z", "direction", "unit", "yaw", "pitch", "roll", "ghost", "ground", "color", "skin", "waypoint", "flags"}

// Row is a block or item as a row of CSV.
func (p *Placed) Row() []string {
	row := []string{p.Name, p.Kind}
	if p.Coord != nil {
		for _, c := range p.Coord {
			row = append(row, strconv.Itoa(int(c)))
		}
		row = append(row, strconv.Itoa(*p.Direction), "block", "", "", "")
	} else {
		for _, c := range p.Position {
			row = append(row, floatText(c))
		}
		row = append(row, "", "metre")
		for _, c := range p.Rotation {
			row = append(row, floatText(c))
		}
	}
	color := ""
	if p.Color != nil {
		color = strconv.Itoa(*p.Color)
	}
	return append(row, strconv.FormatBool(p.Ghost), strconv.FormatBool(p.Ground), color, orEmpty(p.Skin), orEmpty(p.Waypoint), orEmpty(p.Flags))
}

// PlacedColumns are those of a table of what stands on several maps.
var PlacedColumns = append([]string{"file"}, BlockColumns...)

// TableRow is a block or item as a row of a table.
func (p *Placed) TableRow(file string) *Row {
	cells := []any{file, p.Name, p.Kind}
	if p.Coord != nil {
		for _, c := range p.Coord {
			cells = append(cells, int(c))
		}
		cells = append(cells, *p.Direction, "block", nil, nil, nil)
	} else {
		for _, c := range p.Position {
			cells = append(cells, c)
		}
		cells = append(cells, nil, "metre")
		for _, c := range p.Rotation {
			cells = append(cells, c)
		}
	}
	var color any
	if p.Color != nil {
		color = *p.Color
	}
	return PlainRow(PlacedColumns, append(cells, p.Ghost, p.Ground, color, orEmpty(p.Skin), orEmpty(p.Waypoint), orEmpty(p.Flags))...)
}

func floatText(f float32) string { return strconv.FormatFloat(float64(f), 'g', 7, 32) }

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// NameCount is how often something stands on a map.
type NameCount struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Count int    `json:"count"`
}

// CountPlaced counts things by their kinds and names, most first.
func CountPlaced(list []Placed) []NameCount {
	at := map[[2]string]int{}
	counts := []NameCount{}
	for i := range list {
		key := [2]string{list[i].Kind, list[i].Name}
		if _, ok := at[key]; !ok {
			at[key] = len(counts)
			counts = append(counts, NameCount{Name: list[i].Name, Kind: list[i].Kind})
		}
		counts[at[key]].Count++
	}
	slices.SortStableFunc(counts, func(x, y NameCount) int {
		if d := y.Count - x.Count; d != 0 {
			return d
		}
		return strings.Compare(x.Name, y.Name)
	})
	return counts
}

// CountObject is the count of things as JSON.
func CountObject(name string, total int, counts []NameCount) *Object {
	return New("map.blocks", name, "gbx").Add("count", total).Add("by_name", counts)
}

// BlocksObject is the list of things as JSON.
func BlocksObject(name string, list []Placed) *Object {
	return New("map.blocks", name, "gbx").Add("blocks", list)
}
