package files

import (
	"maps"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/fact"
	"pakbox/fault"
)

func convertCommand(a *kit.App) *cobra.Command {
	var format string
	var o kit.Output
	var many kit.Many
	cmd := &cobra.Command{
		Use:        "convert IN... [OUT]",
		GroupID:    kit.GroupChange,
		SuggestFor: []string{"repack", "migrate", "to"},
		Short:      "Turn an archive into one of another format",
		Long: `Convert writes the files of IN, an archive or a folder, into a new archive OUT.
--format or OUT's extension gives the format of OUT. OUT is a folder if its name
ends in a slash or has no extension, or if it is a folder already.

Names, times, author and comment are kept as far as the new format has room for
them. With --force an existing OUT is replaced; a folder only if it holds nothing
else.

With -C DIR and --format, each IN becomes an archive of that format in DIR, with
the name of IN.

A GBX file becomes another GBX file with its body compressed or uncompressed, or
a text file where it can be one.`,
		Example: `  pakbox convert game.vpk game.zip
  pakbox convert game.zip game.vpk --level 12
  pakbox convert game.vpk folder/
  pakbox convert --force --level 12 game.vpk game.vpk
  pakbox convert --body uncompressed A.Map.Gbx B.Map.Gbx
  pakbox convert *.vpk --format zip -C zips`,
		RunE: func(cmd *cobra.Command, args []string) error {
			a.Opener.Streams = true
			if o.Dir != "" {
				return convertEach(a, cmd, many, args, format, o)
			}
			if err := kit.ArgCount(2, 2)(cmd, args); err != nil {
				return fault.WithHint(err, "to convert several into a folder: pakbox convert IN... --format FORMAT -C DIR")
			}
			o.Out = args[1]
			c, err := conversionTo(a, cmd, o.Out, format)
			if err != nil {
				return err
			}
			c.jobs = many.Jobs
			return convert(a, args[0], o, c)
		},
	}
	cmd.Flags().StringVarP(&o.Dir, "directory", "C", "", "convert each IN into `DIR`")
	addCreateFlags(a, cmd, &format, &o.Force)
	many.Flags(cmd)
	kit.BackupFlag(cmd, &o.Backup)
	return cmd
}

// conversion describes what convert makes: an archive from files, or a file in another
// form of its own format.
type conversion struct {
	creator archive.Creator
	recoder archive.DocumentFormat // used instead of creator for formats whose files can only be made from files of the same format
	params  map[string]string
	jobs    int // 0 means one per core
}

// conversionTo decides what convert makes.
func conversionTo(a *kit.App, cmd *cobra.Command, out, format string) (c conversion, err error) {
	if r, ok := recoder(a, out, format); ok {
		c.recoder = r
		c.params, err = params(a, cmd, r)
		return c, err
	}
	if c.creator, err = outFormat(a, out, format); err != nil {
		return c, err
	}
	c.params, err = params(a, cmd, c.creator)
	return c, err
}

// convertEach converts files into a folder. Each new file gets the extension of the new
// format. A format that can only be made from its own files, such as GBX, keeps the
// names.
func convertEach(a *kit.App, cmd *cobra.Command, many kit.Many, args []string, format string, o kit.Output) error {
	inputs := a.Inputs(many, "convert", args)
	sample := ""
	for _, in := range inputs {
		if _, ok := recoder(a, in.Path, format); ok {
			sample = in.Path
		} else if format == "" && in.Folder == "" {
			return fault.Usagef("the format of the output is missing").Hint("name it with --format: %s", strings.Join(creatorNames(a), ", "))
		}
	}
	c, err := conversionTo(a, cmd, sample, format)
	if err != nil {
		return err
	}
	ending := ""
	if c.creator != nil && len(c.creator.Extensions()) > 0 {
		ending = c.creator.Extensions()[0]
	}
	if err := o.Check(a, inputs, ending); err != nil {
		return err
	}
	t := a.EachInput(many, "convert", "converting", inputs, func(run *kit.App, in string) error {
		a, to := run, o.For(run.Subject, ending)
		if c.recoder != nil {
			keeping := o
			keeping.InPlace = true // files keep their names
			to = keeping.For(run.Subject, "")
			if _, ok := recoder(a, in, format); !ok {
				return fault.New(fault.NotFormat, "is not a %s file", c.recoder.Name())
			}
		}
		if err := to.MakeFolders(); err != nil {
			return err
		}
		return convert(a, in, to, c)
	})
	a.Summary(t, "converted", "")
	return nil
}

// recoder returns the format of OUT if its files can only be made from files of the same
// format.
func recoder(a *kit.App, out, name string) (archive.DocumentFormat, bool) {
	for _, f := range formatsFor(a, out, name) {
		if r, ok := f.(archive.DocumentFormat); ok {
			return r, true
		}
	}
	return nil, false
}

// recode writes a file in another form of its own format.
func recode(a *kit.App, in string, to kit.Output, c conversion) error {
	r, out := c.recoder, to.Out
	s, err := a.Open(a.Ctx, in)
	if err != nil {
		return err
	}
	defer s.Close()
	if out == "-" {
		return fault.Usagef("%s files are written to files, not to standard output", r.Name())
	}
	if !s.Whole || s.Format() != r.Name() {
		return fault.Usagef("%s: only a %s file can become one", in, r.Name())
	}
	if err := r.Fits(s.Archive, out); err != nil {
		return err
	}
	opts, err := a.CreateOptions(out, c.params)
	if err != nil {
		return err
	}
	if err := keepOld(a, to); err != nil {
		return err
	}
	stage, err := archive.NewStage(out, to.Force)
	if err != nil {
		return err
	}
	defer stage.Abort()
	if err := r.Recode(a.Ctx, s.Archive, stage, opts); err != nil {
		return err
	}
	s.Close()
	if err := stage.Commit(); err != nil {
		return err
	}
	info, err := os.Stat(out)
	if err != nil {
		return err
	}
	if a.JSON {
		return convertReport.Print(a, out, r.Name(), converted{info.Size()})
	}
	a.Note("created %s: %s", out, fact.SizeText(info.Size()))
	return nil
}

func convert(a *kit.App, in string, to kit.Output, c conversion) error {
	if c.recoder != nil {
		return recode(a, in, to, c)
	}
	s, err := a.Open(a.Ctx, in)
	if err != nil {
		return err
	}
	defer s.Close()
	params := maps.Clone(c.params)
	items, notes := answer.Contents(s, c.creator, params)
	_, table := s.Place.Archive.(archive.TableEditor)
	n := newArchive{"convert", to, c.creator, params, items, notes, c.jobs, table}
	return write(a.Ctx, a, n, s.Close)
}

var convertReport = kit.NewReport[converted]("convert", "", "the new file")

type converted struct {
	Size int64 `json:"file_size" doc:"size of the new file in bytes"`
}
