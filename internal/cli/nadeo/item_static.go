package nadeo

import (
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
	"pakbox/trackmania/items"
	"pakbox/trackmania/items/importer"
	"pakbox/trackmania/items/itemxml"
	"pakbox/trackmania/items/library"
)

// meshEndings are the endings of files that hold a mesh.
var meshEndings = []string{".glb", ".gltf", ".fbx"}

func isMeshFile(name string) bool {
	return slices.Contains(meshEndings, strings.ToLower(filepath.Ext(name)))
}

// waypointNames are what --waypoint takes.
var waypointNames = []string{"Start", "Checkpoint", "Finish", "StartFinish"}

// createStatic makes an item as the importer makes it.
func (a *app) createStatic(o itemFlags) error {
	if o.game != "tm2020" {
		return hint.Usagef("a static object can only be made for Trackmania of 2020").Hint("--form crystal makes an item for %s", o.game)
	}
	p := importer.Part{
		Mesh: o.mesh, Lods: o.lods, Name: o.Name, Author: o.Author, Collection: o.Environment, Trigger: o.trigger,
		GridSnap: itemxml.Steps{HStep: float64(o.GridStep), VStep: float64(o.FlyStep)}, FlyStep: float64(o.FlyStep),
	}
	if p.Name == "" {
		p.Name = shell.BaseName(o.mesh)
	}
	if p.Author == "" {
		p.Author = "nobody"
	}
	if o.waypoint != "" {
		i := slices.IndexFunc(waypointNames, func(s string) bool { return strings.EqualFold(s, o.waypoint) })
		if i < 0 {
			return hint.Usagef("there is no waypoint %q", o.waypoint).Hint("write one of %s", strings.Join(waypointNames, ", "))
		}
		p.Waypoint = waypointNames[i]
	}
	var err error
	if p.Pivots, err = pivotsOf(o.pivots); err != nil {
		return err
	}
	if p.Materials, err = staticMaterials(o.materials); err != nil {
		return err
	}
	if p.Icon, err = iconOf(o.icon); err != nil {
		return err
	}
	r, err := importer.Create(a.Ctx, p, importer.Options{Source: "pakbox item create " + filepath.Base(o.mesh)})
	if errors.Is(err, fault.Unsupported) {
		return hint.Usagef("%v", err)
	}
	if err != nil {
		return err
	}
	if !r.Failed() && !a.JSON {
		a.Note("a static object cannot be scaled or edited in the game; --form crystal makes one that can")
	}
	return writeImported(a.App, "item.create", o.mesh, r, o.Making)
}

// iconOf reads the picture of --icon; nil for none.
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

// pivotsOf reads what --pivot says: three numbers each.
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

// staticMaterials reads what --material says: NAME=LINK[:SURFACE[:EFFECT]].
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
