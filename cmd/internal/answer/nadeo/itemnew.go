package nadeo

import (
	"cmp"
	"context"
	"errors"
	"image"
	"path"
	"slices"
	"strconv"
	"strings"

	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/nadeo"
	"pakbox/nadeo/items"
	"pakbox/nadeo/items/importer"
	"pakbox/nadeo/items/itemxml"
	"pakbox/nadeo/items/library"
)

// MeshItem are the parameters of an item that is made of a mesh.
type MeshItem struct {
	Form        string             `json:"form" value:"FORM" doc:"the FORM of the item: static or crystal"`
	Icon        question.Content   `json:"icon" value:"FILE" doc:"the icon, a PNG, JPEG or TGA FILE"`
	Materials   []string           `json:"material" value:"NAME=LINK" doc:"what stands for a material: NAME=LINK[:SURFACE[:EFFECT]]"`
	Waypoint    string             `json:"waypoint" value:"KIND" doc:"make the item a waypoint of this KIND: Start, Checkpoint, Finish or StartFinish"`
	Trigger     string             `json:"trigger" value:"OBJECT" doc:"the OBJECT of the mesh that fires the waypoint"`
	Pivots      []string           `json:"pivot" value:"X,Y,Z" doc:"a place X,Y,Z in metres by which the editor holds the item"`
	Lods        []string           `json:"lods" value:"FILE" paths:"" doc:"a mesh FILE for the next coarser level of detail"`
	Game        string             `json:"game" value:"GAME" doc:"the GAME: mp4 or tm2020"`
	Env         string             `json:"env" value:"NAME" doc:"the environment's NAME (default Stadium)"`
	Name        string             `json:"name" value:"NAME" doc:"the item's NAME (default that of the mesh's file)"`
	Author      string             `json:"author" value:"LOGIN" doc:"the author's LOGIN (default nobody)"`
	Description string             `json:"description" value:"TEXT" doc:"a TEXT about it"`
	Grid        float64            `json:"grid" value:"METRES" doc:"the step in METRES in which the editor moves it to the sides (default 32 for crystals)"`
	Fly         float64            `json:"fly" value:"METRES" doc:"the step in METRES in which the editor moves it upwards (default 8 for crystals)"`
	Files       []question.Content `json:"files" request:"" doc:"files that a mesh of the type .gltf names"`
}

// Forms of items.
const (
	Static  = "static"
	Crystal = "crystal"
)

// CheckForm rejects an unknown form of items.
func CheckForm(form string) error {
	if form != Static && form != Crystal {
		return fault.Usagef("unknown form %q", form).Hint("--form static or --form crystal")
	}
	return nil
}

// ItemReport is the report about a new item.
type ItemReport struct {
	Name       string   `json:"name" doc:"name of the item"`
	Author     string   `json:"author_login" doc:"login of the author"`
	Game       string   `json:"game" doc:"game that the item is for"`
	Collection string   `json:"collection_name" doc:"environment of the item"`
	Icon       bool     `json:"icon" doc:"whether the item has an icon"`
	Vertices   int      `json:"vertex_count" doc:"number of vertices in the finest level of detail"`
	Triangles  int      `json:"triangle_count" doc:"number of triangles in the finest level of detail"`
	Materials  []string `json:"materials" doc:"names of the materials"`
	Problems
}

// Problems is the report about files from which something is made.
type Problems struct {
	OK   bool              `json:"ok" doc:"whether the item was made"`
	List []finding.Finding `json:"problems" doc:"problems of the source"`

	Unlinked []string `json:"-"` // materials for which none of the game was chosen
}

// itemFile returns the file of a new item, or the error about its problems.
func itemFile(r *importer.Result, d *question.Disk, name string) (*question.File, error) {
	problems := Problems{!r.Failed(), d.Findings(r.Problems), r.Unlinked}
	if r.Failed() {
		return nil, question.Reject(&problems, problems.List)
	}
	data, err := r.Model.File.Encode()
	if err != nil {
		return nil, err
	}
	mesh, err := r.Model.Mesh()
	if err != nil {
		return nil, err
	}
	vertices, triangles := mesh.Finest().Count()
	names := []string{}
	for _, m := range mesh.Materials {
		names = append(names, m.Name)
	}
	m := r.Model
	return &question.File{Name: name + ".Item.Gbx", Data: data, Say: &ItemReport{
		m.Name(), m.Author(), string(r.MadeFor), m.Collection(), m.HasIcon(), vertices, triangles, names, problems}}, nil
}

// CreateItem is the question for an item that is made of a mesh.
var CreateItem = question.New(&room, "item.create", "an item made of a mesh", func(ctx context.Context, at *question.At, p MeshItem) (*question.File, error) {
	p.Form = cmp.Or(p.Form, Static)
	if err := CheckForm(p.Form); err != nil {
		return nil, err
	}
	game, err := nadeo.GenerationOf(cmp.Or(p.Game, "tm2020"))
	crystal := p.Form == Crystal
	switch {
	case err != nil:
		return nil, fault.Usagef("%v", err)
	case game != nadeo.Trackmania2020 && game != nadeo.ManiaPlanet4:
		return nil, fault.Usagef("new items of %s cannot be made", game).Hint("--game mp4 or --game tm2020")
	case !crystal && game != nadeo.Trackmania2020:
		return nil, fault.Usagef("a static object can only be made for Trackmania of 2020").Hint("--form crystal makes an item for %s", p.Game)
	}
	base := path.Base(source.Slashed(at.Path))
	part, err := p.part(strings.TrimSuffix(base, path.Ext(base)), crystal)
	if err != nil {
		return nil, err
	}
	d, err := at.OnDisk(ctx, p.Files, sideFiles(at.Path)...)
	if err != nil {
		return nil, err
	}
	part.Mesh = d.Path
	for _, lod := range p.Lods {
		coarser, err := at.For(lod).OnDisk(ctx, p.Files, sideFiles(lod)...)
		if err != nil {
			return nil, err
		}
		part.Lods = append(part.Lods, coarser.Path)
	}
	r, err := importer.Create(ctx, *part, importer.Options{Game: game, Crystal: crystal, Source: "pakbox item create " + base})
	if errors.Is(err, fault.Unsupported) {
		return nil, fault.Usagef("%v", d.Failure(err))
	}
	if err != nil {
		return nil, d.Failure(err)
	}
	at.Format = "gbx"
	f, err := itemFile(r, d, part.Name)
	if err == nil && !crystal {
		f.Notes = append(f.Notes, "a static object cannot be scaled or edited in the game; --form crystal makes one that can")
	}
	return f, err
})

// sideFiles returns the extensions of the files that a mesh names.
func sideFiles(mesh string) []string {
	if strings.EqualFold(path.Ext(mesh), ".gltf") {
		return []string{".bin"}
	}
	return nil
}

// part describes the item for the importer.
func (p *MeshItem) part(name string, crystal bool) (part *importer.Part, err error) {
	if crystal { // items of the game's editor move in steps of blocks
		p.Grid, p.Fly = cmp.Or(p.Grid, 32), cmp.Or(p.Fly, 8)
	}
	part = &importer.Part{
		Name: cmp.Or(p.Name, name), Author: cmp.Or(p.Author, "nobody"), Description: p.Description,
		Collection: p.Env, Trigger: p.Trigger, GridSnap: itemxml.Steps{HStep: p.Grid, VStep: p.Fly}, FlyStep: p.Fly,
	}
	if p.Waypoint != "" {
		i := slices.IndexFunc(WaypointNames, func(s string) bool { return strings.EqualFold(s, p.Waypoint) })
		if i < 0 {
			return nil, fault.Usagef("unknown waypoint %q", p.Waypoint).Hint("write one of %s", strings.Join(WaypointNames, ", "))
		}
		part.Waypoint = WaypointNames[i]
	}
	if part.Pivots, err = ParsePivots(p.Pivots); err != nil {
		return nil, err
	}
	if part.Materials, err = staticMaterials(p.Materials); err != nil {
		return nil, err
	}
	part.Icon, err = iconOf(p.Icon)
	return part, err
}

// iconOf reads the picture for an icon; it returns nil if none is given.
func iconOf(c question.Content) (image.Image, error) {
	if c.Name == "" && len(c.Data) == 0 {
		return nil, nil
	}
	m, err := items.ReadIcon(c.Data)
	return m, fault.InFile(err, c.Name) // InFile of nil is nil
}

// staticMaterials reads materials: NAME=LINK[:SURFACE[:EFFECT]].
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

// XMLItem are the parameters of an item that is made as Nadeo's importer does.
type XMLItem struct {
	Form  string             `json:"form" value:"FORM" doc:"the FORM of the item: static or crystal"`
	Game  string             `json:"game" value:"GAME" doc:"the GAME of a crystal: mp4 or tm2020"`
	Files []question.Content `json:"files" request:"" doc:"files that the XML file names, if they are not beside it; as is the path of one from there"`
}

// importedFiles are the extensions of files that the XML file of an item names.
var importedFiles = []string{".xml", ".fbx", ".glb", ".gltf", ".bin", ".tga", ".png", ".gbx"}

// ImportItem is the question for an item that is made of the files for Nadeo's importer.
var ImportItem = question.New(&room, "item.import", "an item made of the files that Nadeo's importer reads", func(ctx context.Context, at *question.At, p XMLItem) (*question.File, error) {
	p.Form = cmp.Or(p.Form, Static)
	if err := CheckForm(p.Form); err != nil {
		return nil, err
	}
	game, err := nadeo.GenerationOf(cmp.Or(p.Game, "tm2020"))
	if err != nil {
		return nil, fault.Usagef("%v", err)
	}
	if p.Form == Static && game != nadeo.Trackmania2020 {
		return nil, fault.Usagef("--game is for crystals").Hint("--form crystal")
	}
	d, err := at.OnDisk(ctx, p.Files, importedFiles...)
	if err != nil {
		return nil, err
	}
	base := path.Base(source.Slashed(at.Path))
	stem := strings.TrimSuffix(base, path.Ext(base))
	r, err := importer.Import(ctx, d.Path, importer.Options{Game: game, Crystal: p.Form == Crystal, Source: "pakbox item import " + stem + ".xml"})
	if err != nil {
		return nil, d.Failure(err)
	}
	at.Format = "gbx"
	return itemFile(r, d, strings.TrimSuffix(stem, path.Ext(stem)))
})
