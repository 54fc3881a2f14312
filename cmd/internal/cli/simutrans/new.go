package simutrans

import (
	"os"
	"pakbox/cmd/internal/cli/kit"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/fault"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/starter"
)

func newCommand(a *kit.App) *cobra.Command {
	var dir string
	var cell int
	var force bool
	cmd := &cobra.Command{
		Use:   "new " + strings.Join(starter.Kinds(), "|") + " NAME",
		Short: "Begin a new Simutrans object: a source and a picture",
		Long: `New writes a source, with a sentence about every key, and a picture with the
right cells. For a vehicle they are called vehicle_NAME.dat and
vehicle_NAME.png. Both compile as they are; paint over the picture and change
the values.`,
		Example: `  pakbox simutrans new vehicle Bus1950
  pakbox simutrans new way CobbleRoad --cell 128 -C roads`,
		RunE: func(_ *cobra.Command, args []string) error {
			source, picture, name, err := starter.Object(args[0], args[1], cell)
			if err != nil {
				return fault.Usagef("%v", err)
			}
			if err := os.MkdirAll(dir, 0o777); err != nil {
				return err
			}
			files := []string{filepath.Join(dir, name+".dat"), filepath.Join(dir, name+".png")}
			for i, data := range [][]byte{source, picture} {
				if err := compile.WriteBytes(files[i], force, data); err != nil {
					return err
				}
			}
			if a.JSON {
				newReport.Print(a, filepath.ToSlash(files[0]), "simutrans", newFiles{filepath.ToSlash(files[0]), filepath.ToSlash(files[1])})
			} else {
				a.Note("wrote %s and %s", files[0], files[1])
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&dir, "directory", "C", ".", "write into `DIR`")
	cmd.Flags().IntVar(&cell, "cell", compile.DefaultCell, "the size of a cell in `PIXELS`")
	cmd.Flags().BoolVar(&force, "force", false, "replace files that exist")
	return cmd
}

var newReport = kit.NewReport[newFiles]("simutrans.new", "", "the files of a new object")

type newFiles struct {
	Source  string `json:"source" doc:"path of the source"`
	Picture string `json:"picture" doc:"path of the picture"`
}
