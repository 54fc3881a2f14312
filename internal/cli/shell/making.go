package shell

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/internal/answer"
	"pakbox/internal/lib/hint"
	"pakbox/internal/source"
)

// Promises refuses an output whose name promises something else than one of
// the kinds that it can be; the first is what it will be called instead.
func Promises(out string, kinds ...string) error {
	ext := strings.ToLower(filepath.Ext(out))
	for _, known := range []string{".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".svg", ".tga", ".dds", ".tif", ".tiff",
		".glb", ".gltf", ".obj", ".fbx", ".stl", ".dae", ".ply", ".3ds", ".zip", ".gbx"} {
		if ext == known && !slices.Contains(kinds, ext) {
			return hint.Usagef("%s: cannot be written as %s", out, strings.ToUpper(ext[1:])).
				Hint("call it %s", strings.TrimSuffix(out, filepath.Ext(out))+kinds[0])
		}
	}
	return nil
}

// Making is where a command puts the one file that it makes.
type Making struct {
	Out   string // "" or - for standard output
	Force bool
}

// Flags gives a command the flags for it.
func (o *Making) Flags(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&o.Out, "output", "o", "", "write to `FILE` instead of standard output")
	cmd.Flags().BoolVar(&o.Force, "force", false, "replace FILE if it exists")
}

// WriteMade writes what a command made; more is added to what --json says.
func (a *App) WriteMade(o Making, command, name string, data []byte, more *answer.Object) error {
	if o.Out == "" || o.Out == "-" {
		return a.WriteContent(data)
	}
	if err := source.StageBytes(o.Out, data, o.Force); err != nil {
		return err
	}
	if a.JSON {
		return a.Print(answer.New(command, name, "gbx").Add("output", o.Out).Add("size", len(data)).
			Add("sha256", fmt.Sprintf("%x", sha256.Sum256(data))).Merge(more))
	}
	a.Note("wrote %s, %s", o.Out, answer.SizeText(int64(len(data))))
	return nil
}

// WriteContent writes the content of a file to standard output.
func (a *App) WriteContent(data []byte) error {
	if a.JSON {
		return hint.Usagef("with --json the content needs a file of its own").Hint("name it with -o FILE")
	}
	_, err := a.Out.Write(data)
	return err
}

// Saving is how a command saves the file that it changed.
type Saving struct {
	Out    string // "" for where it was
	Force  bool
	DryRun bool
}

// Flags gives a command the flags for it.
func (o *Saving) Flags(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&o.Out, "output", "o", "", "write the changed file to `FILE` and leave the old one alone")
	cmd.Flags().BoolVar(&o.Force, "force", false, "replace FILE if it exists")
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "show which values would change, and change nothing")
}
