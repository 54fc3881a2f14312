package simutrans

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	answers "pakbox/cmd/internal/answer/simutrans"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/simutrans"
	"pakbox/simutrans/convert"
)

func upgradeCommand(a *kit.App) *cobra.Command {
	var opts convert.Options
	var lossy bool
	var o kit.Output
	many := kit.Many{Folders: true}
	cmd := &cobra.Command{
		Use:   "convert IN... [OUT]",
		Short: "Move Simutrans objects to newer or older versions",
		Long: `Convert writes the objects of IN in the versions that another makeobj writes:
newer ones, with defaults for new fields, or older ones, for older games. IN is an
object file or a folder of object files. For a folder or several files OUT, or DIR
of -C, is a folder.

If something would be lost, convert lists it, does not write that file, and exits
with 1; --lossy writes it all the same.`,
		Example: `  pakbox simutrans convert --target 60.12 old.pak new.pak
  pakbox simutrans convert --target 60.6 --versions "VHCL=10" new.pak old.pak
  pakbox simutrans convert --target 60.12 pak/ pak-new/`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := answers.CheckTarget(opts.Target); err != nil {
				return err
			}
			if o.Dir == "" {
				if err := kit.ArgCount(2, kit.Unlimited)(cmd, args); err != nil {
					return err
				}
				last := len(args) - 1
				return convertEach(a, many, args[:last], outputOf(o, args[:last], args[last]), opts, lossy)
			}
			return convertEach(a, many, args, o, opts, lossy)
		},
	}
	targetFlag(cmd, &opts.Target, "write the versions of this makeobj")
	cmd.Flags().StringVar(&opts.Versions, "versions", "", "versions that differ from the target's: `LIST` such as \"VHCL=10 BUIL=9\"")
	cmd.Flags().BoolVar(&lossy, "lossy", false, "convert an object even if something is lost")
	cmd.Flags().StringVarP(&o.Dir, "directory", "C", "", "write into `DIR`, each file under its own name")
	cmd.Flags().BoolVar(&o.Force, "force", false, "replace files that exist")
	many.Flags(cmd)
	return cmd
}

type converter struct {
	*kit.App
	opts  convert.Options
	lossy bool
}

// convertEach converts files, each to its own output. A file in a folder keeps its place
// below the folder.
func convertEach(a *kit.App, many kit.Many, args []string, o kit.Output, opts convert.Options, lossy bool) error {
	inputs := a.Inputs(many, "simutrans.convert", args)
	o.InPlace = true // files keep their names
	if err := o.Check(a, inputs, ""); err != nil {
		return err
	}
	if err := kit.Promises(o.Out, ".pak"); err != nil {
		return err
	}
	t := a.EachInput(many, "simutrans.convert", "converting", inputs, func(run *kit.App, in string) error {
		c := converter{run, opts, lossy}
		return c.file(in, o.For(run.Subject, ""))
	})
	if t.Files == 0 && t.Others > 0 {
		return fault.InFile(fault.New(fault.NotFormat, "contains no object files (.pak)"), args[0])
	}
	a.Summary(t, "converted", "that would lose something")
	return nil
}

// outputOf decides whether OUT is a folder. It is one if several files or a folder are
// converted, or if OUT is a folder or ends in a slash.
func outputOf(o kit.Output, ins []string, out string) kit.Output {
	if len(ins) > 1 || source.IsFolder(out) || source.IsFolder(ins[0]) || strings.HasSuffix(out, "/") {
		o.Dir = out
	} else {
		o.Out = out
	}
	return o
}

// lossJSON is a loss with the name of its object.
type lossJSON struct {
	Object string `json:"object" doc:"name of the object"`
	convert.Loss
}

func (c *converter) file(in string, o kit.Output) error {
	return answers.WithObjects(c.Ctx, c.At(in), "", func(objects []simutrans.Object) error { return c.objects(in, objects, o) })
}

func (c *converter) objects(in string, objects []simutrans.Object, o kit.Output) error {
	losses := []lossJSON{}
	for i, o := range objects {
		n, lost, err := convert.Object(o.Node, c.opts)
		if err != nil {
			return fault.InFile(fault.InEntry(err, objectLabel(o.Node)), in)
		}
		objects[i].Node = n
		for _, l := range lost {
			losses = append(losses, lossJSON{objectLabel(o.Node), l})
		}
	}
	written := len(losses) == 0 || c.lossy
	if written {
		if err := o.MakeFolders(); err != nil {
			return err
		}
		if err := answers.WriteObjects(o.Out, objects, o.Force); err != nil {
			return err
		}
	}
	if c.JSON {
		convertReport.Print(c.App, in, "simutrans", converted{filepath.ToSlash(o.Out), written, len(objects), losses})
	} else {
		for _, l := range losses {
			fmt.Fprintf(c.Out, "%s: %s: %s\n", kit.Printable(in), kit.Printable(l.Object), kit.Printable(l.String()))
		}
	}
	if !written {
		c.Note("%s is not written, because it would lose that (--lossy does it all the same)", o.Out)
		return kit.ErrFound
	}
	c.Note("wrote %s: %s", o.Out, question.Count(len(objects), "object"))
	return nil
}

var convertReport = kit.NewReport[converted]("simutrans.convert", "", "the objects for another version, and what they lose")

type converted struct {
	Output  string     `json:"output" doc:"path of the new file"`
	Written bool       `json:"written" doc:"whether the file was written"`
	Objects int        `json:"objects" doc:"number of objects"`
	Losses  []lossJSON `json:"losses" doc:"values that the other version does not have"`
}
