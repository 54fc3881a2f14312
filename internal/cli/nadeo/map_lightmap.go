package nadeo

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"pakbox/fact"
	"pakbox/internal/answer/track"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/question"
	"pakbox/internal/source"
	"pakbox/trackmania/maps"
)

func init() { mapFamily.add((*app).mapLightmapCommand) }

func (a *app) mapLightmapCommand() *cobra.Command {
	var strip bool
	var save shell.Saving
	var many shell.Many
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
				return a.lookAtMaps(cmd, many, args, "", func(a *app, name string, m *maps.Map) error {
					return a.lightmap(name, m.Lightmap(), save.Folder(a.Subject), save.Force)
				})
			}
			return a.editMaps(cmd, many, args, save, func(m *maps.Map) (*form.Object, error) {
				return new(form.Object).Add("stripped", m.StripLightmap()), nil
			})
		},
	}
	cmd.Flags().BoolVar(&strip, "strip", false, "take the shadows out")
	many.Flags(cmd)
	save.Flags(cmd)
	cmd.Flags().Lookup("directory").Usage = "extract the pictures into `DIR`, or with --strip write changed maps there"
	return cmd
}

func (a *app) lightmap(name string, pictures []maps.Picture, dir string, force bool) error {
	if dir != "" && len(pictures) > 0 {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	t := shell.Table{Right: 1}
	for _, p := range pictures {
		t.Add(fact.SizeText(int64(len(p.Data))), p.Name)
		if dir == "" {
			continue
		}
		if err := source.StageBytes(filepath.Join(dir, p.Name), p.Data, force); err != nil {
			return err
		}
	}
	switch {
	case a.JSON:
		return a.PrintReply((&question.At{Path: name, Format: "gbx"}).Reply(track.MapLightmap.Asked(), track.LightmapOf(pictures)))
	case dir != "":
		a.Note("extracted %s to %s", form.Count(len(pictures), "picture"), dir)
	case len(pictures) == 0:
		a.Note("%s: no lightmap", name)
	default:
		a.title(name)
		t.Print(a.Out)
	}
	return nil
}
