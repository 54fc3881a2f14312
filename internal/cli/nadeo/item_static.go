package nadeo

import (
	"cmp"
	"errors"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pakbox/fault"
	"pakbox/internal/cli/shell"
	"pakbox/internal/lib/hint"
	"pakbox/trackmania"
	"pakbox/trackmania/items"
	"pakbox/trackmania/items/importer"
	"pakbox/trackmania/items/itemxml"
	"pakbox/trackmania/items/library"
)

// meshEndings are the extensions of mesh files.
var meshEndings = []string{".glb", ".gltf", ".fbx"}

func isMeshFile(name string) bool {
	return slices.Contains(meshEndings, strings.ToLower(filepath.Ext(name)))
}

// waypointNames are the values of --waypoint.
var waypointNames = []string{"Start", "Checkpoint", "Finish", "StartFinish"}

// createItem makes an item, as a crystal or a static object.
func (a *app) createItem(o itemFlags) error {
	game, err := trackmania.GenerationOf(o.game)
	if err != nil {
		return hint.Usagef("%v", err)
	}
	if game != trackmania.Trackmania2020 && game != trackmania.ManiaPlanet4 {
		return hint.Usagef("new items of %s cannot be made", game).Hint("--game mp4 or --game tm2020")
	}
	crystal := o.form == "crystal"
	if !crystal && game != trackmania.Trackmania2020 {
		return hint.Usagef("a static object can only be made for Trackmania of 2020").Hint("--form crystal makes an item for %s", o.game)
	}
	if crystal { // items of the game's editor move in steps of blocks
		o.grid, o.fly = cmp.Or(o.grid, 32), cmp.Or(o.fly, 8)
	}
	p := importer.Part{
		Mesh: o.mesh, Lods: o.lods, Name: cmp.Or(o.name, shell.BaseName(o.mesh)), Author: cmp.Or(o.author, "nobody"), Description: o.description,
		Collection: o.env, Trigger: o.trigger, GridSnap: itemxml.Steps{HStep: o.grid, VStep: o.fly}, FlyStep: o.fly,
	}
	if o.waypoint != "" {
		i := slices.IndexFunc(waypointNames, func(s string) bool { return strings.EqualFold(s, o.waypoint) })
		if i < 0 {
			return hint.Usagef("there is no waypoint %q", o.waypoint).Hint("write one of %s", strings.Join(waypointNames, ", "))
		}
		p.Waypoint = waypointNames[i]
	}
	if p.Pivots, err = pivotsOf(o.pivots); err != nil {
		return err
	}
	if p.Materials, err = staticMaterials(o.materials); err != nil {
		return err
	}
	if p.Icon, err = iconOf(o.icon); err != nil {
		return err
	}
	r, err := importer.Create(a.Ctx, p, importer.Options{Game: game, Crystal: crystal, Source: "pakbox item create " + filepath.Base(o.mesh)})
	if errors.Is(err, fault.Unsupported) {
		return hint.Usagef("%v", err)
	}
	if err != nil {
		return err
	}
	if !r.Failed() && !a.JSON && !crystal {
		a.Note("a static object cannot be scaled or edited in the game; --form crystal makes one that can")
	}
	return writeImported(a.App, "item.create", o.Out, r, o.Making)
}

// iconOf reads the picture of --icon, nil if there is none.
func iconOf(path string) (image.Image, error) {
	if path == "" {
		return nil, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m, err := items.ReadIcon(data)
	return m, fault.InFile(err, path) // InFile of nil is nil
}

// pivotsOf reads the values of --pivot: three numbers each.
func pivotsOf(list []string) ([][3]float64, error) {
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
				return nil, hint.Usagef("%q is not three numbers", text).Hint("--pivot 0,1.5,0")
			}
		}
		out = append(out, p)
	}
	return out, nil
}

// staticMaterials reads the values of --material: NAME=LINK[:SURFACE[:EFFECT]].
func staticMaterials(list []string) (map[string]itemxml.Material, error) {
	out := map[string]itemxml.Material{}
	for _, text := range list {
		name, rest, ok := strings.Cut(text, "=")
		if !ok || rest == "" {
			return nil, hint.Usagef("%q names no material", text).Hint("--material NAME=PlatformTech")
		}
		parts := strings.Split(rest, ":")
		m := itemxml.Material{Link: parts[0]}
		if len(parts) > 1 && parts[1] != "" {
			surface := parts[1]
			if n, err := strconv.ParseUint(surface, 10, 8); err == nil {
				surface = library.SurfaceName(uint8(n))
			}
			if _, ok := library.Surface(surface); !ok {
				return nil, hint.Usagef("there is no surface %q", parts[1]).Hint("write one of %s", strings.Join(library.Importable, ", "))
			}
			m.PhysicsID = surface
		}
		if len(parts) > 2 {
			if _, ok := library.Gameplay(parts[2]); !ok {
				return nil, hint.Usagef("there is no effect %q", parts[2]).Hint("write one of %s", strings.Join(library.Gameplays, ", "))
			}
			m.GameplayID = parts[2]
		}
		out[name] = m
	}
	return out, nil
}
