package files

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/internal/lib/bulk"
)

func createCommand(a *kit.App) *cobra.Command {
	var p answer.CreateParams
	var format string
	var to kit.Output
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
			w := writing{"create", to}
			p.Out, p.From, p.Format, p.Before = to.Out, args[1:], format, w.keepOld(a)
			if p.Document.Name != "" {
				return createFromJSON(a, p, w)
			}
			if err := kit.ArgCount(2, kit.Unlimited)(cmd, args); err != nil {
				return err
			}
			if p.Format == "" {
				p.Format = answer.CommonFormat(a.Ctx, a.Opener, p.Out, p.From)
			}
			creator, err := answer.CreatorOf(a.Formats, p.Out, p.Format)
			if err != nil {
				return err
			}
			p.Format = creator.Name()
			if p.Params, err = params(a, cmd, creator); err != nil {
				return err
			}
			f, err := answer.Create.Ask(a.Ctx, a.At(p.Out), p)
			if err != nil {
				return err
			}
			return w.write(a, f)
		},
	}
	addCreateFlags(a, cmd, &format, &to.Force)
	kit.JobsFlag(cmd, &p.Workers)
	kit.BackupFlag(cmd, &to.Backup)
	kit.Flags(cmd, answer.Create, &p)
	return cmd
}

// createFromJSON makes a file from a JSON document.
func createFromJSON(a *kit.App, p answer.CreateParams, w writing) error {
	if err := kit.ReadContents(a, answer.Create, &p, nil); err != nil {
		return err
	}
	at := a.At(p.Out)
	f, err := answer.Create.Ask(a.Ctx, at, p)
	if err != nil {
		return err
	}
	if p.Out == "-" {
		if err := canHoldArchive(a); err != nil {
			return err
		}
		_, err := a.Out.Write(f.Data)
		return err
	}
	if err := a.KeepsPromise(p.Out, f.Data); err != nil {
		return err
	}
	if err := p.Before(); err != nil {
		return err
	}
	if err := source.StageBytes(p.Out, f.Data, w.to.Force); err != nil {
		return err
	}
	return w.printDocument(a, at.Format, f.Say.(*answer.NewDocument))
}

// addCreateFlags adds the flags of commands that write new archives.
func addCreateFlags(a *kit.App, cmd *cobra.Command, format *string, force *bool) {
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(format, "format", "", "format of OUT: "+strings.Join(answer.CreatorNames(a.Formats), ", "))
	cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(answer.CreatorNames(a.Formats), cobra.ShellCompDirectiveNoFileComp))
	cmd.Flags().BoolVar(force, "force", false, "replace OUT if it exists")
	addParams(a, cmd)
}

// writing is how a command writes a new archive.
type writing struct {
	command string
	to      kit.Output
}

// keepOld returns a function that copies the file that is about to be replaced, if that is
// wanted and the file exists.
func (w *writing) keepOld(a *kit.App) func() error {
	return func() error {
		if !w.to.Backup || !w.to.Force {
			return nil
		}
		kept, err := source.BackupPath(w.to.Out)
		if err == nil && kept != "" {
			a.Note("kept the old file as %s", kept)
		}
		return err
	}
}

// write writes a new archive, or a file in another form of its own format, and prints what
// was made.
func (w *writing) write(a *kit.App, f *question.File) error {
	made, isArchive := f.Say.(*answer.NewArchive)
	if w.to.Out == "-" {
		return writeStdout(a, f, made.Format)
	}
	end := a.Watch("packing")
	defer end()
	if err := f.Write(a.Ctx, w.to.Out, w.to.Force); err != nil {
		return err
	}
	end()
	if !isArchive {
		return w.printDocument(a, "gbx", f.Say.(*answer.NewDocument))
	}
	if a.JSON {
		report := createReport
		if w.command == "convert" {
			report = convertArchiveReport
		}
		return report.Print(a, w.to.Out, made.Format, *made)
	}
	size, what := made.Size, w.to.Out
	if size == nil || made.IsTable && made.FileSize != nil { // unknown: content that is generated while it is written
		size = made.FileSize
	}
	text := question.Count(made.Entries, "file")
	if source.IsFolder(w.to.Out) {
		what = "the folder " + w.to.Out
	}
	if made.IsTable && made.FileSize != nil { // the items are one table in several forms
		text = "1 file"
	}
	if size != nil {
		text += ", " + fact.SizeText(*size)
	}
	a.Note("created %s: %s", what, text)
	printNotes(a, made.Notes)
	if made.Advice != "" {
		a.Note("%s", made.Advice)
	}
	return nil
}

// printDocument prints what was made of a document.
func (w *writing) printDocument(a *kit.App, format string, made *answer.NewDocument) error {
	if a.JSON {
		report := convertReport
		if w.command == "create" {
			report = createFromJSONReport
		}
		return report.Print(a, w.to.Out, format, *made)
	}
	a.Note("created %s: %s", w.to.Out, fact.SizeText(made.FileSize))
	return nil
}

var (
	createReport         = kit.NewReport[answer.NewArchive]("create", "", "the new archive")
	createFromJSONReport = kit.NewReport[answer.NewDocument]("create", "--from-json", "the new file")
	convertArchiveReport = kit.NewReport[answer.NewArchive]("convert", "", "the new archive")
	convertReport        = kit.NewReport[answer.NewDocument]("convert", "", "the new file")
)

// printNotes prints sentences about changes.
func printNotes(a *kit.App, list []string) {
	for _, note := range list {
		a.Note("%s", note)
	}
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
func writeStdout(a *kit.App, made *question.File, format string) error {
	if format == source.FolderFormat {
		return fault.Usagef("a folder cannot be written to standard output")
	}
	if err := canHoldArchive(a); err != nil {
		return err
	}
	dir, err := a.TempDir()
	if err != nil {
		return err
	}
	path := filepath.Join(dir, "out"+filepath.Ext(made.Name))
	end := a.Watch("packing")
	defer end()
	if err := made.Write(a.Ctx, path, false); err != nil {
		return err
	}
	end()
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if len(files) != 1 {
		return fault.New(fault.Unsupported, "a %s archive is several files, which standard output cannot hold", format)
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = bulk.Copy(a.Ctx, a.Out, f)
	return err
}
