package nadeo

import (
	"context"
	"reflect"
	"strconv"
	"strings"

	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/gamedata"
	"pakbox/nadeo/items"
	"pakbox/nadeo/items/edit"
	"pakbox/nadeo/items/library"
)

// ItemSettings are the parts of an item to change. Missing parts stay.
type ItemSettings struct {
	Materials    []string         `json:"material" value:"NAME=LINK" doc:"let a material be another: NAME=LINK[:SURFACE[:EFFECT]]"`
	Surfaces     []string         `json:"surface" value:"NAME=SURFACE" doc:"let a material drive otherwise: NAME=SURFACE[:EFFECT]"`
	Waypoint     string           `json:"waypoint" value:"KIND" doc:"make the item a waypoint of this KIND: Start, Checkpoint, Finish, StartFinish or None"`
	Icon         question.Content `json:"icon" value:"FILE" doc:"the icon, a PNG, JPEG or TGA FILE"`
	Mesh         string           `json:"mesh" value:"FILE" local:"" doc:"another mesh: a FILE of glTF or FBX"`
	Grid         *float64         `json:"grid" value:"METRES" doc:"the step in METRES in which the editor moves the item to the sides"`
	GridUp       *float64         `json:"grid_up" value:"METRES" doc:"the step in METRES in which the editor moves the item upwards"`
	GridOffset   *float64         `json:"grid_offset" value:"METRES" doc:"where the steps to the sides begin, in METRES"`
	GridUpOffset *float64         `json:"grid_up_offset" value:"METRES" doc:"where the steps upwards begin, in METRES"`
	Fly          *float64         `json:"fly" value:"METRES" doc:"the step in METRES above the ground"`
	FlyOffset    *float64         `json:"fly_offset" value:"METRES" doc:"where the steps above the ground begin, in METRES"`
	PivotSnap    *float64         `json:"pivot_snap" value:"METRES" doc:"how near a pivot must be to snap, in METRES; -1 for the usual"`
	Pivots       []string         `json:"pivot" value:"X,Y,Z" doc:"a place X,Y,Z in metres by which the editor holds the item, instead of those it has"`
	NoPivot      bool             `json:"no_pivot" doc:"take all pivots out"`
	YawOnly      *bool            `json:"yaw_only" doc:"the item stays upright (--yaw-only=false for not)"`
	NotOnItem    *bool            `json:"not_on_item" doc:"the item cannot be put on another item"`
	AutoRotation *bool            `json:"auto_rotation" doc:"the item turns as the ground does"`
	ManualPivot  *bool            `json:"manual_pivot" doc:"pivots are switched by hand"`
}

// ItemSettled is the report about a changed item.
type ItemSettled struct {
	Name      string   `json:"name" doc:"name of the item"`
	Materials []string `json:"materials" doc:"names of its materials"`
	Waypoint  string   `json:"waypoint" doc:"kind of waypoint"`
	Icon      bool     `json:"icon" doc:"whether it has an icon"`
	Pivots    int      `json:"pivots" doc:"number of its pivots"`
}

// SetItem is the change of an item's materials, waypoint, placement, icon or mesh.
var SetItem = changeGBX("item.set", "changes materials, waypoint, placement, icon or mesh of an item", func(ctx context.Context, _ *question.At, f *gbx.File, p ItemSettings, r *question.Revision) (*ItemSettled, error) {
	m, err := items.ModelOf(f)
	if err != nil {
		return nil, err
	}
	if reflect.ValueOf(p).IsZero() {
		return nil, fault.Usagef("nothing is to be changed").Hint("pakbox item set Part.Item.Gbx --surface Metal=Ice")
	}
	if p.Mesh != "" { // first, because the materials are those of the new mesh
		notes, err := edit.Mesh(ctx, m, p.Mesh)
		r.Notes = append(r.Notes, notes...)
		if err != nil {
			return nil, err
		}
	}
	for _, step := range []func(m *items.Model) error{p.setMaterials, p.setWaypoint, p.setPlacement, p.setIcon} {
		if err := step(m); err != nil {
			return nil, err
		}
	}
	place, _ := m.Placement()
	return &ItemSettled{m.Name(), edit.Names(m), m.Waypoint().String(), m.HasIcon(), len(place.Pivots)}, nil
}).Labelled("Change item")

func (p *ItemSettings) setIcon(m *items.Model) error {
	if p.Icon.Name == "" && len(p.Icon.Data) == 0 {
		return nil
	}
	picture, err := items.ReadIcon(p.Icon.Data)
	if err != nil {
		return fault.InFile(err, p.Icon.Name)
	}
	return edit.Icon(m, picture)
}

func (p *ItemSettings) setMaterials(m *items.Model) error {
	for _, text := range p.Materials {
		name, rest, ok := strings.Cut(text, "=")
		parts := strings.Split(rest, ":")
		if !ok || parts[0] == "" || len(parts) > 3 {
			return fault.Usagef("%q names no material", text).Hint("--material NAME=PlatformTech")
		}
		to := edit.Material{Name: name, Link: parts[0]}
		if err := drive(&to, parts[1:]); err != nil {
			return err
		}
		if err := edit.SetMaterial(m, to); err != nil {
			return err
		}
	}
	for _, text := range p.Surfaces {
		name, rest, ok := strings.Cut(text, "=")
		parts := strings.Split(rest, ":")
		if !ok || rest == "" || len(parts) > 2 {
			return fault.Usagef("%q names no surface", text).Hint("--surface NAME=Ice")
		}
		to := edit.Material{Name: name}
		if err := drive(&to, parts); err != nil {
			return err
		}
		if err := edit.SetMaterial(m, to); err != nil {
			return err
		}
	}
	return nil
}

// drive reads a surface and an effect, each by name or number.
func drive(to *edit.Material, parts []string) error {
	read := func(i int, what string, find func(string) (uint8, bool), names []string) (*uint8, error) {
		if i >= len(parts) || parts[i] == "" {
			return nil, nil
		}
		if n, err := strconv.ParseUint(parts[i], 10, 8); err == nil {
			v := uint8(n)
			return &v, nil
		}
		v, ok := find(parts[i])
		if !ok {
			return nil, fault.Usagef("unknown %s %q", what, parts[i]).Hint("write one of %s", strings.Join(names, ", "))
		}
		return &v, nil
	}
	var err error
	if to.Surface, err = read(0, "surface", library.Surface, library.Importable); err != nil {
		return err
	}
	to.Gameplay, err = read(1, "effect", library.Gameplay, library.Gameplays)
	return err
}

func (p *ItemSettings) setWaypoint(m *items.Model) error {
	if p.Waypoint == "" {
		return nil
	}
	kinds := map[string]gamedata.CGameItemModelWaypointType{
		"start": gamedata.CGameItemModelWaypointTypeStart, "checkpoint": gamedata.CGameItemModelWaypointTypeCheckpoint,
		"finish": gamedata.CGameItemModelWaypointTypeFinish, "startfinish": gamedata.CGameItemModelWaypointTypeStartFinish,
		"none": gamedata.CGameItemModelWaypointTypeNone,
	}
	kind, ok := kinds[strings.ToLower(p.Waypoint)]
	if !ok {
		return fault.Usagef("unknown waypoint %q", p.Waypoint).Hint("write one of %s, None", strings.Join(WaypointNames, ", "))
	}
	return edit.Waypoint(m, kind)
}

func (p *ItemSettings) setPlacement(m *items.Model) error {
	pivots, err := ParsePivots(p.Pivots)
	if err != nil {
		return err
	}
	if p.NoPivot || len(pivots) > 0 || p.placesAnew() {
		return edit.Placement(m, func(to *items.Placement) {
			p.place(to)
			if p.NoPivot || len(pivots) > 0 {
				to.Pivots = nil
			}
			for _, at := range pivots {
				to.Pivots = append(to.Pivots, gbx.Vec3{X: float32(at[0]), Y: float32(at[1]), Z: float32(at[2])})
			}
		})
	}
	return nil
}

// placesAnew reports whether a value of the placement is given.
func (p *ItemSettings) placesAnew() bool {
	var to items.Placement
	return p.place(&to)
}

// place sets the given values of a placement, and reports whether there are any.
func (p *ItemSettings) place(to *items.Placement) (given bool) {
	for _, n := range []struct {
		from *float64
		to   *float32
	}{
		{p.Grid, &to.GridStep.X}, {p.GridUp, &to.GridStep.Y}, {p.GridOffset, &to.GridOffset.X}, {p.GridUpOffset, &to.GridOffset.Y},
		{p.Fly, &to.FlyStep}, {p.FlyOffset, &to.FlyOffset}, {p.PivotSnap, &to.PivotSnap},
	} {
		if n.from != nil {
			*n.to, given = float32(*n.from), true
		}
	}
	for _, b := range []struct{ from, to *bool }{
		{p.YawOnly, &to.YawOnly}, {p.NotOnItem, &to.NotOnObject}, {p.AutoRotation, &to.AutoRotation}, {p.ManualPivot, &to.SwitchPivotManually},
	} {
		if b.from != nil {
			*b.to, given = *b.from, true
		}
	}
	return given
}

// WaypointNames are the kinds of waypoints.
var WaypointNames = []string{"Start", "Checkpoint", "Finish", "StartFinish"}

// ParsePivots reads pivots as texts: three numbers each.
func ParsePivots(list []string) ([][3]float64, error) {
	var out [][3]float64
	for _, text := range list {
		var p [3]float64
		parts := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' })
		for i := range p {
			var err error
			if len(parts) == len(p) {
				p[i], err = strconv.ParseFloat(parts[i], 32)
			}
			if len(parts) != len(p) || err != nil {
				return nil, fault.Usagef("%q is not three numbers", text).Hint("--pivot 0,1.5,0")
			}
		}
		out = append(out, p)
	}
	return out, nil
}
