package cli

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/lib/bulk"
	"pakbox/internal/lib/hint"
	"pakbox/internal/source"
)

func (a *app) createCommand() *cobra.Command {
	var format, document string
	var force, backup bool
	var jobs int
	cmd := &cobra.Command{
		Use:        "create OUT INPUT...",
		GroupID:    shell.GroupChange,
		SuggestFor: []string{"pack", "zip", "new", "make", "build", "merge", "join"},
		Short:      "Make a new archive from files and folders",
		Long: `Create packs INPUTs into a new archive. OUT's extension or --format gives its
format.

A single folder becomes the archive: its content is stored without the folder's
own name. Several INPUTs are each stored under their name. Write a slash after a
folder to store only its content. INPUTs may lie inside archives.

With --from-json, OUT is made from the document that 'pakbox dump --json' wrote,
and there are no INPUTs.`,
		Example: `  pakbox create game.vpk folder
  pakbox create game.vpk readme.txt textures sounds
  pakbox create --level 9 --comment 'spring release' game.zip folder
  pakbox create --format zip - folder > game.zip
  pakbox create A.Map.Gbx --from-json a.json`,
		Args: shell.ArgCount(1, shell.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			if document != "" {
				return a.createFromJSON(args, document, format, force)
			}
			if err := shell.ArgCount(2, shell.Unlimited)(cmd, args); err != nil {
				return err
			}
			out, inputs := args[0], args[1:]
			if format == "" {
				format = a.formatOfInputs(out, inputs)
			}
			creator, err := a.outFormat(out, format)
			if err != nil {
				return err
			}
			params, err := a.params(cmd, creator)
			if err != nil {
				return err
			}
			names := archive.CreateOptions{Params: params}.Names(creator)
			c := &collector{app: a, out: out, exts: creator.Extensions(), names: names}
			defer c.close()
			if err := c.addAll(cmd.Context(), inputs); err != nil {
				return err
			}
			if err := c.check(archive.RootOf(creator)); err != nil {
				return err
			}
			return a.write(cmd.Context(), newArchive{"create", out, creator, params, c.items, names.Notes(), force, jobs, backup}, c.close)
		},
	}
	a.addCreateFlags(cmd, &format, &force)
	shell.JobsFlag(cmd, &jobs)
	shell.BackupFlag(cmd, &backup)
	cmd.Flags().StringVar(&document, "from-json", "", "make OUT from the document in `FILE`, - for standard input")
	return cmd
}

// createFromJSON makes a file from a JSON document.
func (a *app) createFromJSON(args []string, document, format string, force bool) error {
	if len(args) != 1 {
		return hint.Usagef("--from-json makes OUT from one document; there can be no other INPUT")
	}
	out := args[0]
	reader, err := a.documentFormat(out, format)
	if err != nil {
		return err
	}
	name, err := a.Resolve(a.Ctx, document)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	data, err := reader.ReadDocument(text)
	if err != nil {
		return fault.InFile(err, document)
	}
	if out == "-" {
		if err := a.canHoldArchive(); err != nil {
			return err
		}
		_, err := a.Out.Write(data)
		return err
	}
	if err := a.KeepsPromise(out, data); err != nil {
		return err
	}
	if err := source.StageBytes(out, data, force); err != nil {
		return err
	}
	if a.JSON {
		return a.Print(form.New("create", out, reader.Name()).Add("file_size", len(data)))
	}
	a.Note("created %s: %s", out, fact.SizeText(int64(len(data))))
	return nil
}

// documentFormat decides the format of a document.
func (a *app) documentFormat(out, name string) (source.DocumentFormat, error) {
	for _, f := range a.formatsFor(out, name) {
		if r, ok := f.(source.DocumentFormat); ok {
			return r, nil
		}
	}
	var names []string
	for _, f := range a.Formats {
		if _, ok := f.(source.DocumentFormat); ok {
			names = append(names, f.Name())
		}
	}
	return nil, hint.Usagef("%s: no format with that name or extension is made from documents", out).Hint("name one with --format: %s", strings.Join(names, ", "))
}

// formatsFor returns the format with this name. If name is "", it returns the formats
// that fit the file name out.
func (a *app) formatsFor(out, name string) []archive.Format {
	if name == "" {
		return a.Formats.ByPath(out)
	}
	if f, ok := a.Formats.ByName(name); ok {
		return []archive.Format{f}
	}
	return nil
}

// addCreateFlags adds the flags of commands that write new archives.
func (a *app) addCreateFlags(cmd *cobra.Command, format *string, force *bool) {
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(format, "format", "", "format of OUT: "+strings.Join(a.creatorNames(), ", "))
	cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(a.creatorNames(), cobra.ShellCompDirectiveNoFileComp))
	cmd.Flags().BoolVar(force, "force", false, "replace OUT if it exists")
	a.addParams(cmd)
}

func (a *app) creatorNames() (names []string) {
	for _, f := range a.Formats {
		if _, ok := f.(archive.Creator); ok {
			names = append(names, f.Name())
		}
	}
	return names
}

// formatOfInputs chooses between the formats that share the extension of a new archive: it
// is the format of the inputs, if all are files of that one. Otherwise it is not known.
func (a *app) formatOfInputs(out string, inputs []string) (name string) {
	named := a.Formats.ByPath(out)
	if len(named) < 2 {
		return ""
	}
	for _, input := range inputs {
		s, err := a.Opener.Open(a.Ctx, input)
		if err != nil {
			return ""
		}
		found := s.Format()
		s.Close()
		if !slices.ContainsFunc(named, func(f archive.Format) bool { return f.Name() == found }) || name != "" && name != found {
			return ""
		}
		name = found
	}
	return name
}

// outFormat decides the format of a new archive: the named one, or that of the extension.
// A path that ends in a slash, has no extension, or is an existing folder means a folder.
func (a *app) outFormat(out, name string) (archive.Creator, error) {
	var f archive.Format
	var ok bool
	switch {
	case name != "":
		if f, ok = a.Formats.ByName(name); !ok {
			return nil, hint.Usagef("there is no format %q", name).Hint("pakbox writes %s", strings.Join(a.creatorNames(), ", "))
		}
	case out == "-":
		return nil, hint.Usagef("standard output has no extension to tell the format by").Hint("name it with --format: %s", strings.Join(a.creatorNames(), ", "))
	default:
		named := a.Formats.ByPath(out)
		if len(named) > 1 {
			return nil, hint.Usagef("%s: more than one format has the extension %q", out, filepath.Ext(out)).Hint("name one with --format: %s", joinNames(named))
		}
		if ok = len(named) == 1; ok {
			f = named[0]
		}
		if strings.HasSuffix(out, "/") || strings.HasSuffix(out, string(filepath.Separator)) || source.IsFolder(out) || !ok && filepath.Ext(out) == "" {
			f, ok = a.Formats.ByName(source.FolderFormat)
		}
		if !ok && strings.EqualFold(filepath.Ext(out), ".csv") {
			return nil, hint.Usagef("%s: CSV is written by the commands that list", out).Hint("Metin2's tables are called item_proto.csv and mob_proto.csv; of other files: --csv, such as pakbox info --csv FILE")
		}
		if !ok {
			return nil, hint.Usagef("%s: no known format has the extension %q", out, filepath.Ext(out)).Hint("name one with --format: %s", strings.Join(a.creatorNames(), ", "))
		}
	}
	creator, ok := f.(archive.Creator)
	if !ok {
		u := hint.Usagef("pakbox cannot make a %s file from files", f.Name())
		if _, ok := f.(source.DocumentFormat); ok {
			return nil, u.Hint("it makes one from what 'pakbox dump --json' wrote: pakbox create --from-json FILE OUT")
		}
		return nil, u.Hint("it makes %s", strings.Join(a.creatorNames(), ", "))
	}
	return creator, nil
}

func joinNames(formats []archive.Format) string {
	var names []string
	for _, f := range formats {
		names = append(names, f.Name())
	}
	return strings.Join(names, " or ")
}

// newArchive describes an archive to write.
type newArchive struct {
	command string
	out     string
	format  archive.Creator
	params  map[string]string
	items   []archive.Item
	notes   []string // sentences about names that were changed
	force   bool
	jobs    int  // 0 means one per core
	backup  bool // keep the replaced archive
}

// write makes a new archive. Whatever happens, OUT is either unchanged or complete.
// closeInputs is called before OUT is replaced, because some systems cannot replace an
// open file.
func (a *app) write(ctx context.Context, n newArchive, closeInputs func()) error {
	if n.out == "-" {
		return a.writeStdout(ctx, n)
	}
	if n.format.Name() == source.FolderFormat && source.HoldsWorkingDir(n.out) {
		return hint.Usagef("%s: would replace the folder that pakbox runs in", n.out).Hint("to add files to a folder: pakbox extract ARCHIVE -C %s", hint.Word(n.out))
	}
	if n.format.Name() == source.FolderFormat && source.IsFolder(n.out) {
		if err := keepsOthers(n); err != nil {
			return err
		}
	}
	if n.backup && n.force {
		if err := a.keepOld(n.out); err != nil {
			return err
		}
	}
	if err := a.stage(ctx, n, n.out, closeInputs); err != nil {
		return err
	}
	var fileSize int64 = -1
	if info, err := os.Stat(n.out); err == nil && !info.IsDir() {
		fileSize = info.Size()
	}
	size, advice := totalSize(n.items), ""
	for _, p := range n.format.Params() {
		if _, chosen := n.params[p.Name]; !chosen && p.Unset != "" {
			advice = p.Unset
		}
	}
	if a.JSON {
		o := form.New(n.command, n.out, n.format.Name()).
			Add("entries", len(n.items)).Add("size", form.Known(size)).Add("file_size", form.Known(fileSize))
		addNotes(o, n.notes)
		if advice != "" {
			o.Add("advice", advice)
		}
		return a.Print(o)
	}
	if size < 0 { // unknown size: content that is generated while it is written
		size = fileSize
	}
	made := form.Count(len(n.items), "file")
	if size >= 0 {
		made += ", " + fact.SizeText(size)
	}
	a.Note("created %s: %s", n.out, made)
	a.notes(n.notes)
	if advice != "" {
		a.Note("%s", advice)
	}
	return nil
}

// notes prints sentences about changes, addNotes adds them to an answer.
func (a *app) notes(list []string) {
	for _, note := range list {
		a.Note("%s", note)
	}
}

func addNotes(o *form.Object, list []string) *form.Object {
	if len(list) > 0 {
		o.Add("notes", list)
	}
	return o
}

// keepOld copies a file that is about to be replaced, if it exists.
func (a *app) keepOld(file string) error {
	kept, err := source.BackupPath(file)
	if err == nil && kept != "" {
		a.Note("kept the old file as %s", kept)
	}
	return err
}

// keepsOthers refuses to replace a folder that contains files other than those to be
// written, because somebody else put them there.
func keepsOthers(n newArchive) error {
	below, err := source.Below(n.out)
	if err != nil {
		return nil // there is none, or replacing it will report the error
	}
	made := map[string]bool{}
	for _, item := range n.items {
		made[strings.ToLower(item.Name)] = true
	}
	for _, name := range below {
		if !made[strings.ToLower(name)] {
			err := &fs.PathError{Op: "replace", Path: n.out, Err: fmt.Errorf("holds %s, which would be lost", name)}
			return hint.With(err, "to add files to a folder: pakbox extract ARCHIVE -C %s", hint.Word(n.out))
		}
	}
	return nil
}

// totalSize sums the sizes of the items, -1 if one is unknown.
func totalSize(items []archive.Item) (size int64) {
	for _, it := range items {
		if it.Size < 0 {
			return -1
		}
		size += it.Size
	}
	return size
}

// stage writes the archive beside path and then moves it to path.
func (a *app) stage(ctx context.Context, n newArchive, path string, closeInputs func()) error {
	end := a.Watch("packing")
	defer end()
	opts, err := a.CreateOptions(n.out, n.params)
	if err != nil {
		return err
	}
	stage, err := archive.NewStage(strings.TrimRightFunc(path, func(r rune) bool { return r == '/' || r == filepath.Separator }), n.force)
	if err != nil {
		return err
	}
	defer stage.Abort()
	opts.Workers = n.jobs
	items := shell.CountReading(n.items, &opts)
	if err := n.format.Create(ctx, stage, items, opts); err != nil {
		return err
	}
	end()
	if err := ctx.Err(); err != nil {
		return err
	}
	closeInputs()
	return stage.Commit()
}

// canHoldArchive returns an error if an archive must not go to standard output.
func (a *app) canHoldArchive() error {
	switch {
	case a.JSON:
		return hint.Usagef("--json and an archive on standard output exclude each other")
	case a.Out.Terminal:
		return hint.Usagef("an archive is nothing for a terminal").Hint("send it somewhere: pakbox ... > FILE")
	}
	return nil
}

// writeStdout makes an archive in a temporary file and copies it to standard output,
// because formats fill in earlier parts at the end.
func (a *app) writeStdout(ctx context.Context, n newArchive) error {
	if n.format.Name() == source.FolderFormat {
		return hint.Usagef("a folder cannot be written to standard output")
	}
	if err := a.canHoldArchive(); err != nil {
		return err
	}
	dir, err := a.TempDir()
	if err != nil {
		return err
	}
	path := filepath.Join(dir, "out")
	if exts := n.format.Extensions(); len(exts) > 0 {
		path += exts[0]
	}
	if err := a.stage(ctx, n, path, func() {}); err != nil {
		return err
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if len(files) != 1 {
		return fault.New(fault.Unsupported, "a %s archive is several files, which standard output cannot hold", n.format.Name())
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = bulk.Copy(ctx, a.Out, f)
	return err
}
