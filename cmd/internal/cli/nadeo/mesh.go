package nadeo

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/fault"
	"pakbox/gbx/mesh"
	"pakbox/internal/lib/quote"
)

func meshCommand(a *kit.App) *cobra.Command {
	var o kit.Output
	params := answer.FileMesh.NewParams()
	many := kit.Many{Folders: true}
	cmd := &cobra.Command{
		Use:     "mesh FILE...",
		GroupID: kit.GroupGame,
		Short:   "List the meshes of a model, draw them, or export glTF",
		Long: `Mesh lists the meshes that a GBX file holds: a mesh, a solid, a crystal, an item
or block, a prefab. With --output it writes them as binary glTF 2.0, which
Blender, browsers and most other 3D programs read: triangles with normals,
texture coordinates and colours, and materials by name, in the colour of their
surface. Pictures of materials belong to the game and are not in it. With an output
that ends in .png it draws them, seen from a corner.

By default it takes only the visible meshes of the finest level of detail.`,
		Example: `  pakbox mesh Tree.Item.Gbx
  pakbox mesh Tree.Item.Gbx -o tree.glb
  pakbox mesh Tree.Item.Gbx -o tree.png
  pakbox mesh A.Map.Gbx/items/Tree.Item.Gbx --lods --collision -o tree.glb
  pakbox mesh --json Tree.Mesh.Gbx`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if strings.HasSuffix(strings.ToLower(o.Out), ".png") {
				return kit.MakeFile(a, cmd, many, o, ".png", "drawing", args, answer.MeshPicture, answer.MeshPicture.NewParams())
			}
			if err := kit.Promises(o.Out, ".glb", ".png"); err != nil {
				return err
			}
			if !o.Given() {
				return ask(a, cmd, many, args, "", answer.FileMesh, params, listMeshes)
			}
			return a.MakeOfEach(many, o, ".glb", "mesh", "exporting", args, func(run *kit.App, name string, o kit.Output) error {
				at := run.At(name)
				m, err := answer.FileMesh.Ask(run.Ctx, at, params)
				if err != nil {
					return err
				}
				if len(m.Meshes) == 0 {
					return noMesh(name, m)
				}
				f, err := m.GLB(name)
				if err != nil {
					return err
				}
				return run.WriteFile(o, "mesh", at, f)
			})
		},
	}
	many.Flags(cmd)
	o.Flags(cmd)
	cmd.Flags().Lookup("output").Usage = "write binary glTF to `FILE` (.glb), or a picture (.png); for several inputs, FILE is a name such as '{name}.glb'; - is standard output"
	kit.Flags(cmd, answer.FileMesh, &params)
	return cmd
}

// noMesh explains why nothing is exported.
func noMesh(name string, m *answer.Meshes) error {
	err := fault.InFile(fault.New(fault.Unsupported, "contains no mesh to export"), name)
	switch {
	case len(m.Outside) > 0:
		return fault.WithHint(err, "its geometry is in other files: %s", strings.Join(m.Outside, ", "))
	case m.All > 0:
		return fault.WithHint(err, "it holds shapes that are not drawn; to export those: --collision")
	}
	return err
}

func listMeshes(a *kit.App, name string, all *answer.Meshes) error {
	if a.Subject.Many {
		a.Separate()
		fmt.Fprintln(a.Out, kit.Printable(name))
	}
	for _, m := range all.Meshes {
		what := m.Kind
		if m.Role != mesh.Drawn.String() {
			what += ", " + m.Role
		}
		if m.Level > 0 {
			what += fmt.Sprintf(", level %d", m.Level)
		}
		line := fmt.Sprintf("%s (%s): %s", m.Name, what, answer.CountVertices(m.Vertices, m.Triangles))
		if len(m.Materials) > 0 {
			line += "; " + strings.Join(m.Materials, ", ")
		}
		fmt.Fprintln(a.Out, kit.Printable(line))
	}
	fmt.Fprint(a.Out, answer.CountVertices(all.VertexCount, all.TriangleCount))
	if b := all.Bounds; b != nil {
		fmt.Fprintf(a.Out, ", %.4g x %.4g x %.4g m", b.Max[0]-b.Min[0], b.Max[1]-b.Min[1], b.Max[2]-b.Min[2])
	}
	fmt.Fprintln(a.Out)
	for _, file := range all.Outside {
		fmt.Fprintf(a.Out, "refers to %s\n", kit.Printable(file))
	}
	switch {
	case len(all.Meshes) > 0:
	case all.All > 0:
		a.Note("hint: %s holds shapes that are not drawn; to see those: --lods --collision", name)
	case all.HasItems:
		a.Note("hint: the items in it are files of their own: pakbox ls %s", quote.Word(a.Subject.Path+"/items"))
	}
	return nil
}
