package nadeo

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/fault"
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/gltf"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/lib/hint"
	"pakbox/trackmania"
	"pakbox/trackmania/items"
)

func (a *app) itemCommand() *cobra.Command {
	return a.Family(&cobra.Command{
		Use:     "item",
		GroupID: shell.GroupGame,
		Short:   "Make an item from a mesh",
		Long: `Item makes the items that are placed on maps. What an item holds is shown by
'pakbox info', its mesh by 'pakbox mesh'.`,
		Example: `  pakbox item create --mesh part.glb --icon i.png Part.Item.Gbx`,
	}, a.itemCreateCommand(), a.itemMaterialsCommand(), a.itemLintCommand())
}

// itemFlags are what 'item create' is told.
type itemFlags struct {
	shell.Making
	items.Options
	game, mesh, icon string
	materials        []string
}

func (a *app) itemCreateCommand() *cobra.Command {
	var o itemFlags
	cmd := &cobra.Command{
		Use:   "create OUT",
		Short: "Make an item from a mesh",
		Long: `Create makes an item of Trackmania of 2020 (--game tm2020) or ManiaPlanet 4 (mp4)
from a binary glTF file (.glb), as Blender and other programs write it: an
ornament that is seen and run into, in metres, Y upwards, whose mesh the item
editor can edit. It has the chunks, and the values in them, that real items
have.

A material of the mesh stands for the game's material of the same name, such as
PlatformTech, for the one that 'pakbox mesh' has noted there as its link, or for
what --material says: another name, or the whole path of a material of the game,
and behind a colon, if it is to drive otherwise, the game's number for that. Texture coordinates are kept; a second set of them is
the lightmap's, and without one each triangle gets a place of its own. Normals
are left to the game, pictures are not taken over. The icon is scaled to 64 by
64 pixels.

` + noGame,
		Example: `  pakbox item create --mesh part.glb --icon i.png Part.Item.Gbx
  pakbox item create --mesh part.glb --material metal=PlatformTech --material ice=Stadium/Media/Material/PlatformIce:3 -o Part.Item.Gbx
  pakbox item create --game mp4 --env Valley --mesh part.glb --name 'My part' --author me Part.Item.Gbx`,
		Args: shell.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				if o.Out != "" {
					return hint.Usagef("there are two names for one item: %s and %s", args[0], o.Out)
				}
				o.Out = args[0]
			}
			if o.Out == "" {
				return hint.Usagef("the item needs a name").Hint("pakbox item create --mesh part.glb New.Item.Gbx")
			}
			if o.mesh == "" {
				return hint.Usagef("the item needs a mesh").Hint("name a binary glTF file with --mesh part.glb")
			}
			if err := shell.Promises(o.Out, ".gbx"); err != nil {
				return err
			}
			return a.createItem(o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.mesh, "mesh", "", "the mesh, a binary glTF `FILE` (.glb)")
	flags.StringVar(&o.icon, "icon", "", "the icon, a PNG or JPEG `FILE`")
	flags.StringArrayVar(&o.materials, "material", nil, "`NAME=MATERIAL[:NUMBER]`: what stands for a material of the mesh")
	flags.StringVar(&o.game, "game", "tm2020", "the `GAME`: mp4 or tm2020")
	flags.StringVar(&o.Environment, "env", "", "the environment's `NAME` (default Stadium)")
	flags.StringVar(&o.Name, "name", "", "the item's `NAME` (default New Item)")
	flags.StringVar(&o.Author, "author", "", "the author's `LOGIN` (default nobody)")
	flags.StringVar(&o.Description, "description", "", "a `TEXT` about it")
	flags.Float32Var(&o.GridStep, "grid", 0, "the step in `METRES` in which the editor moves it to the sides (default 32)")
	flags.Float32Var(&o.FlyStep, "fly", 0, "the step in `METRES` in which the editor moves it upwards (default 8)")
	flags.StringVarP(&o.Out, "output", "o", "", "write to `FILE`, - for standard output (instead of OUT)")
	flags.BoolVar(&o.Force, "force", false, "replace a file that exists")
	return cmd
}

func (a *app) createItem(o itemFlags) error {
	var err error
	if o.Game, err = trackmania.GenerationOf(o.game); err != nil {
		return hint.Usagef("%v", err)
	}
	data, err := os.ReadFile(o.mesh)
	if err != nil {
		return err
	}
	if o.Mesh, err = gltf.Read(data, nil); err != nil {
		return fault.InFile(err, o.mesh)
	}
	if o.Material, err = materialsOf(o.materials, o.Mesh.Materials); err != nil {
		return err
	}
	if o.icon != "" {
		picture, err := os.ReadFile(o.icon)
		if err != nil {
			return err
		}
		if o.Icon, err = items.ReadIcon(picture); err != nil {
			return fault.InFile(err, o.icon)
		}
	}
	m, err := items.New(o.Options)
	if errors.Is(err, fault.Unsupported) {
		return hint.Usagef("%v", err)
	}
	if err != nil {
		return fault.InFile(err, o.mesh)
	}
	if data, err = m.File.Encode(); err != nil {
		return err
	}
	made, err := m.Mesh()
	if err != nil {
		return err
	}
	vertices, triangles := made.Finest().Count()
	names := []string{}
	for _, m := range made.Materials {
		names = append(names, m.Name)
	}
	return a.WriteMade(o.Making, "item.create", o.Out, data, new(form.Object).Add("name", m.Name()).Add("author_login", m.Author()).
		Add("game", string(o.Game)).Add("collection_name", m.Collection()).Add("icon", m.HasIcon()).
		Add("vertex_count", vertices).Add("triangle_count", triangles).Add("materials", names))
}

// materialsOf reads what --material says about the materials of a mesh.
func materialsOf(list []string, all []mesh.Material) (func(mesh.Material) items.Material, error) {
	var known []string
	for _, m := range all {
		known = append(known, m.Name)
	}
	said := map[string]items.Material{}
	for _, text := range list {
		name, link, ok := strings.Cut(text, "=")
		if !ok || link == "" {
			return nil, hint.Usagef("%q names no material", text).Hint("--material NAME=PlatformTech")
		}
		if !slices.Contains(known, name) {
			return nil, hint.Usagef("the mesh has no material %q; it has %s", name, strings.Join(known, ", "))
		}
		var m items.Material
		link, number, numbered := strings.Cut(link, ":")
		if numbered {
			n, err := strconv.ParseUint(number, 10, 8)
			if err != nil {
				return nil, hint.Usagef("%q is no number from 0 to 255", number)
			}
			physics := uint8(n)
			m.Physics = &physics
		}
		m.Link = link
		said[name] = m
	}
	return func(m mesh.Material) items.Material { return said[m.Name] }, nil
}
