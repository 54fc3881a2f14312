package cli

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"pakbox/trackmania"
)

func (a *app) mapLightmapCommand() *cobra.Command {
	var dir string
	var strip bool
	var save saving
	cmd := &cobra.Command{
		Use:   "lightmap MAP",
		Short: "List, extract or strip the computed shadows",
		Long: `Lightmap lists the pictures that hold the computed light of a map, and extracts
them with -C. --strip takes them out of the map, which makes it smaller; the game
computes them again.

Where several pictures are stored as one, they are taken apart, here as in the
file's folder lightmap/ that 'pakbox extract' knows.`,
		Example: `  pakbox map lightmap A.Map.Gbx
  pakbox map lightmap A.Map.Gbx -C frames
  pakbox map lightmap A.Map.Gbx --strip -o small.Map.Gbx`,
		Args: argCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !strip {
				return a.withMap(cmd, args[0], func(_ *source, m *trackmania.Map) error {
					return a.lightmap(args[0], m.Lightmap(), dir, save.force)
				})
			}
			if dir != "" {
				return usagef("-C extracts; it does not go with --strip")
			}
			return a.editMap(cmd, args[0], save, func(m *trackmania.Map) (*object, error) {
				return new(object).add("stripped", m.StripLightmap()), nil
			})
		},
	}
	cmd.Flags().StringVarP(&dir, "directory", "C", "", "extract the pictures into `DIR`")
	cmd.Flags().BoolVar(&strip, "strip", false, "take the shadows out")
	save.flags(cmd)
	return cmd
}

func (a *app) lightmap(name string, pictures []trackmania.Picture, dir string, force bool) error {
	if dir != "" {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	list := make([]*object, len(pictures))
	t := table{right: 1}
	for i, p := range pictures {
		list[i] = new(object).add("name", p.Name).add("size", len(p.Data))
		t.add(sizeText(int64(len(p.Data))), p.Name)
		if dir == "" {
			continue
		}
		if err := stageBytes(filepath.Join(dir, p.Name), p.Data, force); err != nil {
			return err
		}
	}
	switch {
	case a.json:
		return a.print(newObject("map.lightmap", name, "gbx").add("pictures", list))
	case dir != "":
		a.note("extracted %s to %s", count(len(pictures), "picture"), dir)
	case len(pictures) == 0:
		a.note("%s: no lightmap", name)
	default:
		t.print(a.out)
	}
	return nil
}
