package files

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/archive/pack"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/internal/lib/bulk"
	"pakbox/internal/lib/csvline"
	"pakbox/internal/lib/quote"
)

func createCommand(a *kit.App) *cobra.Command {
	var format, document string
	var to kit.Output
	var jobs int
	cmd := &cobra.Command{
		Use:        "create OUT INPUT...",
		GroupID:    kit.GroupChange,
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
		Args: kit.ArgCount(1, kit.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			a.Opener.Streams = true
			to.Out = args[0]
			if document != "" {
				return createFromJSON(a, args, document, format, to)
			}
			if err := kit.ArgCount(2, kit.Unlimited)(cmd, args); err != nil {
				return err
			}
			out, inputs := args[0], args[1:]
			if format == "" {
				format = pack.CommonFormat(a.Formats, out, inputs, func(name string) (*archive.Location, error) {
					s, err := a.Opener.Open(a.Ctx, name)
					if err != nil {
						return nil, err
					}
					return s.Place, nil
				})
			}
			creator, err := outFormat(a, out, format)
			if err != nil {
				return err
			}
			params, err := params(a, cmd, creator)
			if err != nil {
				return err
			}
			c := newCollector(a, out, creator, archive.CreateOptions{Params: params})
			defer c.Close()
			if err := c.addAll(cmd.Context(), inputs); err != nil {
				return err
			}
			if err := c.Check(archive.RootOf(creator)); err != nil {
				return err
			}
			return write(cmd.Context(), a, newArchive{"create", to, creator, params, c.Items, c.Notes(), jobs, false}, c.Close)
		},
	}
	addCreateFlags(a, cmd, &format, &to.Force)
	kit.JobsFlag(cmd, &jobs)
	kit.BackupFlag(cmd, &to.Backup)
	cmd.Flags().StringVar(&document, "from-json", "", "make OUT from the document in `FILE`, - for standard input")
	return cmd
}

// createFromJSON makes a file from a JSON document.
func createFromJSON(a *kit.App, args []string, document, format string, to kit.Output) error {
	if len(args) != 1 {
		return fault.Usagef("--from-json makes OUT from one document; there can be no other INPUT")
	}
	out := to.Out
	reader, err := documentFormat(a, out, format)
	if err != nil {
		return err
	}
	name, err := a.Resolve(a.Ctx, document)
	if err != nil {
		return err
	}
	text, err := kit.ReadFile(name)
	if err != nil {
		return err
	}
	data, err := reader.ReadDocument(csvline.Text(text))
	if err != nil {
		return fault.InFile(err, document)
	}
	if out == "-" {
		if err := canHoldArchive(a); err != nil {
			return err
		}
		_, err := a.Out.Write(data)
		return err
	}
	if err := a.KeepsPromise(out, data); err != nil {
		return err
	}
	if err := keepOld(a, to); err != nil {
		return err
	}
	if err := source.StageBytes(out, data, to.Force); err != nil {
		return err
	}
	if a.JSON {
		return createFromJSONReport.Print(a, out, reader.Name(), converted{int64(len(data))})
	}
	a.Note("created %s: %s", out, fact.SizeText(int64(len(data))))
	return nil
}

// documentFormat decides the format of a document.
func documentFormat(a *kit.App, out, name string) (archive.DocumentFormat, error) {
	for _, f := range formatsFor(a, out, name) {
		if r, ok := f.(archive.DocumentFormat); ok {
			return r, nil
		}
	}
	var names []string
	for _, f := range a.Formats {
		if _, ok := f.(archive.DocumentFormat); ok {
			names = append(names, f.Name())
		}
	}
	return nil, fault.Usagef("%s: no format with that name or extension is made from documents", out).Hint("name one with --format: %s", strings.Join(names, ", "))
}

// formatsFor returns the format with this name. If name is "", it returns the formats
// that fit the file name out.
func formatsFor(a *kit.App, out, name string) []archive.Format {
	if name == "" {
		return a.Formats.ByPath(out)
	}
	if f, ok := a.Formats.ByName(name); ok {
		return []archive.Format{f}
	}
	return nil
}

// addCreateFlags adds the flags of commands that write new archives.
func addCreateFlags(a *kit.App, cmd *cobra.Command, format *string, force *bool) {
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(format, "format", "", "format of OUT: "+strings.Join(creatorNames(a), ", "))
	cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(creatorNames(a), cobra.ShellCompDirectiveNoFileComp))
	cmd.Flags().BoolVar(force, "force", false, "replace OUT if it exists")
	addParams(a, cmd)
}

func creatorNames(a *kit.App) (names []string) {
	for _, f := range a.Formats {
		if _, ok := f.(archive.Creator); ok {
			names = append(names, f.Name())
		}
	}
	return names
}

// outFormat decides the format of a new archive as pack.CreatorFor does, and
// advises which formats there are.
func outFormat(a *kit.App, out, name string) (archive.Creator, error) {
	all := strings.Join(creatorNames(a), ", ")
	if out == "-" && name == "" {
		return nil, fault.Usagef("standard output has no extension, so the format is unknown").Hint("name it with --format: %s", all)
	}
	creator, err := pack.CreatorFor(a.Formats, out, name)
	if err == nil {
		return creator, nil
	}
	named := formatsFor(a, out, name)
	switch {
	case len(named) > 1:
		return nil, fault.WithHint(err, "name one with --format: %s", joinNames(named))
	case len(named) == 1:
		if _, ok := named[0].(archive.DocumentFormat); ok {
			return nil, fault.WithHint(err, "it makes one from what 'pakbox dump --json' wrote: pakbox create --from-json FILE OUT")
		}
		return nil, fault.WithHint(err, "it makes %s", all)
	case name != "":
		return nil, fault.WithHint(err, "pakbox writes %s", all)
	case strings.EqualFold(filepath.Ext(out), ".csv"):
		return nil, fault.Usagef("%s: CSV is written by the commands that list", out).Hint("Metin2's tables are called item_proto.csv and mob_proto.csv; of other files: --csv, such as pakbox info --csv FILE")
	}
	return nil, fault.WithHint(err, "name one with --format: %s", all)
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
	to      kit.Output
	format  archive.Creator
	params  map[string]string
	items   []archive.Item
	notes   []string // sentences about names that were changed
	jobs    int      // 0 means one per core
	table   bool     // the items are one table in several forms
}

// write makes a new archive. After a failure OUT is unchanged, otherwise complete.
// closeInputs is called before OUT is replaced, because some systems cannot replace an
// open file.
func write(ctx context.Context, a *kit.App, n newArchive, closeInputs func() error) error {
	out := n.to.Out
	if out == "-" {
		return writeStdout(ctx, a, n)
	}
	if err := pack.CheckReplaced(n.format, out, n.items); err != nil {
		return fault.WithHint(err, "to add files to a folder: pakbox extract ARCHIVE -C %s", quote.Word(out))
	}
	if err := keepOld(a, n.to); err != nil {
		return err
	}
	if err := stage(ctx, a, &n, out, closeInputs); err != nil {
		return err
	}
	var fileSize int64 = -1
	if info, err := os.Stat(out); err == nil && !info.IsDir() {
		fileSize = info.Size()
	}
	size, advice := (&pack.Result{Items: n.items}).Size(), ""
	for _, p := range n.format.Params() {
		if _, chosen := n.params[p.Name]; !chosen && p.Unset != "" {
			advice = p.Unset
		}
	}
	if a.JSON {
		report := createReport
		if n.command == "convert" {
			report = convertArchiveReport
		}
		return report.Print(a, out, n.format.Name(), createdArchive{
			len(n.items), question.Known(size), question.Known(fileSize), n.notes, advice,
		})
	}
	if size < 0 { // unknown size: content that is generated while it is written
		size = fileSize
	}
	made, what := question.Count(len(n.items), "file"), out
	if source.IsFolder(out) {
		what = "the folder " + out
	}
	if n.table && fileSize >= 0 { // the items are one table in several forms
		made, size = "1 file", fileSize
	}
	if size >= 0 {
		made += ", " + fact.SizeText(size)
	}
	a.Note("created %s: %s", what, made)
	printNotes(a, n.notes)
	if advice != "" {
		a.Note("%s", advice)
	}
	return nil
}

// printNotes prints sentences about changes.
func printNotes(a *kit.App, list []string) {
	for _, note := range list {
		a.Note("%s", note)
	}
}

// keepOld copies a file that is about to be replaced, if it exists and the user wants that.
func keepOld(a *kit.App, to kit.Output) error {
	if !to.Backup || !to.Force {
		return nil
	}
	kept, err := source.BackupPath(to.Out)
	if err == nil && kept != "" {
		a.Note("kept the old file as %s", kept)
	}
	return err
}

// stage writes the archive beside path and then moves it to path.
func stage(ctx context.Context, a *kit.App, n *newArchive, path string, closeInputs func() error) error {
	end := a.Watch("packing")
	defer end()
	opts, err := a.CreateOptions(n.to.Out, n.params)
	if err != nil {
		return err
	}
	opts.Workers = n.jobs
	opts.Advise = func(sentence string) { n.notes = append(n.notes, sentence) }
	items := kit.CountReading(n.items, &opts)
	return pack.Write(ctx, n.format, path, items, pack.Options{CreateOptions: opts, Overwrite: n.to.Force}, func() error {
		end()
		if closeInputs == nil {
			return nil
		}
		return closeInputs()
	})
}

// canHoldArchive returns an error if an archive must not go to standard output.
func canHoldArchive(a *kit.App) error {
	switch {
	case a.JSON:
		return fault.Usagef("--json and an archive on standard output exclude each other")
	case a.Out.Terminal:
		return fault.Usagef("an archive is nothing for a terminal").Hint("send it somewhere: pakbox ... > FILE")
	}
	return nil
}

// writeStdout makes an archive in a temporary file and copies it to standard output,
// because formats fill in earlier parts at the end.
func writeStdout(ctx context.Context, a *kit.App, n newArchive) error {
	if n.format.Name() == source.FolderFormat {
		return fault.Usagef("a folder cannot be written to standard output")
	}
	if err := canHoldArchive(a); err != nil {
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
	if err := stage(ctx, a, &n, path, nil); err != nil {
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

var (
	createReport         = kit.NewReport[createdArchive]("create", "", "the new archive")
	convertArchiveReport = kit.NewReport[createdArchive]("convert", "", "the new archive")
	createFromJSONReport = kit.NewReport[converted]("create", "--from-json", "the new file")
)

type createdArchive struct {
	Entries  int      `json:"entries" doc:"number of entries"`
	Size     *int64   `json:"size" doc:"size of their contents in bytes"`
	FileSize *int64   `json:"file_size" doc:"size of the archive in bytes; null for a folder"`
	Notes    []string `json:"notes,omitempty" doc:"what was changed to fit the format"`
	Advice   string   `json:"advice,omitempty" doc:"a setting that may be needed"`
}
