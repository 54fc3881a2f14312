package cli

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// promises refuses an output whose name promises something else than one of
// the kinds that it can be; the first is what it will be called instead.
func promises(out string, kinds ...string) error {
	ext := strings.ToLower(filepath.Ext(out))
	for _, known := range []string{".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".svg", ".tga", ".dds", ".tif", ".tiff",
		".glb", ".gltf", ".obj", ".fbx", ".stl", ".dae", ".ply", ".3ds", ".zip", ".gbx"} {
		if ext == known && !slices.Contains(kinds, ext) {
			return usagef("%s: cannot be written as %s", out, strings.ToUpper(ext[1:])).
				hint("call it %s", strings.TrimSuffix(out, filepath.Ext(out))+kinds[0])
		}
	}
	return nil
}

// making is where a command puts the one file that it makes.
type making struct {
	out   string // "" or - for standard output
	force bool
}

func (o *making) flags(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&o.out, "output", "o", "", "write to `FILE` instead of standard output")
	cmd.Flags().BoolVar(&o.force, "force", false, "replace FILE if it exists")
}

// writeMade writes what a command made; more is added to what --json says.
func (a *app) writeMade(o making, command, name string, data []byte, more *object) error {
	if o.out == "" || o.out == "-" {
		return a.writeContent(data)
	}
	if err := stageBytes(o.out, data, o.force); err != nil {
		return err
	}
	if a.json {
		return a.print(newObject(command, name, "gbx").add("output", o.out).add("size", len(data)).
			add("sha256", fmt.Sprintf("%x", sha256.Sum256(data))).merge(more))
	}
	a.note("wrote %s, %s", o.out, sizeText(int64(len(data))))
	return nil
}

// writeContent writes the content of a file to standard output.
func (a *app) writeContent(data []byte) error {
	if a.json {
		return usagef("with --json the content needs a file of its own").hint("name it with -o FILE")
	}
	_, err := a.out.Write(data)
	return err
}

// saving is how a command saves the file that it changed.
type saving struct {
	out    string // "" for where it was
	force  bool
	dryRun bool
}

func (o *saving) flags(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&o.out, "output", "o", "", "write the changed file to `FILE` and leave the old one alone")
	cmd.Flags().BoolVar(&o.force, "force", false, "replace FILE if it exists")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "show which values would change, and change nothing")
}
