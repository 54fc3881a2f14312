package nadeo

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/gbx"
	"pakbox/gbx/engine/gamedata"
	"pakbox/internal/answer/about"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/lib/hint"
	"pakbox/internal/source"
	"pakbox/trackmania/items"
	"pakbox/trackmania/items/edit"
	"pakbox/trackmania/items/library"
)

// itemSetting holds the flags of 'item set'. A flag that is not given changes nothing.
type itemSetting struct {
	materials, surfaces, pivots                            []string
	waypoint, icon, mesh                                   string
	grid, gridUp, fly, pivotSnap                           float32
	gridOffset, gridUpOffset, flyOffset                    float32
	yawOnly, notOnItem, autoRotation, manualPivot, noPivot bool
}

func init() { itemFamily.add((*app).itemSetCommand) }

func (a *app) itemSetCommand() *cobra.Command {
	var o itemSetting
	var save shell.Saving
	var many shell.Many
	cmd := &cobra.Command{
		Use:   "set ITEM...",
		Short: "Change materials, waypoint, placement, icon or mesh of items",
		Long: `Set changes existing items as the flags say, and leaves the rest of the files as
it is. Name a material as in the item, by the last part of its link, or write *
for all. 'pakbox mesh' lists the materials of an item, 'pakbox item materials'
those of the game. A new material drives as it usually does unless you name a
surface.

--mesh replaces the mesh of the item. The item keeps its form: a static object
of Nadeo's importer, or a crystal of the mesh modeler. An
item that becomes a waypoint and has no trigger gets a box around its mesh as the
trigger.

` + noGame,
		Example: `  pakbox item set Part.Item.Gbx --surface Metal=Ice
  pakbox item set Part.Item.Gbx --material Metal=PlatformTech:Asphalt:Turbo -o Turbo.Item.Gbx
  pakbox item set Gate.Item.Gbx --waypoint Checkpoint --icon gate.png
  pakbox item set Items --grid 16 --fly 4 --pivot 0,0,0 --not-on-item
  pakbox item set Part.Item.Gbx --mesh better.glb`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.ContainsFunc(itemSetFlags, func(name string) bool { return cmd.Flags().Changed(name) }) {
				return hint.Usagef("nothing is to be changed").Hint("pakbox item set Part.Item.Gbx --surface Metal=Ice")
			}
			return a.editItems(cmd, many, args, save, func(a *app, m *items.Model) (*form.Object, error) { return a.setItem(cmd, &o, m) })
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&o.materials, "material", nil, "let a material be another: `NAME=LINK`[:SURFACE[:EFFECT]]")
	flags.StringArrayVar(&o.surfaces, "surface", nil, "let a material drive otherwise: `NAME=SURFACE`[:EFFECT]")
	flags.StringVar(&o.waypoint, "waypoint", "", "make the item a waypoint of this `KIND`: Start, Checkpoint, Finish, StartFinish or None")
	flags.StringVar(&o.icon, "icon", "", "the icon, a PNG, JPEG or TGA `FILE`")
	flags.StringVar(&o.mesh, "mesh", "", "another mesh: a `FILE` of glTF or FBX")
	flags.Float32Var(&o.grid, "grid", 0, "the step in `METRES` in which the editor moves the item to the sides")
	flags.Float32Var(&o.gridUp, "grid-up", 0, "the step in `METRES` in which the editor moves the item upwards")
	flags.Float32Var(&o.gridOffset, "grid-offset", 0, "where the steps to the sides begin, in `METRES`")
	flags.Float32Var(&o.gridUpOffset, "grid-up-offset", 0, "where the steps upwards begin, in `METRES`")
	flags.Float32Var(&o.fly, "fly", 0, "the step in `METRES` above the ground")
	flags.Float32Var(&o.flyOffset, "fly-offset", 0, "where the steps above the ground begin, in `METRES`")
	flags.Float32Var(&o.pivotSnap, "pivot-snap", 0, "how near a pivot must be to snap, in `METRES`; -1 for the usual")
	flags.StringArrayVar(&o.pivots, "pivot", nil, "a place `X,Y,Z` in metres by which the editor holds the item, instead of those it has")
	flags.BoolVar(&o.noPivot, "no-pivot", false, "take all pivots out")
	flags.BoolVar(&o.yawOnly, "yaw-only", false, "the item stays upright (--yaw-only=false for not)")
	flags.BoolVar(&o.notOnItem, "not-on-item", false, "the item cannot be put on another item")
	flags.BoolVar(&o.autoRotation, "auto-rotation", false, "the item turns as the ground does")
	flags.BoolVar(&o.manualPivot, "manual-pivot", false, "pivots are switched by hand")
	many.Flags(cmd)
	save.Flags(cmd)
	return cmd
}

// itemSetFlags are the flags of which at least one must be given.
var itemSetFlags = []string{
	"material", "surface", "waypoint", "icon", "mesh", "grid", "grid-up", "grid-offset", "grid-up-offset", "fly", "fly-offset", "pivot-snap", "pivot",
	"no-pivot", "yaw-only", "not-on-item", "auto-rotation", "manual-pivot",
}

// editItems changes items and saves them, as editMaps does for maps.
func (a *app) editItems(cmd *cobra.Command, many shell.Many, args []string, o shell.Saving, change func(a *app, m *items.Model) (*form.Object, error)) error {
	many.Folders = true
	command := shell.SchemaName(cmd)
	inputs := a.Inputs(many, command, args)
	if err := o.Check(a.App, inputs); err != nil {
		return err
	}
	t := a.EachInput(many, command, "changing", inputs, func(run *shell.App, name string) error {
		a := &app{run}
		return about.WithGBX(a.Ctx, a.Opener, name, func(s *source.Source, f *gbx.File) error {
			m, err := items.ModelOf(f)
			if err != nil {
				return err
			}
			return a.saveGBX(o.For(a.Subject), command, name, s, f, nil, func() (*form.Object, error) { return change(a, m) })
		})
	})
	done := "saved"
	if o.DryRun {
		done = "looked at"
	}
	a.Summary(t, done, "")
	return nil
}

// setItem applies the flags. The mesh comes first, because the materials are those of the
// new mesh.
func (a *app) setItem(cmd *cobra.Command, o *itemSetting, m *items.Model) (*form.Object, error) {
	err := a.swapMesh(o.mesh, m)
	for _, step := range []func() error{
		func() error { return o.setMaterials(m) },
		func() error { return o.setWaypoint(m) },
		func() error { return o.setPlacement(cmd, m) },
		func() error {
			picture, err := iconOf(o.icon)
			if err == nil && picture != nil {
				return edit.Icon(m, picture)
			}
			return err
		},
	} {
		if err == nil {
			err = step()
		}
	}
	if err != nil {
		return nil, err
	}
	p, _ := m.Placement()
	return new(form.Object).Add("name", m.Name()).Add("materials", edit.Names(m)).Add("waypoint", m.Waypoint().String()).
		Add("icon", m.HasIcon()).Add("pivots", len(p.Pivots)), nil
}

func (a *app) swapMesh(file string, m *items.Model) error {
	if file == "" {
		return nil
	}
	notes, err := edit.Mesh(a.Ctx, m, file)
	for _, text := range notes {
		a.Note("%s", text)
	}
	return err
}

func (o *itemSetting) setMaterials(m *items.Model) error {
	for _, text := range o.materials {
		name, rest, ok := strings.Cut(text, "=")
		parts := strings.Split(rest, ":")
		if !ok || parts[0] == "" || len(parts) > 3 {
			return hint.Usagef("%q names no material", text).Hint("--material NAME=PlatformTech")
		}
		to := edit.Material{Name: name, Link: parts[0]}
		if err := drive(&to, parts[1:]); err != nil {
			return err
		}
		if err := edit.SetMaterial(m, to); err != nil {
			return err
		}
	}
	for _, text := range o.surfaces {
		name, rest, ok := strings.Cut(text, "=")
		parts := strings.Split(rest, ":")
		if !ok || rest == "" || len(parts) > 2 {
			return hint.Usagef("%q names no surface", text).Hint("--surface NAME=Ice")
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
			return nil, hint.Usagef("there is no %s %q", what, parts[i]).Hint("write one of %s", strings.Join(names, ", "))
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

func (o *itemSetting) setWaypoint(m *items.Model) error {
	if o.waypoint == "" {
		return nil
	}
	kinds := map[string]gamedata.CGameItemModelWaypointType{
		"start": gamedata.CGameItemModelWaypointTypeStart, "checkpoint": gamedata.CGameItemModelWaypointTypeCheckpoint,
		"finish": gamedata.CGameItemModelWaypointTypeFinish, "startfinish": gamedata.CGameItemModelWaypointTypeStartFinish,
		"none": gamedata.CGameItemModelWaypointTypeNone,
	}
	kind, ok := kinds[strings.ToLower(o.waypoint)]
	if !ok {
		return hint.Usagef("there is no waypoint %q", o.waypoint).Hint("write one of %s, None", strings.Join(waypointNames, ", "))
	}
	return edit.Waypoint(m, kind)
}

func (o *itemSetting) setPlacement(cmd *cobra.Command, m *items.Model) error {
	pivots, err := pivotsOf(o.pivots)
	if err != nil {
		return err
	}
	var steps []func(p *items.Placement)
	when := func(flag string, step func(p *items.Placement)) {
		if cmd.Flags().Changed(flag) {
			steps = append(steps, step)
		}
	}
	when("grid", func(p *items.Placement) { p.GridStep.X = o.grid })
	when("grid-up", func(p *items.Placement) { p.GridStep.Y = o.gridUp })
	when("grid-offset", func(p *items.Placement) { p.GridOffset.X = o.gridOffset })
	when("grid-up-offset", func(p *items.Placement) { p.GridOffset.Y = o.gridUpOffset })
	when("fly", func(p *items.Placement) { p.FlyStep = o.fly })
	when("fly-offset", func(p *items.Placement) { p.FlyOffset = o.flyOffset })
	when("pivot-snap", func(p *items.Placement) { p.PivotSnap = o.pivotSnap })
	when("yaw-only", func(p *items.Placement) { p.YawOnly = o.yawOnly })
	when("not-on-item", func(p *items.Placement) { p.NotOnObject = o.notOnItem })
	when("auto-rotation", func(p *items.Placement) { p.AutoRotation = o.autoRotation })
	when("manual-pivot", func(p *items.Placement) { p.SwitchPivotManually = o.manualPivot })
	when("no-pivot", func(p *items.Placement) { p.Pivots = nil })
	when("pivot", func(p *items.Placement) {
		p.Pivots = nil
		for _, at := range pivots {
			p.Pivots = append(p.Pivots, gbx.Vec3{X: float32(at[0]), Y: float32(at[1]), Z: float32(at[2])})
		}
	})
	if len(steps) == 0 {
		return nil
	}
	return edit.Placement(m, func(p *items.Placement) {
		for _, step := range steps {
			step(p)
		}
	})
}
