package nadeo

import (
	"cmp"
	"errors"
	"image"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	answers "pakbox/cmd/internal/answer/nadeo"

	"pakbox/cmd/internal/cli/kit"
	"pakbox/fault"
	"pakbox/internal/lib/quote"
	"pakbox/nadeo"
	"pakbox/nadeo/items"
	"pakbox/nadeo/items/importer"
	"pakbox/nadeo/items/itemxml"
	"pakbox/nadeo/items/library"
)

// meshEndings are the extensions of mesh files.
var meshEndings = []string{".glb", ".gltf", ".fbx"}

func isMeshFile(name string) bool {
	return slices.Contains(meshEndings, strings.ToLower(filepath.Ext(name)))
}

// createItem makes an item, as a crystal or a static object.
func createItem(a *kit.App, o itemFlags) error {
	game, err := nadeo.GenerationOf(o.game)
	if err != nil {
		return fault.Usagef("%v", err)
	}
	if game != nadeo.Trackmania2020 && game != nadeo.ManiaPlanet4 {
		return fault.Usagef("new items of %s cannot be made", game).Hint("--game mp4 or --game tm2020")
	}
	crystal := o.form == "crystal"
	if !crystal && game != nadeo.Trackmania2020 {
		return fault.Usagef("a static object can only be made for Trackmania of 2020").Hint("--form crystal makes an item for %s", o.game)
	}
	if crystal { // items of the game's editor move in steps of blocks
		o.grid, o.fly = cmp.Or(o.grid, 32), cmp.Or(o.fly, 8)
	}
	p := importer.Part{
		Mesh: o.mesh, Lods: o.lods, Name: cmp.Or(o.name, kit.BaseName(o.mesh)), Author: cmp.Or(o.author, "nobody"), Description: o.description,
		Collection: o.env, Trigger: o.trigger, GridSnap: itemxml.Steps{HStep: o.grid, VStep: o.fly}, FlyStep: o.fly,
	}
	if o.waypoint != "" {
		i := slices.IndexFunc(answers.WaypointNames, func(s string) bool { return strings.EqualFold(s, o.waypoint) })
		if i < 0 {
			return fault.Usagef("unknown waypoint %q", o.waypoint).Hint("write one of %s", strings.Join(answers.WaypointNames, ", "))
		}
		p.Waypoint = answers.WaypointNames[i]
	}
	if p.Pivots, err = answers.ParsePivots(o.pivots); err != nil {
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
		return fault.Usagef("%v", err)
	}
	if err != nil {
		return err
	}
	if !r.Failed() && !a.JSON && !crystal {
		a.Note("a static object cannot be scaled or edited in the game; --form crystal makes one that can")
	}
	err = writeImported(a, createReports, o.Out, r, o.Output)
	if len(r.Unlinked) > 0 && r.Failed() {
		a.Note("hint: choose a material of the game for each: %s; for all: --material '*=PlatformTech'; 'pakbox item materials' lists them", materialFlags(r.Unlinked))
	}
	return err
}

// materialFlags returns the flags that choose materials of the game, the nearest by name.
func materialFlags(names []string) string {
	const most = 3
	var flags []string
	for _, name := range names {
		if len(flags) == most {
			flags = append(flags, "...")
			break
		}
		if name == "" {
			continue // faces without a material; * stands for them
		}
		link := "PlatformTech"
		if near := library.Near(name); len(near) > 0 {
			link = near[0]
		}
		flags = append(flags, "--material "+quote.Word(name+"="+link))
	}
	if flags == nil {
		return "the faces have none"
	}
	return strings.Join(flags, " ")
}

// iconOf reads the picture of --icon; it returns nil without that flag.
func iconOf(path string) (image.Image, error) {
	if path == "" {
		return nil, nil
	}
	data, err := kit.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m, err := items.ReadIcon(data)
	return m, fault.InFile(err, path) // InFile of nil is nil
}

// staticMaterials reads the values of --material: NAME=LINK[:SURFACE[:EFFECT]].
func staticMaterials(list []string) (map[string]itemxml.Material, error) {
	out := map[string]itemxml.Material{}
	for _, text := range list {
		name, rest, ok := strings.Cut(text, "=")
		if !ok || rest == "" {
			return nil, fault.Usagef("%q names no material", text).Hint("--material NAME=PlatformTech")
		}
		parts := strings.Split(rest, ":")
		m := itemxml.Material{Link: parts[0]}
		if len(parts) > 1 && parts[1] != "" {
			surface := parts[1]
			if n, err := strconv.ParseUint(surface, 10, 8); err == nil {
				surface = library.SurfaceName(uint8(n))
			}
			if _, ok := library.Surface(surface); !ok {
				return nil, fault.Usagef("unknown surface %q", parts[1]).Hint("write one of %s", strings.Join(library.Importable, ", "))
			}
			m.PhysicsID = surface
		}
		if len(parts) > 2 {
			if _, ok := library.Gameplay(parts[2]); !ok {
				return nil, fault.Usagef("unknown effect %q", parts[2]).Hint("write one of %s", strings.Join(library.Gameplays, ", "))
			}
			m.GameplayID = parts[2]
		}
		out[name] = m
	}
	return out, nil
}
