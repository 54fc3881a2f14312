package nadeo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/nadeo"
	"pakbox/nadeo/items/importer"
)

func nadeoImporterCommand(a *kit.App) *cobra.Command {
	var user, game string
	cmd := &cobra.Command{
		Use:     "nadeoimporter Mesh|Item PATH",
		GroupID: kit.GroupGame,
		Short:   "Do what NadeoImporter does, with its command line",
		Long: `Nadeoimporter takes the command line of Nadeo's importer for Trackmania of 2020,
so that tools that call it change one word:

  Item /Items/Sub/Name.Item.xml  reads Work/Items/Sub/Name.Item.xml and what it
                                 names, writes Items/Sub/Name.Item.gbx
  Mesh /Items/Sub/Name.fbx       reads Work/Items/Sub/Name.fbx and
                                 Name.MeshParams.xml beside it, writes
                                 Items/Sub/Name.Mesh.gbx, Name.Shape.gbx, and
                                 NameTrigger.Shape.gbx if there are triggers

With --game mp4 the files of a mesh are those of ManiaPlanet 4. An item states its
game by its XML: one of ManiaPlanet names the files of its mesh and shapes.

The folder of Work and Items is the user's folder of the game. It is the current
folder or one above it that has a folder Work, or what --user names. Files that
exist are replaced. Problems are printed to standard output; the exit code is 0
if all went well. 'pakbox item import' does the same for files that lie anywhere.`,
		Example: `  pakbox nadeoimporter Item /Items/Sub/Part.Item.xml
  pakbox nadeoimporter Mesh /Items/Sub/Part.fbx --user ~/Documents/Trackmania`,
		RunE: func(_ *cobra.Command, args []string) error {
			return nadeoImporter(a, user, game, args[0], args[1])
		},
	}
	cmd.Flags().StringVar(&game, "game", "tm2020", "the `GAME` of a mesh: mp4 or tm2020")
	cmd.Flags().StringVar(&user, "user", "", "the user's `FOLDER` of the game, with the folder Work in it")
	return cmd
}

func nadeoImporter(a *kit.App, user, game, verb, path string) error {
	made, err := nadeo.GenerationOf(game)
	if err != nil || made != nadeo.Trackmania2020 && made != nadeo.ManiaPlanet4 {
		return fault.Usagef("no importer for %q", game).Hint("--game mp4 or --game tm2020")
	}
	folder, err := userFolder(user)
	if err != nil {
		return err
	}
	rel := filepath.FromSlash(strings.TrimLeft(strings.ReplaceAll(path, `\`, "/"), "/"))
	if !filepath.IsLocal(rel) {
		return fault.Usagef("%s leads out of the folder Work", path)
	}
	in, out := filepath.Join(folder, "Work", rel), filepath.Join(folder, filepath.Dir(rel))
	o := importer.Options{Game: made, Source: "NadeoImporter " + verb + " " + path}
	var problems []finding.Finding
	var files []importer.File
	switch strings.ToLower(verb) {
	case "item":
		r, err := importer.Import(a.Ctx, in, o)
		if err != nil {
			return err
		}
		if problems = r.Problems; r.Model != nil {
			name := strings.TrimSuffix(filepath.Base(rel), filepath.Ext(rel)) + ".gbx"
			files = []importer.File{{Name: name, GBX: r.Model.File}}
		}
	case "mesh":
		r, err := importer.ImportMesh(a.Ctx, in, o)
		if err != nil {
			return err
		}
		problems, files = r.Problems, r.Files
	default:
		return fault.Usagef("unknown %q", verb).Hint("write Mesh or Item")
	}
	return writeImporterFiles(a, path, out, problems, files)
}

// writeImporterFiles writes the new files, and prints their names on standard output.
func writeImporterFiles(a *kit.App, path, dir string, problems []finding.Finding, files []importer.File) error {
	wrote := []string{}
	for _, f := range files {
		name := filepath.Join(dir, f.Name)
		if err := writeGBX(name, f.GBX); err != nil {
			return err
		}
		wrote = append(wrote, filepath.ToSlash(name))
	}
	if a.JSON {
		importerReport.Print(a, path, "gbx", importedFiles{len(files) > 0, wrote, append([]finding.Finding{}, problems...)})
	} else {
		for _, p := range problems {
			fmt.Fprintln(a.Out, kit.Printable(problemLine(p)))
		}
		for _, name := range wrote {
			fmt.Fprintln(a.Out, "wrote "+kit.Printable(name))
		}
	}
	if len(files) == 0 {
		return kit.ErrFound
	}
	return nil
}

func writeGBX(name string, f *gbx.File) error {
	data, err := f.Encode()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return source.StageBytes(name, data, true)
}

// userFolder returns the folder that contains the folder Work: the named one, or the
// current folder, or one above it.
func userFolder(named string) (string, error) {
	if named != "" {
		return named, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for at := dir; ; at = filepath.Dir(at) {
		if info, err := os.Stat(filepath.Join(at, "Work")); err == nil && info.IsDir() {
			if rel, err := filepath.Rel(dir, at); err == nil {
				return rel, nil
			}
			return at, nil
		}
		if filepath.Dir(at) == at {
			return "", fault.Usagef("neither this folder nor one above it has a folder Work").Hint("name the user's folder of the game with --user")
		}
	}
}

var importerReport = kit.NewReport[importedFiles]("nadeoimporter", "", "the files that were made")

type importedFiles struct {
	OK       bool              `json:"ok" doc:"whether files were made"`
	Outputs  []string          `json:"outputs" doc:"paths of the new files"`
	Problems []finding.Finding `json:"problems" doc:"problems of the source"`
}
