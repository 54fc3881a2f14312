package nadeo

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	answers "pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/quote"
)

func itemImportCommand(a *kit.App) *cobra.Command {
	o := kit.Output{Named: true}
	params := answers.XMLItem{Form: answers.Static, Game: "tm2020"}
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
			if err := answers.CheckForm(params.Form); err != nil {
				return err
			}
			for _, name := range args {
				if isMeshFile(name) {
					return fault.Usagef("%s: is a mesh, and import takes the file about the item, NAME.Item.xml", kit.Printable(name)).
						Hint("of a mesh alone: pakbox item create %s", quote.Word(name))
				}
			}
			return a.MakeOfEach(kit.Many{}, o, ".Gbx", "item.import", "importing", args, func(run *kit.App, name string, o kit.Output) error {
				return makeItem(run, "item.import", run.At(name), name, o, answers.ImportItem, params)
			})
		},
	}
	kit.Flags(cmd, answers.ImportItem, &params)
	o.Flags(cmd)
	return cmd
}

// The reports of the commands that make items.
var (
	_ = kit.NewFileReport[answers.ItemReport]("item.create", "the new item; ok and problems alone if it could not be made")
	_ = kit.NewFileReport[answers.ItemReport]("item.import", "the new item; ok and problems alone if it could not be made")

	refusedReports = map[string]kit.Report[answers.Problems]{
		"item.create": kit.NewReport[answers.Problems]("item.create", "", "the reasons why no item was made"),
		"item.import": kit.NewReport[answers.Problems]("item.import", "", "the reasons why no item was made"),
	}
)

// makeItem asks for a new item, prints the problems of its files, and writes the item if
// none is an error. name is the path of the command's JSON.
func makeItem[P any](run *kit.App, command string, at *question.At, name string, o kit.Output, q *question.Typed[P, *question.File], params P) error {
	f, err := q.Ask(run.Ctx, at, params)
	at = &question.At{Path: name, Format: "gbx"}
	if rejected := (*question.Rejected)(nil); errors.As(err, &rejected) {
		problems := rejected.Report.(*answers.Problems)
		if run.JSON {
			refusedReports[command].Print(run, at.Path, at.Format, *problems)
		} else {
			tellProblems(run, problems.List)
		}
		if command == "item.create" && len(problems.Unlinked) > 0 {
			run.Note("hint: choose a material of the game for each: %s; for all: --material '*=PlatformTech'; 'pakbox item materials' lists them", materialFlags(problems.Unlinked))
		}
		return kit.ErrFound
	}
	if err != nil {
		return err
	}
	if !run.JSON {
		for _, note := range f.Notes {
			run.Note("%s", note)
		}
		tellProblems(run, f.Say.(*answers.ItemReport).List)
	}
	return run.WriteFile(o, command, at, f)
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
