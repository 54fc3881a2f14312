package nadeo

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/gbx"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/source"
	"pakbox/trackmania"
)

func (a *app) mapBlocksCommand() *cobra.Command {
	var counts, asCSV, baked, items bool
	cmd := &cobra.Command{
		Use:   "blocks MAP...",
		Short: "List the blocks on a map, or count them by name",
		Long: `Blocks lists the blocks on a map: name, place in blocks (x y z) and direction (0
north, 1 east, 2 south, 3 west). Free blocks, and the items that --items adds,
have their place in metres instead, and their rotation in radians.`,
		Example: `  pakbox map blocks A.Map.Gbx
  pakbox map blocks --count --items A.Map.Gbx
  pakbox map blocks --csv A.Map.Gbx > blocks.csv`,
		Args: shell.ArgCount(1, shell.Unlimited),
	}
	cmd.RunE = a.eachMap(func(name string, _ *source.Source, m *trackmania.Map) error {
		list := placedThings(m, baked, items)
		switch {
		case counts:
			return a.countBlocks(name, list, asCSV)
		case a.JSON:
			return a.Print(answer.New("map.blocks", name, "gbx").Add("blocks", list))
		case asCSV:
			return a.writeBlocks(list)
		}
		for i := range list {
			fmt.Fprintln(a.Out, list[i].text())
		}
		return nil
	})
	cmd.Flags().BoolVar(&counts, "count", false, "count them by name")
	cmd.Flags().BoolVar(&asCSV, "csv", false, "write CSV")
	cmd.Flags().BoolVar(&baked, "baked", false, "also the blocks that the game adds by itself")
	cmd.Flags().BoolVar(&items, "items", false, "also the items")
	return cmd
}

// placedJSON is a block or item on a map in JSON.
type placedJSON struct {
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

// placedThings lists what stands on a map.
func placedThings(m *trackmania.Map, baked, items bool) []placedJSON {
	list := make([]placedJSON, 0)
	for _, b := range m.Blocks() {
		list = append(list, blockObject(&b, "block"))
	}
	if baked {
		for _, b := range m.BakedBlocks() {
			list = append(list, blockObject(&b, "baked"))
		}
	}
	if items {
		for _, it := range m.Items() {
			j := placedJSON{Name: it.Model.ID.String(), Kind: "item", Waypoint: answer.NonEmpty(it.Waypoint), Color: colorOrNull(it.Color)}
			j.Position, j.Rotation = floats(it.Position), floats(it.YawPitchRoll)
			list = append(list, j)
		}
	}
	return list
}

func blockObject(b *trackmania.Block, kind string) placedJSON {
	flags := fmt.Sprintf("%08X", b.Flags)
	j := placedJSON{
		Name: b.Name, Kind: kind, Ghost: b.Ghost(), Ground: b.Ground(), Color: colorOrNull(b.Color),
		Skin: answer.NonEmpty(b.Skin), Waypoint: answer.NonEmpty(b.Waypoint), Flags: &flags,
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

// text is a line for people.
func (p *placedJSON) text() string {
	cells := p.row()
	unit := ""
	if p.Coord == nil {
		unit = " m"
	}
	line := fmt.Sprintf("%-32s %s %s %s%s", shell.Printable(p.Name), cells[2], cells[3], cells[4], unit)
	if p.Direction != nil {
		line += "  facing " + cells[5]
	}
	if p.Waypoint != nil {
		line += "  " + shell.Printable(*p.Waypoint)
	}
	return line
}

// blockColumns are the columns of CSV.
var blockColumns = []string{"name", "kind", "x", "y", "z", "direction", "unit", "yaw", "pitch", "roll", "ghost", "ground", "color", "skin", "waypoint", "flags"}

func (a *app) writeBlocks(list []placedJSON) error {
	w := csv.NewWriter(a.Out)
	w.Write(blockColumns)
	for i := range list {
		w.Write(list[i].row())
	}
	w.Flush()
	return w.Error()
}

// row is a block or item as a row of CSV.
func (p *placedJSON) row() []string {
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

func floatText(f float32) string { return strconv.FormatFloat(float64(f), 'g', 7, 32) }

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// nameCount is how often something stands on a map.
type nameCount struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Count int    `json:"count"`
}

func (a *app) countBlocks(name string, list []placedJSON, asCSV bool) error {
	at := map[[2]string]int{}
	counts := []nameCount{}
	for i := range list {
		key := [2]string{list[i].Kind, list[i].Name}
		if _, ok := at[key]; !ok {
			at[key] = len(counts)
			counts = append(counts, nameCount{Name: list[i].Name, Kind: list[i].Kind})
		}
		counts[at[key]].Count++
	}
	slices.SortStableFunc(counts, func(x, y nameCount) int {
		if d := y.Count - x.Count; d != 0 {
			return d
		}
		return strings.Compare(x.Name, y.Name)
	})
	if a.JSON {
		return a.Print(answer.New("map.blocks", name, "gbx").Add("count", len(list)).Add("by_name", counts))
	}
	if asCSV {
		w := csv.NewWriter(a.Out)
		w.Write([]string{"name", "kind", "count"})
		for _, c := range counts {
			w.Write([]string{c.Name, c.Kind, strconv.Itoa(c.Count)})
		}
		w.Flush()
		return w.Error()
	}
	t := shell.Table{Right: 1}
	for _, c := range counts {
		t.Add(strconv.Itoa(c.Count), c.Kind, shell.Printable(c.Name))
	}
	t.Add(strconv.Itoa(len(list)), "in all")
	t.Print(a.Out)
	return nil
}
