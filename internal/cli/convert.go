package cli

import (
	"maps"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/lib/hint"
	"pakbox/internal/source"
)

func (a *app) convertCommand() *cobra.Command {
	var format string
	var o shell.Making
	var many shell.Many
	var backup bool
	cmd := &cobra.Command{
		Use:        "convert IN... [OUT]",
		GroupID:    shell.GroupChange,
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
			if o.Dir != "" {
				return a.convertEach(cmd, many, args, format, o, backup)
			}
			if err := shell.ArgCount(2, 2)(cmd, args); err != nil {
				return hint.With(err, "to convert several into a folder: pakbox convert IN... --format FORMAT -C DIR")
			}
			c, err := a.conversionTo(cmd, args[1], format, o.Force)
			if err != nil {
				return err
			}
			c.jobs, c.backup = many.Jobs, backup
			return a.convert(args[0], args[1], c)
		},
	}
	cmd.Flags().StringVarP(&o.Dir, "directory", "C", "", "convert each IN into `DIR`")
	a.addCreateFlags(cmd, &format, &o.Force)
	many.Flags(cmd)
	shell.BackupFlag(cmd, &backup)
	return cmd
}

// conversion describes what convert makes: an archive from files, or a file in another
// form of its own format.
type conversion struct {
	creator archive.Creator
	recoder source.DocumentFormat // used instead of creator for formats whose files can only be made from files of the same format
	params  map[string]string
	force   bool
	jobs    int // 0 means one per core
	backup  bool
}

// conversionTo decides what convert makes.
func (a *app) conversionTo(cmd *cobra.Command, out, format string, force bool) (c conversion, err error) {
	c.force = force
	if r, ok := a.recoder(out, format); ok {
		c.recoder = r
		c.params, err = a.params(cmd, r)
		return c, err
	}
	if c.creator, err = a.outFormat(out, format); err != nil {
		return c, err
	}
	c.params, err = a.params(cmd, c.creator)
	return c, err
}

// convertEach converts files into a folder. Each new file gets the extension of the new
// format. A format that can only be made from its own files, such as GBX, keeps the
// names.
func (a *app) convertEach(cmd *cobra.Command, many shell.Many, args []string, format string, o shell.Making, backup bool) error {
	inputs := a.Inputs(many, "convert", args)
	sample := ""
	for _, in := range inputs {
		if _, ok := a.recoder(in.Path, format); ok {
			sample = in.Path
		} else if format == "" && in.Folder == "" {
			return hint.Usagef("the format of what is made must be said").Hint("name it with --format: %s", strings.Join(a.creatorNames(), ", "))
		}
	}
	c, err := a.conversionTo(cmd, sample, format, o.Force)
	if err != nil {
		return err
	}
	c.backup = backup
	ending := ""
	if c.creator != nil && len(c.creator.Extensions()) > 0 {
		ending = c.creator.Extensions()[0]
	}
	if err := o.Check(a.App, inputs, ending); err != nil {
		return err
	}
	t := a.EachInput(many, "convert", "converting", inputs, func(run *shell.App, in string) error {
		a, to := &app{run}, o.For(run.Subject, ending)
		if c.recoder != nil {
			to = shell.Saving{Making: o}.For(run.Subject).Making
			if _, ok := a.recoder(in, format); !ok {
				return fault.New(fault.NotFormat, "is no %s file", c.recoder.Name())
			}
		}
		if err := to.MakeFolders(); err != nil {
			return err
		}
		return a.convert(in, to.Out, c)
	})
	a.Summary(t, "converted", "")
	return nil
}

// recoder returns the format of OUT if its files can only be made from files of the same
// format.
func (a *app) recoder(out, name string) (source.DocumentFormat, bool) {
	for _, f := range a.formatsFor(out, name) {
		if r, ok := f.(source.DocumentFormat); ok {
			return r, true
		}
	}
	return nil, false
}

// recode writes a file in another form of its own format.
func (a *app) recode(in, out string, c conversion) error {
	r := c.recoder
	s, err := a.Open(a.Ctx, in)
	if err != nil {
		return err
	}
	defer s.Close()
	if out == "-" {
		return hint.Usagef("%s files are written to files, not to standard output", r.Name())
	}
	if !s.Whole || s.Format() != r.Name() {
		return hint.Usagef("%s: only a %s file can become one", in, r.Name())
	}
	if kinds, ok := r.(interface {
		Fits(a archive.Archive, name string) error
	}); ok {
		if err := kinds.Fits(s.Archive, out); err != nil {
			return err
		}
	}
	opts, err := a.CreateOptions(out, c.params)
	if err != nil {
		return err
	}
	if c.backup && c.force {
		if err := a.keepOld(out); err != nil {
			return err
		}
	}
	stage, err := archive.NewStage(out, c.force)
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
		return a.Print(form.New("convert", out, r.Name()).Add("file_size", info.Size()))
	}
	a.Note("created %s: %s", out, fact.SizeText(info.Size()))
	return nil
}

func (a *app) convert(in, out string, c conversion) error {
	if c.recoder != nil {
		return a.recode(in, out, c)
	}
	s, err := a.Open(a.Ctx, in)
	if err != nil {
		return err
	}
	defer s.Close()
	params := maps.Clone(c.params)
	items, notes := answer.Contents(s, c.creator, params)
	n := newArchive{"convert", out, c.creator, params, items, notes, c.force, c.jobs, c.backup}
	return a.write(a.Ctx, n, func() { s.Close() })
}
