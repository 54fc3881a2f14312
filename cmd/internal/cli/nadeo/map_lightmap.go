package nadeo

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fact"
)

func mapLightmapCommand(a *kit.App) *cobra.Command {
	var strip bool
	save := kit.Output{InPlace: true}
	var many kit.Many
	cmd := &cobra.Command{
		Use:   "lightmap MAP...",
		Short: "List, extract or strip the computed shadows",
		Long: `Lightmap lists the pictures that hold the computed light of a map, and extracts
them with -C. --strip takes them out of the map, which makes it smaller; the game
computes them again.

Several pictures that are stored as one are taken apart. The folder lightmap/ of
the map, for 'pakbox extract', has the same pictures.`,
		Example: `  pakbox map lightmap A.Map.Gbx
  pakbox map lightmap A.Map.Gbx -C frames
  pakbox map lightmap A.Map.Gbx --strip -o small.Map.Gbx`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !strip {
				folder := func(in kit.Input) string {
					if save.Dir == "" {
						return "" // only list them
					}
					return save.Folder(in)
				}
				asking := kit.Asking[question.NoParams, *nadeo.Lightmap]{
					Question: nadeo.MapLightmap,
					Use: func(run *kit.App, _ string, l *nadeo.Lightmap) error {
						return extractLightmap(l, folder(run.Subject), save.Force)
					},
					Print: func(run *kit.App, name string, l *nadeo.Lightmap) error {
						printLightmap(run, name, l, folder(run.Subject))
						return nil
					},
				}
				return asking.Run(a, cmd, kit.Many{Folders: true, Recursive: many.Recursive, Jobs: many.Jobs}, args, "", question.NoParams{})
			}
			return kit.Change(a, cmd, many, args, save, nadeo.StripMapLightmap, question.NoParams{})
		},
	}
	cmd.Flags().BoolVar(&strip, "strip", false, "take the shadows out")
	many.Flags(cmd)
	save.Flags(cmd)
	cmd.Flags().Lookup("directory").Usage = "extract the pictures into `DIR`, or with --strip write changed maps there"
	return cmd
}

// extractLightmap writes the pictures into a folder, if one is given.
func extractLightmap(l *nadeo.Lightmap, dir string, force bool) error {
	if dir == "" || len(l.Pictures) == 0 {
		return nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, p := range l.Pictures {
		if err := source.StageBytes(filepath.Join(dir, p.Name), p.Data, force); err != nil {
			return err
		}
	}
	return nil
}

func printLightmap(a *kit.App, name string, l *nadeo.Lightmap, dir string) {
	switch {
	case dir != "":
		a.Note("extracted %s to %s", question.Count(len(l.Pictures), "picture"), dir)
		return
	case len(l.Pictures) == 0:
		a.Note("%s: no lightmap", name)
		return
	}
	title(a, name)
	t := kit.Table{Right: 1}
	for _, p := range l.Pictures {
		t.Add(fact.SizeText(int64(p.Size)), p.Name)
	}
	t.Print(a.Out)
}
