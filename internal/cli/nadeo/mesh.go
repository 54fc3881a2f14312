package nadeo

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/gltf"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/lib/hint"
	"pakbox/internal/source"
)

// meshFlags say what of a mesh is wanted, and where it goes.
type meshFlags struct {
	shell.Making
	lods, collision bool
}

func (a *app) meshCommand() *cobra.Command {
	var flags meshFlags
	many := shell.Many{Folders: true}
	cmd := &cobra.Command{
		Use:     "mesh FILE...",
		GroupID: shell.GroupGame,
		Short:   "List the meshes of an item or model, or export them as glTF",
		Long: `Mesh lists the meshes that a GBX file holds: a mesh, a solid, a crystal, an item
or block, a prefab. With --output it writes them as binary glTF 2.0, which
Blender, browsers and most other 3D programs read: triangles with normals,
texture coordinates and colours, and materials by name. Pictures of materials
belong to the game and are not in it.

Unless asked for more, it takes what is drawn at the finest level of detail.`,
		Example: `  pakbox mesh Tree.Item.Gbx
  pakbox mesh Tree.Item.Gbx -o tree.glb
  pakbox mesh A.Map.Gbx/items/Tree.Item.Gbx --lods --collision -o tree.glb
  pakbox mesh --json Tree.Mesh.Gbx`,
		Args: shell.ArgCount(1, shell.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := shell.Promises(flags.Out, ".glb"); err != nil {
				return err
			}
			if !flags.Given() {
				return a.look(cmd, many, args, "", func(a *app, name string) error { return a.mesh(name, flags) })
			}
			return a.MakeOfEach(many, flags.Making, ".glb", "mesh", "exporting", args, func(run *shell.App, name string, o shell.Making) error {
				return (&app{run}).mesh(name, meshFlags{o, flags.lods, flags.collision})
			})
		},
	}
	many.Flags(cmd)
	flags.Making.Flags(cmd)
	cmd.Flags().Lookup("output").Usage = "write binary glTF to `FILE` (.glb), of several inputs to a name such as '{name}.glb'; - is standard output"
	cmd.Flags().BoolVar(&flags.lods, "lods", false, "take all levels of detail, not only the finest")
	cmd.Flags().BoolVar(&flags.collision, "collision", false, "take collision shapes and triggers too")
	return cmd
}

func (a *app) mesh(name string, flags meshFlags) error {
	return answer.WithGBX(a.Ctx, a.Opener, name, func(s *source.Source, f *gbx.File) error {
		all, err := mesh.Read(f, mesh.Options{})
		if err != nil {
			return err
		}
		chosen := all.Select(func(n *mesh.Node) bool {
			return (flags.lods || n.Level == 0) && (flags.collision || n.Role == mesh.Drawn)
		})
		if flags.Out == "" {
			if err := a.listMeshes(name, chosen); err != nil || len(chosen.Nodes) > 0 {
				return err
			}
			a.noteNoMesh(s, name, all)
			return nil
		}
		if len(chosen.Nodes) == 0 {
			return noMesh(name, all)
		}
		var glb bytes.Buffer
		if err := gltf.Write(&glb, chosen, meshTitle(name)); err != nil {
			return err
		}
		return a.WriteMade(flags.Making, "mesh", name, glb.Bytes(), answer.MeshObject(name, chosen))
	})
}

// noteNoMesh says where meshes are if the list of them is empty.
func (a *app) noteNoMesh(s *source.Source, name string, all *mesh.Scene) {
	const items = "items" // that a map brings along
	switch info, err := s.Stat(items); {
	case len(all.Nodes) > 0:
		a.Note("hint: it holds shapes that are not drawn; to see those: --lods --collision")
	case err == nil && info.IsDir():
		a.Note("hint: the items in it are files of their own: pakbox ls %s/%s", name, items)
	}
}

// noMesh says why nothing is exported.
func noMesh(name string, all *mesh.Scene) error {
	err := fault.InFile(fault.New(fault.Unsupported, "there is no mesh to export"), name)
	switch {
	case len(all.Outside) > 0:
		return hint.With(err, "its geometry is in other files: %s", strings.Join(all.Outside, ", "))
	case len(all.Nodes) > 0:
		return hint.With(err, "it holds shapes that are not drawn; to export those: --collision")
	}
	return err
}

// meshTitle is what the scene is called: the file's name without its endings.
func meshTitle(name string) string {
	title, _, _ := strings.Cut(path.Base(name), ".")
	return title
}

func (a *app) listMeshes(name string, chosen *mesh.Scene) error {
	if a.JSON {
		return a.Print(answer.MeshObject(name, chosen))
	}
	for _, m := range answer.Meshes(chosen) {
		what := m.Kind
		if m.Role != mesh.Drawn.String() {
			what += ", " + m.Role
		}
		if m.Level > 0 {
			what += fmt.Sprintf(", level %d", m.Level)
		}
		line := fmt.Sprintf("%s (%s): %s", m.Name, what, answer.MeshSum{Vertices: m.Vertices, Triangles: m.Triangles})
		if len(m.Materials) > 0 {
			line += "; " + strings.Join(m.Materials, ", ")
		}
		fmt.Fprintln(a.Out, shell.Printable(line))
	}
	fmt.Fprint(a.Out, answer.SumMeshes(chosen))
	if b := answer.BoundsOf(chosen.Bounds()); b != nil {
		fmt.Fprintf(a.Out, ", %.4g x %.4g x %.4g m", b.Max[0]-b.Min[0], b.Max[1]-b.Min[1], b.Max[2]-b.Min[2])
	}
	fmt.Fprintln(a.Out)
	for _, file := range chosen.Outside {
		fmt.Fprintf(a.Out, "refers to %s\n", shell.Printable(file))
	}
	return nil
}
