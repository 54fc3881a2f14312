package nadeo

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	answers "pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/fault"
	"pakbox/internal/lib/quote"
	"pakbox/nadeo/items/library"
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
	answers.MeshItem
	mesh string
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
			if err := kit.ReadContents(a, answers.CreateItem, &o.MeshItem, args); err != nil {
				return err
			}
			return makeItem(a, "item.create", a.At(o.mesh), o.Out, o.Output, answers.CreateItem, o.MeshItem)
		},
	}
	cmd.Flags().StringVar(&o.mesh, "mesh", "", "the mesh of a crystal: a `FILE` of glTF or FBX")
	o.Game = "tm2020"
	kit.Flags(cmd, answers.CreateItem, &o.MeshItem)
	o.OneFlags(cmd, kit.AnyFile+" (instead of OUT)")
	return cmd
}

// foreignMeshes are extensions of meshes that pakbox does not read.
var foreignMeshes = []string{".obj", ".stl", ".dae", ".ply", ".3ds", ".blend", ".x3d", ".usd", ".usdz", ".max"}

// take sorts the arguments into the mesh and the output.
func (o *itemFlags) take(args []string) error {
	if len(args) > 0 && o.mesh == "" && isMeshFile(args[0]) {
		o.mesh, args = args[0], args[1:]
		if o.Form == "" {
			o.Form = answers.Static
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
	if o.Form == "" {
		o.Form = answers.Crystal
	}
	if err := answers.CheckForm(o.Form); err != nil {
		return err
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
	if o.Form == answers.Crystal && len(o.Lods) > 0 {
		return fault.Usagef("--lods is for static objects: a crystal has one level of detail").Hint("--form static")
	}
	return kit.Promises(o.Out, ".gbx")
}

// meshExtensions are the extensions of mesh files.
var meshExtensions = []string{".glb", ".gltf", ".fbx"}

func isMeshFile(name string) bool {
	return slices.Contains(meshExtensions, strings.ToLower(filepath.Ext(name)))
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
