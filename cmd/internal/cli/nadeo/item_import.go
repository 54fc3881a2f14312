package nadeo

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/cli/kit"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/quote"
	"pakbox/nadeo"
	"pakbox/nadeo/items/importer"
)

func itemImportCommand(a *kit.App) *cobra.Command {
	o := kit.Output{Named: true}
	var form, game string
	cmd := &cobra.Command{
		Use:   "import NAME.Item.xml...",
		Short: "Make items from the files that Nadeo's importer reads",
		Long: `Import makes items of Trackmania of 2020 from the files that NadeoImporter reads,
without it: NAME.Item.xml about the item, the file of mesh parameters that it
names, the mesh as binary FBX or glTF, and Icon/NAME.tga or .png. The item is a
static object, as the importer writes it: waypoints, triggers, levels of detail,
lights, pivots and snapping work as the importer's pages describe. It cannot be scaled or edited in the game. --form crystal makes an item from the
same files that can be, but with only one level of detail. A NAME.Item.xml of
ManiaPlanet names the files of its mesh and shapes, and makes an item of
ManiaPlanet 4; 'pakbox nadeoimporter Mesh --game mp4' makes these files.

All problems are reported at once, each with its file and line, the object and
what to do. Nothing is written if one of them is an error.

` + noGame,
		Example: `  pakbox item import Work/Items/Part.Item.xml
  pakbox item import Part.Item.xml -o Items/Part.Item.Gbx --force
  pakbox item import *.Item.xml -C Items --form crystal`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := kit.Promises(o.Out, ".gbx"); err != nil {
				return err
			}
			if form != "static" && form != "crystal" {
				return fault.Usagef("unknown form %q", form).Hint("--form static or --form crystal")
			}
			made, err := nadeo.GenerationOf(game)
			if err != nil {
				return fault.Usagef("%v", err)
			}
			if form == "static" && made != nadeo.Trackmania2020 {
				return fault.Usagef("--game is for crystals").Hint("--form crystal")
			}
			for _, name := range args {
				if slices.Contains([]string{".fbx", ".glb", ".gltf"}, strings.ToLower(filepath.Ext(name))) {
					return fault.Usagef("%s: is a mesh, and import takes the file about the item, NAME.Item.xml", kit.Printable(name)).
						Hint("of a mesh alone: pakbox item create %s", quote.Word(name))
				}
			}
			return a.MakeOfEach(kit.Many{}, o, ".Gbx", "item.import", "importing", args, func(run *kit.App, name string, o kit.Output) error {
				r, err := importer.Import(run.Ctx, name, importer.Options{
					Game: made, Crystal: form == "crystal", Source: "pakbox item import " + kit.BaseName(name) + ".xml",
				})
				if err != nil {
					return err
				}
				return writeImported(run, importReports, name, r, o)
			})
		},
	}
	cmd.Flags().StringVar(&form, "form", "static", "the `FORM` of the item: static or crystal")
	cmd.Flags().StringVar(&game, "game", "tm2020", "the `GAME` of a crystal: mp4 or tm2020")
	o.Flags(cmd)
	return cmd
}

// writeImported prints the problems, and writes the item if none is an error.
func writeImported(run *kit.App, reports itemReports, name string, r *importer.Result, o kit.Output) error {
	problems := append([]finding.Finding{}, r.Problems...)
	if r.Failed() {
		if run.JSON {
			reports.refused.Print(run, name, "gbx", refusedItem{false, problems})
		} else {
			tellProblems(run, problems)
		}
		return kit.ErrFound
	}
	data, err := r.Model.File.Encode()
	if err != nil {
		return err
	}
	if !run.JSON {
		tellProblems(run, problems)
	}
	said, err := describeItem(r.Model, r.MadeFor)
	if err != nil {
		return err
	}
	said.Problems = problems
	return kit.WriteMade(run, reports.made, o, name, data, said)
}

// tellProblems prints problems in the form of compilers, so that editors find the place.
func tellProblems(run *kit.App, list []finding.Finding) {
	for _, p := range list {
		if p.Severity == finding.Error || !run.Quiet {
			fmt.Fprintln(run.Err, kit.Printable(problemLine(p)))
		}
	}
}

// problemLine formats a problem as one line: file, line, severity, message, and
// suggestion.
func problemLine(p finding.Finding) string {
	at := p.File
	if p.Line > 0 {
		at += fmt.Sprintf(":%d", p.Line)
	}
	text := fmt.Sprintf("%s: %s: %s", at, p.Severity, p.Message)
	if p.Suggestion != "" {
		text += "; " + p.Suggestion
	}
	return text
}
