package shell

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/fact"
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
	Dir   string // a folder for it, or a template of one
	Force bool
	// Named: where nothing is said, the output is a file named like the input,
	// and not standard output.
	Named bool

	folders bool // those that the output is to lie in are made
}

// Flags gives a command the flags for it.
func (o *Making) Flags(cmd *cobra.Command) {
	usage := "write to `FILE` instead of standard output"
	if o.Named {
		usage = "write to `FILE`, - for standard output, instead of a file named like the input, here"
	}
	cmd.Flags().StringVarP(&o.Out, "output", "o", "", usage+"; of several inputs to a name such as '{name}.out'")
	o.moreFlags(cmd)
}

func (o *Making) moreFlags(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&o.Dir, "directory", "C", "", "write into `DIR`, of each input a file named like it")
	cmd.Flags().BoolVar(&o.Force, "force", false, "replace files that exist")
}

// Given reports whether somebody said where the output goes.
func (o *Making) Given() bool { return o.Out != "" || o.Dir != "" }

// Check refuses outputs that would be one file for several inputs. Ending is
// that of the names that the command chooses by itself.
func (o *Making) Check(inputs []Input, ending string) error {
	if len(inputs) < 2 {
		return nil
	}
	if o.Out == "-" || !o.Given() && !o.Named {
		return hint.Usagef("there are %d files to write, and one place", len(inputs)).Hint("to write a file for each: -C DIR")
	}
	if o.Out != "" && !strings.Contains(o.Out+o.Dir, "{") {
		return hint.Usagef("%s: cannot be what comes of %d files", o.Out, len(inputs)).
			Hint("to write a file for each: -C DIR, or a name such as '{name}%s'", filepath.Ext(o.Out))
	}
	seen := map[string]string{}
	for _, in := range inputs {
		// Files of different kinds in one folder are not all for the command.
		name := o.name(in, ending)
		key := name + "\x00" + strings.ToLower(path.Ext(in.Path))
		if first, ok := seen[key]; ok {
			return hint.Usagef("%s and %s would both be written to %s", first, in.Path, name).
				Hint("{dir} and {n} tell them apart: -o '{n} {name}%s'", filepath.Ext(name))
		}
		seen[key] = in.Path
	}
	return nil
}

// name is the file that comes of an input; "" for standard output.
func (o *Making) name(in Input, ending string) string {
	name := o.Out
	switch {
	case name == "-", name == "" && o.Dir == "" && !o.Named:
		return name
	case name == "" && in.inFolder():
		name = "{dir}/{name}" + ending
	case name == "":
		name = "{name}" + ending
	}
	return filepath.Join(fillIn(o.Dir, in), filepath.FromSlash(fillIn(name, in)))
}

// For returns where to put what comes of one input.
func (o Making) For(in Input, ending string) Making {
	o.folders = o.Dir != "" || strings.Contains(o.Out, "{") || in.inFolder()
	o.Out, o.Dir = o.name(in, ending), ""
	return o
}

// Folder is the folder for the files that come of one input, if they are
// several: that of the flag and, of many inputs, one in it named like the input.
func (o *Making) Folder(in Input) string {
	dir := fillIn(o.Dir, in)
	switch {
	case dir == o.Dir && in.inFolder():
		return filepath.Join(dir, filepath.FromSlash(fillIn("{dir}/{name}", in)))
	case dir == o.Dir && in.Many:
		return filepath.Join(dir, fillIn("{name}", in))
	}
	return dir
}

// fillIn puts an input's words into a template: {name} is its name without its
// endings, {file} with them, {dir} the folders below the one that was given, or
// the folder of a file that was given, {n} the input's number.
func fillIn(template string, in Input) string {
	at := source.Slashed(in.Path)
	dir := path.Base(path.Dir(at))
	if in.inFolder() {
		rel, err := filepath.Rel(in.Folder, filepath.FromSlash(path.Dir(at)))
		if err != nil {
			rel = "."
		}
		dir = filepath.ToSlash(rel)
	}
	return strings.NewReplacer("{name}", BaseName(at), "{file}", path.Base(at), "{dir}", dir, "{n}", strconv.Itoa(in.Number)).Replace(template)
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
	if base == "" {
		return ext
	}
	return base
}

// MakeOfEach calls work for the files that args stand for, with where to put
// what comes of each. Ending is that of the names that the command chooses by
// itself.
func (a *App) MakeOfEach(m Many, o Making, ending, command, doing string, args []string, work func(a *App, name string, o Making) error) error {
	inputs := a.Inputs(m, command, args)
	if err := o.Check(inputs, ending); err != nil {
		return err
	}
	t := a.EachInput(m, command, doing, inputs, func(run *App, name string) error {
		return work(run, name, o.For(run.Subject, ending))
	})
	a.Summary(t, "read", "")
	return nil
}

// MakeFolders makes the folders that the output is to lie in, where they are
// part of what was asked for.
func (o Making) MakeFolders() error {
	if !o.folders {
		return nil
	}
	return os.MkdirAll(filepath.Dir(o.Out), 0o777)
}

// Write writes content to where it belongs, which is no stream.
func (o Making) Write(data []byte) error {
	if err := o.MakeFolders(); err != nil {
		return err
	}
	return source.StageBytes(o.Out, data, o.Force)
}

// WriteMade writes a file that a command made of a GBX file; more is added to the
// JSON.
func (a *App) WriteMade(o Making, command, name string, data []byte, more *answer.Object) error {
	return a.writeMade(o, answer.New(command, name, "gbx"), data, more)
}

func (a *App) writeMade(o Making, said *answer.Object, data []byte, more *answer.Object) error {
	if o.Out == "" || o.Out == "-" {
		return a.WriteContent(data, o.Out == "-")
	}
	if err := o.Write(data); err != nil {
		return err
	}
	if a.JSON {
		return a.Print(said.Add("output", filepath.ToSlash(o.Out)).Add("size", len(data)).
			Add("sha256", fmt.Sprintf("%x", sha256.Sum256(data))).Merge(more))
	}
	a.Note("wrote %s, %s", o.Out, fact.SizeText(int64(len(data))))
	return nil
}

// WriteContent writes the content of a file to standard output. Asked says that
// somebody named that as its place.
func (a *App) WriteContent(data []byte, asked bool) error {
	if a.JSON {
		return hint.Usagef("with --json the content needs a file of its own").Hint("name it with -o FILE")
	}
	if !asked {
		if err := a.FitForTerminal(data); err != nil {
			return err
		}
	}
	_, err := a.Out.Write(data)
	return err
}
