package kit

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/internal/lib/spell"
)

// Promises rejects an output whose extension is not one of the kinds that the command
// writes; the first kind is the usual one. A name without an extension is allowed.
func Promises(out string, kinds ...string) error {
	ext := strings.ToLower(filepath.Ext(out))
	if !isEnding(ext) || slices.Contains(kinds, ext) {
		return nil
	}
	u := fault.Usagef("%s: cannot be written as %s", out, strings.ToUpper(ext[1:])).
		Hint("call it %s", strings.TrimSuffix(out, filepath.Ext(out))+kinds[0])
	if kinds = slices.Compact(kinds); len(kinds) > 1 {
		return u.Hint("endings that this command writes: %s", strings.Join(kinds, ", "))
	}
	return u
}

// isEnding reports whether the last part of a name is a file extension, such as .png, and
// not a part of a title, such as the .2 in "Map 1.2".
func isEnding(ext string) bool {
	const longest = 8
	return len(ext) > 1 && len(ext) <= longest && ext[1] >= 'a' && ext[1] <= 'z' && !strings.ContainsAny(ext, " {}'")
}

// Output has the paths for the output of a command, one for each of its inputs.
type Output struct {
	Out    string // a file, or a template for its name; - for standard output
	Dir    string // a folder for the output, or a template for one
	Force  bool   // replace files that exist, and change those that are read-only
	Backup bool   // keep the file that is replaced
	DryRun bool   // only print what would be done
	// Named means that by default the output is a file named after the input, and not
	// standard output. InPlace means that by default it replaces the input.
	Named, InPlace bool

	folders bool // make missing folders of the output
}

// Flags adds the flags for it to a command.
func (o *Output) Flags(cmd *cobra.Command) {
	usage := "write to `FILE` instead of standard output; for several inputs, FILE is a name such as '{name}.out'"
	dir, force := "write into `DIR` a file for each input, with its name", "replace files that exist"
	switch {
	case o.InPlace:
		usage = "write the changed file to `FILE` and leave the old one alone; for several files, FILE is a name such as 'new {file}'"
		dir, force = "write changed files into `DIR` and leave the old ones alone", "replace files that exist, and change those that are read-only"
	case o.Named:
		usage = "write to `FILE`, - for standard output, instead of a file here with the name of the input; for several inputs, FILE is a name such as '{name}.out'"
	}
	cmd.Flags().StringVarP(&o.Out, "output", "o", "", usage)
	cmd.Flags().StringVarP(&o.Dir, "directory", "C", "", dir)
	cmd.Flags().BoolVar(&o.Force, "force", false, force)
	if o.InPlace {
		o.changeFlags(cmd)
	}
}

// OneFlags adds the flags to a command that makes or changes one file. usage is the help
// of -o.
func (o *Output) OneFlags(cmd *cobra.Command, usage string) {
	cmd.Flags().StringVarP(&o.Out, "output", "o", "", usage)
	force := "replace a file that exists"
	if o.InPlace {
		force += ", and change one that is read-only"
	}
	cmd.Flags().BoolVar(&o.Force, "force", false, force)
	if o.InPlace {
		o.changeFlags(cmd)
	}
}

// AnotherFile is the usual help of -o for a command that changes one file.
const AnotherFile = "write the changed file to `FILE` and leave the old one alone"

func (o *Output) changeFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "show the change without making it")
	BackupFlag(cmd, &o.Backup)
}

// BackupFlag adds the flag that keeps the old file, for commands that replace files.
func BackupFlag(cmd *cobra.Command, backup *bool) {
	cmd.Flags().BoolVar(backup, "backup", false, "keep the old file as FILE.bak")
}

// AnyFile is the usual help of -o.
const AnyFile = "write to `FILE`, - for standard output"

// Given reports whether the user named the output.
func (o *Output) Given() bool { return o.Out != "" || o.Dir != "" }

// Check rejects outputs that would be one file for several inputs, and placeholders
// without a value. ending is the extension of default names.
func (o *Output) Check(a *App, inputs []Input, ending string) error {
	if o.InPlace {
		if !o.Given() {
			return nil
		}
		named := *o
		named.InPlace, named.Out = false, cmp.Or(o.Out, "{file}")
		return named.Check(a, inputs, "")
	}
	if err := a.readPlaceholders(o.Out+" "+o.Dir, inputs); err != nil {
		return err
	}
	if len(inputs) < 2 {
		return nil
	}
	if o.Out == "-" || !o.Given() && !o.Named {
		return fault.Usagef("there are %d files to write, and one place", len(inputs)).Hint("to write a file for each: -C DIR")
	}
	if o.Out != "" && !strings.Contains(o.Out+o.Dir, "{") {
		return fault.Usagef("%s: cannot be what comes of %d files", o.Out, len(inputs)).
			Hint("to write a file for each: -C DIR, or a name such as '{name}%s'", filepath.Ext(o.Out))
	}
	seen := map[string]string{}
	for _, in := range inputs {
		name := o.name(in, ending)
		key := name + "\x00" + strings.ToLower(path.Ext(in.Path))
		if in.inFolder() && !o.Force {
			// A.Map.Gbx and A.Ghost.Gbx in one folder give the same output name, but the
			// command usually accepts only one of them. If it accepts both, writing the second
			// fails, because the file exists.
			key += strings.ToLower(path.Ext(strings.TrimSuffix(in.Path, path.Ext(in.Path))))
		}
		if first, ok := seen[key]; ok {
			return fault.Usagef("%s and %s would both be written to %s", first, in.Path, name).
				Hint("{dir} and {n} make the names different: -o '{n} {name}%s'", filepath.Ext(name))
		}
		seen[key] = in.Path
	}
	return nil
}

// name returns the output file for an input; "" for standard output.
func (o *Output) name(in Input, ending string) string {
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

// For returns the output for one input: Out is "" to save in place.
func (o Output) For(in Input, ending string) Output {
	switch {
	case o.InPlace && !o.Given():
		return o
	case o.InPlace && o.Out == "" && in.inFolder():
		o.Out = "{dir}/{file}"
	case o.InPlace && o.Out == "":
		o.Out = "{file}"
	}
	o.folders = o.Dir != "" || strings.Contains(o.Out, "{") || in.inFolder()
	o.Out, o.Dir = o.name(in, ending), ""
	return o
}

// Folder returns the folder for several files from one input: the folder of the flag and,
// if there are many inputs, a subfolder named after the input.
func (o *Output) Folder(in Input) string {
	dir := fillIn(o.Dir, in)
	switch {
	case dir == o.Dir && in.inFolder():
		return filepath.Join(dir, filepath.FromSlash(fillIn("{dir}/{name}", in)))
	case dir == o.Dir && in.Many:
		return filepath.Join(dir, fillIn("{name}", in))
	}
	return dir
}

// readPlaceholders gives each input the facts that a template names.
func (a *App) readPlaceholders(template string, inputs []Input) error {
	words := slices.DeleteFunc(fact.Placeholders(template), func(word string) bool {
		_, ok := Input{}.word(word)
		return ok
	})
	if len(words) == 0 {
		return nil
	}
	for i := range inputs {
		in := &inputs[i]
		card, err := answer.FileInfo.Ask(a.Ctx, a.At(in.Path), question.NoParams{})
		if err != nil {
			if in.inFolder() && errors.Is(err, fault.NotFormat) {
				continue // not a file for this command
			}
			return err
		}
		in.Facts = card.Facts
		for _, word := range words {
			if _, ok := in.word(word); !ok && !in.inFolder() {
				u := fault.Usagef("%s: unknown placeholder {%s}", in.Path, word)
				names := question.PlaceholderNames(card.Facts.Names())
				if near := spell.Near(word, names, 1); len(near) > 0 {
					return u.Hint("did you mean {%s}?", near[0])
				}
				return u.Hint("placeholders are %s; {{ is a brace", strings.Join(names, ", "))
			}
		}
	}
	return nil
}

// fillIn replaces the placeholders in a template. A placeholder without a value is
// removed: then the input was found in a folder and is of another kind.
func fillIn(template string, in Input) string {
	text, _ := fact.Fill(template, in.word)
	return text
}

// word returns the text for a placeholder in the name of an output: {name} is the file name
// without extensions, and the other words of [question.FileWord]. Any other word is a fact
// of the file, made safe for file names.
func (in Input) word(word string) (string, bool) {
	if word == "name" {
		return BaseName(source.Slashed(in.Path)), true
	}
	if text, ok := question.FileWord(word, in.Path, in.Folder, in.Number); ok {
		return text, true
	}
	v, ok := in.Facts.Get(word)
	if !ok && word == "map_name" {
		v, ok = in.Facts.Get("name")
	}
	if !ok || v.Value == nil {
		return "", ok
	}
	return safeName(v.Kind.Text(v.Value)), true
}

// safeName makes a text safe as part of a file name, on every system.
func safeName(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, text)
	return strings.TrimRight(text, ". ")
}

// BaseName returns the name of a file without its extensions: A for A.Map.Gbx.
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

// MakeOfEach calls work for each file in args, with the place for its output. ending is
// the extension of default names.
func (a *App) MakeOfEach(m Many, o Output, ending, command, doing string, args []string, work func(a *App, name string, o Output) error) error {
	inputs := a.Inputs(m, command, args)
	o.InPlace = false
	if err := o.Check(a, inputs, ending); err != nil {
		return err
	}
	t := a.EachInput(m, command, doing, inputs, func(run *App, name string) error {
		return work(run, name, o.For(run.Subject, ending))
	})
	a.Summary(t, "read", "")
	return nil
}

// MakeFolders makes the missing folders of the output, if that is allowed.
func (o Output) MakeFolders() error {
	if !o.folders {
		return nil
	}
	return os.MkdirAll(filepath.Dir(o.Out), 0o777)
}

// Write writes content to the output file.
func (o Output) Write(a *App, data []byte) error {
	if err := a.KeepsPromise(o.Out, data); err != nil {
		return err
	}
	return o.WriteWith(func(file string) error { return source.StageBytes(file, data, o.Force) })
}

// WriteWith lets a function write the output file.
func (o Output) WriteWith(write func(file string) error) error {
	if o.Backup && o.Force {
		if _, err := source.BackupPath(o.Out); err != nil {
			return err
		}
	}
	if err := o.MakeFolders(); err != nil {
		return err
	}
	return write(o.Out)
}

// Free returns an error if the output exists and may not be replaced.
func (o *Output) Free() error {
	if o.DryRun || o.Force || o.Out == "" || o.Out == "-" {
		return nil
	}
	if _, err := os.Lstat(o.Out); err == nil {
		return &fs.PathError{Op: "create", Path: o.Out, Err: fs.ErrExist}
	}
	return nil
}

// writeMade writes a new file, and prints the JSON about it by the function.
func (a *App) writeMade(o Output, data []byte, print func() error) error {
	if o.Out == "" || o.Out == "-" {
		return a.WriteContent(data, o.Out == "-")
	}
	if err := o.Write(a, data); err != nil {
		return err
	}
	if a.JSON {
		return print()
	}
	a.Note("wrote %s, %s", o.Out, fact.SizeText(int64(len(data))))
	return nil
}

// WriteContent writes the content of a file to standard output. asked means that the user
// named standard output.
func (a *App) WriteContent(data []byte, asked bool) error {
	if a.JSON {
		return fault.Usagef("with --json the content needs a file of its own").Hint("name it with -o FILE")
	}
	if !asked {
		if err := a.FitForTerminal(data); err != nil {
			return err
		}
	}
	_, err := a.Out.Write(data)
	return err
}
