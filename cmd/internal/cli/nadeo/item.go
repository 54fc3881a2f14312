package nadeo

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/cli/kit"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/quote"
	"pakbox/nadeo"
	"pakbox/nadeo/items"
)

func itemCommand(a *kit.App) *cobra.Command {
	return a.Family(&cobra.Command{
		Use:     "item",
		GroupID: kit.GroupGame,
		Short:   "Make, change and check items",
		Long: `Item makes, changes and checks the items that are placed on maps. 'pakbox info'
shows the content of an item, 'pakbox mesh' its mesh.`,
		Example: `  pakbox item create part.glb
  pakbox item import Part.Item.xml`,
	}, itemCommands...)
}

// itemFlags holds the flags of 'item create'.
type itemFlags struct {
	kit.Output
	game, env, mesh, icon     string
	name, author, description string
	form, waypoint, trigger   string
	materials, lods, pivots   []string
	grid, fly                 float64
}

func itemCreateCommand(a *kit.App) *cobra.Command {
	var o itemFlags
	cmd := &cobra.Command{
		Use:   "create MESH [OUT]",
		Short: "Make an item from a mesh",
		Long: `Create makes an item from a mesh, as Blender and other programs write it: glTF
(.glb, .gltf) or binary FBX, in metres, Y upwards. It has one of two forms:

  static   what Nadeo's importer writes, for Trackmania of 2020: normals and
           textures as the mesh has them, waypoints, triggers, levels of detail.
           It cannot be scaled or edited in the game. This is the form if the
           mesh is the first argument.
  crystal  an item whose mesh the item editor can edit and scale, for Trackmania of
           2020 (--game tm2020) or ManiaPlanet 4 (mp4), with waypoints, triggers and
           pivots. Normals are the game's. This is the form with --mesh.

Names of objects have the same meaning as for the importer: _socket_start is where
cars start, _trigger_... fires the waypoint, _notvisible_... is solid but
invisible, _notcollidable_... is visible but not solid, ..._Lod1 is a coarser
level of detail. Missing parts of a waypoint are added: a start at the origin, a
box as the trigger. Without --icon the item gets a picture of its mesh.

A material of the mesh becomes the game's material of the same name, such as
PlatformTech. In a mesh that 'pakbox mesh' wrote, it becomes the material that
is noted there as its link. --material chooses another one, by its name or its
whole path in the game; 'pakbox item materials' lists them. '*=LINK' is for all others and
for faces without a material. What Blender adds to names of copies, such as .001,
does not count. Add a surface, by
name or number, to let it drive differently, and an effect:
metal=PlatformTech:Asphalt:Turbo.

Texture coordinates are kept. The second set of them is for the lightmap;
without one, each face gets its own place there. Pictures of materials are not
copied. The icon is scaled to 64 by 64 pixels.

` + noGame,
		Example: `  pakbox item create part.glb
  pakbox item create gate.fbx --waypoint Checkpoint --trigger Arch --author me -o Gate.Item.Gbx
  pakbox item create part.glb --lods far.glb --pivot 0,0,0 --pivot 0,0,16
  pakbox item create gate.glb --form crystal --waypoint Finish --trigger Arch
  pakbox item create --mesh part.glb --icon i.png Part.Item.Gbx
  pakbox item create --mesh part.glb --material metal=PlatformTech --material ice=Stadium/Media/Material/PlatformIce:3 -o Part.Item.Gbx
  pakbox item create --game mp4 --env Valley --mesh part.glb --name 'My part' --author me Part.Item.Gbx`,
		Args: kit.ArgCount(0, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := o.take(args); err != nil {
				return err
			}
			return createItem(a, o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.mesh, "mesh", "", "the mesh of a crystal: a `FILE` of glTF or FBX")
	flags.StringVar(&o.form, "form", "", "the `FORM` of the item: static or crystal")
	flags.StringVar(&o.icon, "icon", "", "the icon, a PNG, JPEG or TGA `FILE`")
	flags.StringArrayVar(&o.materials, "material", nil, "what stands for a material: `NAME=LINK`[:SURFACE[:EFFECT]]")
	flags.StringVar(&o.waypoint, "waypoint", "", "make the item a waypoint of this `KIND`: Start, Checkpoint, Finish or StartFinish")
	flags.StringVar(&o.trigger, "trigger", "", "the `OBJECT` of the mesh that fires the waypoint")
	flags.StringArrayVar(&o.pivots, "pivot", nil, "a place `X,Y,Z` in metres by which the editor holds the item")
	flags.StringArrayVar(&o.lods, "lods", nil, "a mesh `FILE` for the next coarser level of detail")
	flags.StringVar(&o.game, "game", "tm2020", "the `GAME`: mp4 or tm2020")
	flags.StringVar(&o.env, "env", "", "the environment's `NAME` (default Stadium)")
	flags.StringVar(&o.name, "name", "", "the item's `NAME` (default that of the mesh's file)")
	flags.StringVar(&o.author, "author", "", "the author's `LOGIN` (default nobody)")
	flags.StringVar(&o.description, "description", "", "a `TEXT` about it")
	flags.Float64Var(&o.grid, "grid", 0, "the step in `METRES` in which the editor moves it to the sides (default 32 for crystals)")
	flags.Float64Var(&o.fly, "fly", 0, "the step in `METRES` in which the editor moves it upwards (default 8 for crystals)")
	o.OneFlags(cmd, kit.AnyFile+" (instead of OUT)")
	return cmd
}

// foreignMeshes are extensions of meshes that pakbox does not read.
var foreignMeshes = []string{".obj", ".stl", ".dae", ".ply", ".3ds", ".blend", ".x3d", ".usd", ".usdz", ".max"}

// take sorts the arguments into the mesh and the output.
func (o *itemFlags) take(args []string) error {
	if len(args) > 0 && o.mesh == "" && isMeshFile(args[0]) {
		o.mesh, args = args[0], args[1:]
		if o.form == "" {
			o.form = "static"
		}
		if len(args) == 0 && o.Out == "" {
			o.Out = kit.BaseName(o.mesh) + ".Item.Gbx"
		}
	}
	if len(args) > 1 {
		return fault.Usagef("%s is one argument too many", args[1]).Hint("pakbox item create part.glb New.Item.Gbx")
	}
	if len(args) > 0 {
		if o.Out != "" {
			return fault.Usagef("there are two names for one item: %s and %s", args[0], o.Out)
		}
		o.Out = args[0]
	}
	if o.form == "" {
		o.form = "crystal"
	}
	if o.form != "static" && o.form != "crystal" {
		return fault.Usagef("unknown form %q", o.form).Hint("--form static or --form crystal")
	}
	if o.mesh == "" {
		if strings.HasSuffix(strings.ToLower(args[0]), ".item.xml") {
			return fault.Usagef("%s describes an item for Nadeo's importer", args[0]).Hint("pakbox item import %s", quote.Word(args[0]))
		}
		if ext := strings.ToLower(filepath.Ext(args[0])); slices.Contains(foreignMeshes, ext) {
			return fault.Usagef("%s: meshes are read from glTF and FBX, and not from %s", args[0], strings.ToUpper(ext[1:])).
				Hint("export it as glTF (.glb) or binary FBX; Blender does, and reads %s", strings.ToUpper(ext[1:]))
		}
		return fault.Usagef("the item needs a mesh").Hint("pakbox item create part.glb New.Item.Gbx, or --mesh part.glb")
	}
	if o.Out == "" {
		return fault.Usagef("the item needs a name").Hint("pakbox item create --mesh part.glb New.Item.Gbx")
	}
	if o.form == "crystal" && len(o.lods) > 0 {
		return fault.Usagef("--lods is for static objects: a crystal has one level of detail").Hint("--form static")
	}
	return kit.Promises(o.Out, ".gbx")
}

// createdItem has the fields of a report about a new item.
type createdItem struct {
	kit.Made
	Name       string            `json:"name" doc:"name of the item"`
	Author     string            `json:"author_login" doc:"login of the author"`
	Game       string            `json:"game" doc:"game that the item is for"`
	Collection string            `json:"collection_name" doc:"environment of the item"`
	Icon       bool              `json:"icon" doc:"whether the item has an icon"`
	Vertices   int               `json:"vertex_count" doc:"number of vertices in the finest level of detail"`
	Triangles  int               `json:"triangle_count" doc:"number of triangles in the finest level of detail"`
	Materials  []string          `json:"materials" doc:"names of the materials"`
	OK         bool              `json:"ok" doc:"whether the item was made"`
	Problems   []finding.Finding `json:"problems" doc:"problems of the source"`
}

// refusedItem has the fields of a report about an item that was not made.
type refusedItem struct {
	OK       bool              `json:"ok" doc:"whether the item was made"`
	Problems []finding.Finding `json:"problems" doc:"problems of the source"`
}

// itemReports are the reports of a command that makes items.
type itemReports struct {
	made    kit.Report[createdItem]
	refused kit.Report[refusedItem]
}

func newItemReports(command string) itemReports {
	return itemReports{
		kit.NewReport[createdItem](command, "", "the new item; ok and problems alone if it could not be made"),
		kit.NewReport[refusedItem](command, "", "the reasons why no item was made"),
	}
}

var createReports, importReports = newItemReports("item.create"), newItemReports("item.import")

// describeItem describes a new item in JSON.
func describeItem(m *items.Model, game nadeo.Generation) (createdItem, error) {
	made, err := m.Mesh()
	if err != nil {
		return createdItem{}, err
	}
	vertices, triangles := made.Finest().Count()
	names := []string{}
	for _, m := range made.Materials {
		names = append(names, m.Name)
	}
	return createdItem{
		Name: m.Name(), Author: m.Author(), Game: string(game), Collection: m.Collection(), Icon: m.HasIcon(),
		Vertices: vertices, Triangles: triangles, Materials: names, OK: true,
	}, nil
}
