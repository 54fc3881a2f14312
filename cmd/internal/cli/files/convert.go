package files

import (
	"strings"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/cli/kit"
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
	format  archive.Format
	recodes bool // the files of the format can only be made from files of the same format
	params  map[string]string
	jobs    int // 0 means one per core
}

// conversionTo decides what convert makes.
func conversionTo(a *kit.App, cmd *cobra.Command, out, format string) (c conversion, err error) {
	if r, ok := answer.Recoder(a.Formats, out, format); ok {
		c.format, c.recodes = r, true
	} else if c.format, err = answer.CreatorOf(a.Formats, out, format); err != nil {
		return c, err
	}
	c.params, err = params(a, cmd, c.format)
	return c, err
}

// convertEach converts files into a folder. Each new file gets the extension of the new
// format. A format that can only be made from its own files, such as GBX, keeps the
// names.
func convertEach(a *kit.App, cmd *cobra.Command, many kit.Many, args []string, format string, o kit.Output) error {
	inputs := a.Inputs(many, "convert", args)
	sample := ""
	for _, in := range inputs {
		if _, ok := answer.Recoder(a.Formats, in.Path, format); ok {
			sample = in.Path
		} else if format == "" && in.Folder == "" {
			return fault.Usagef("the format of the output is missing").Hint("name it with --format: %s", strings.Join(answer.CreatorNames(a.Formats), ", "))
		}
	}
	c, err := conversionTo(a, cmd, sample, format)
	if err != nil {
		return err
	}
	extension := ""
	if list := c.format.Extensions(); !c.recodes && len(list) > 0 {
		extension = list[0]
	}
	if err := o.Check(a, inputs, extension); err != nil {
		return err
	}
	t := a.EachInput(many, "convert", "converting", inputs, func(run *kit.App, in string) error {
		a, to := run, o.For(run.Subject, extension)
		if c.recodes {
			keeping := o
			keeping.InPlace = true // files keep their names
			to = keeping.For(run.Subject, "")
			if _, ok := answer.Recoder(a.Formats, in, format); !ok {
				return fault.New(fault.NotFormat, "is not a %s file", c.format.Name())
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

func convert(a *kit.App, in string, to kit.Output, c conversion) error {
	w := writing{"convert", to}
	if to.Out == "-" && c.recodes {
		return fault.Usagef("%s files are written to files, not to standard output", c.format.Name())
	}
	f, err := answer.FileConvert.Ask(a.Ctx, a.At(in), answer.ConvertParams{
		Out: to.Out, Format: c.format.Name(), Params: c.params, Workers: c.jobs, Before: w.keepOld(a)})
	if err != nil {
		return err
	}
	return w.write(a, f)
}
