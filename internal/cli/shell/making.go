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

// Making is where a command puts what it makes of each of its inputs.
type Making struct {
	Out   string // a file, or a template of its name; - for standard output
	Dir   string // a folder for it
	Force bool
}

// Flags gives a command the flags for it.
func (o *Making) Flags(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&o.Out, "output", "o", "", "write to `FILE` instead of standard output; of several inputs, to a name such as '{name}.png'")
	o.moreFlags(cmd)
}

func (o *Making) moreFlags(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&o.Dir, "directory", "C", "", "write into `DIR`, of each input a file named like it")
	cmd.Flags().BoolVar(&o.Force, "force", false, "replace files that exist")
}

// Check refuses outputs that would be one file for several inputs. Ending is
// that of the names that the command chooses by itself; "" if it chooses none.
func (o *Making) Check(inputs []Input, ending string) error {
	if len(inputs) < 2 {
		return nil
	}
	if o.Out == "-" || o.Out == "" && o.Dir == "" && ending == "" {
		return hint.Usagef("there are %d files to write, and one place", len(inputs)).Hint("to write a file for each: -C DIR")
	}
	if o.Out != "" && !strings.Contains(o.Out, "{") {
		return hint.Usagef("%s: cannot be what comes of %d files", o.Out, len(inputs)).
			Hint("to write a file for each: -C DIR, or a name such as '{name}%s'", filepath.Ext(o.Out))
	}
	seen := map[string]string{}
	for _, in := range inputs {
		name := o.name(in, ending)
		if first, ok := seen[name]; ok {
			return hint.Usagef("%s and %s would both be written to %s", first, in.Path, name).
				Hint("{dir} and {n} tell them apart: -o '{dir}/{name}%s'", filepath.Ext(name))
		}
		seen[name] = in.Path
	}
	return nil
}

// name is the file that comes of an input; "" for standard output.
func (o *Making) name(in Input, ending string) string {
	name := o.Out
	if name == "" && (o.Dir != "" || in.Many) {
		name = "{name}" + ending
	}
	if name == "" || name == "-" {
		return name
	}
	return filepath.Join(o.Dir, filepath.FromSlash(fillIn(name, in)))
}

// For returns where to put what comes of one input.
func (o Making) For(in Input, ending string) (Making, error) {
	o.Out = o.name(in, ending)
	if o.Dir != "" || in.Many {
		if err := os.MkdirAll(filepath.Dir(o.Out), 0o777); err != nil {
			return o, err
		}
	}
	return o, nil
}

// fillIn puts an input's words into a template: {name} is its name without its
// endings, {file} with them, {dir} the folders below the one that was given,
// {n} the input's number.
func fillIn(template string, in Input) string {
	dir := ""
	if rel, err := filepath.Rel(in.Folder, filepath.FromSlash(path.Dir(in.Path))); err == nil && in.inFolder() && rel != "." {
		dir = filepath.ToSlash(rel)
	}
	return strings.NewReplacer("{name}", BaseName(in.Path), "{file}", path.Base(in.Path), "{dir}", dir, "{n}", strconv.Itoa(in.Number)).Replace(template)
}

// BaseName is the name of a file without its endings: A of A.Map.Gbx.
func BaseName(file string) string {
	if file == "-" {
		return "stdin"
	}
	base := path.Base(source.Slashed(file))
	ext := path.Ext(base)
	if base = strings.TrimSuffix(base, ext); strings.EqualFold(ext, ".gbx") {
		if kind := path.Ext(base); len(kind) > 1 && len(kind) < len(base) && !strings.Contains(kind, " ") {
			base = strings.TrimSuffix(base, kind)
		}
	}
	return base
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
		return a.Print(answer.New(command, name, "gbx").Add("output", filepath.ToSlash(o.Out)).Add("size", len(data)).
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

// Saving is how a command saves the files that it changed.
type Saving struct {
	Making        // Out and Dir are "" for where a file was
	DryRun bool
	Backup bool // keep the old file
}

// Flags gives a command the flags for it.
func (o *Saving) Flags(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&o.Out, "output", "o", "", "write the changed file to `FILE` and leave the old one alone")
	o.moreFlags(cmd)
	cmd.Flags().Lookup("directory").Usage = "write changed files into `DIR` and leave the old ones alone"
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "show which values would change, and change nothing")
	BackupFlag(cmd, &o.Backup)
}

// Check refuses outputs that would be one file for several inputs.
func (o *Saving) Check(inputs []Input) error {
	if o.Out == "" && o.Dir == "" {
		return nil
	}
	m := o.Making
	m.Out = cmp.Or(m.Out, "{file}")
	return m.Check(inputs, "")
}

// For returns where to save one input: Out is "" for where it was.
func (o Saving) For(in Input) (Saving, error) {
	if o.Out == "" && o.Dir == "" {
		return o, nil
	}
	o.Out = cmp.Or(o.Out, "{file}")
	var err error
	o.Making, err = o.Making.For(in, "")
	return o, err
}

// BackupFlag gives a command that replaces files the flag that keeps the old
// ones.
func BackupFlag(cmd *cobra.Command, backup *bool) {
	cmd.Flags().BoolVar(backup, "backup", false, "keep the old file as FILE.bak")
}
