package simutrans

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/fault"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/simutrans"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/convert"
	"pakbox/simutrans/node"
)

func (a *app) upgradeCommand() *cobra.Command {
	var opts convert.Options
	var force, lossy bool
	cmd := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Move Simutrans objects to newer or older versions",
		Long: `Convert writes the objects of IN in the versions that another makeobj writes:
newer ones, with defaults for what is new, or older ones, for older games. IN is
an object file or a folder of such; then OUT is a folder.

Where something would be lost, convert says what, writes nothing of that file,
and exits with 1; --lossy writes it all the same.`,
		Example: `  pakbox simutrans convert --target 60.12 old.pak new.pak
  pakbox simutrans convert --target 60.6 --versions "VHCL=10" new.pak old.pak
  pakbox simutrans convert --target 60.12 pak/ pak-new/`,
		Args: shell.ArgCount(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkTarget(opts.Target); err != nil {
				return err
			}
			c := converter{app: a, opts: opts, force: force, lossy: lossy}
			return c.run(cmd.Context(), args[0], args[1])
		},
	}
	targetFlag(cmd, &opts.Target, "write the versions of this makeobj")
	cmd.Flags().StringVar(&opts.Versions, "versions", "", "versions that differ from the target's: `LIST` such as \"VHCL=10 BUIL=9\"")
	cmd.Flags().BoolVar(&lossy, "lossy", false, "convert also what loses something")
	cmd.Flags().BoolVar(&force, "force", false, "replace files that exist")
	return cmd
}

type converter struct {
	*app
	opts         convert.Options
	force, lossy bool
}

func (c *converter) run(ctx context.Context, in, out string) error {
	info, err := os.Stat(in)
	if err != nil || !info.IsDir() {
		if info, err := os.Stat(out); err == nil && info.IsDir() {
			out = filepath.Join(out, filepath.Base(in))
		}
		return c.file(ctx, in, out)
	}
	names, err := os.ReadDir(in)
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(e fs.DirEntry) bool { return !strings.EqualFold(filepath.Ext(e.Name()), ".pak") })
	if len(names) == 0 {
		return fault.InFile(fault.New(fault.NotFormat, "there are no object files (.pak)"), in)
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		file := filepath.Join(in, name.Name())
		if err := c.file(ctx, file, filepath.Join(out, name.Name())); err != nil {
			c.Fail("simutrans.convert", file, err)
		}
	}
	return nil
}

// lossJSON is a loss with the object it is of.
type lossJSON struct {
	Object string `json:"object"`
	convert.Loss
}

func (c *converter) file(ctx context.Context, in, out string) error {
	s, objects, err := c.openObjects(ctx, in)
	if err != nil {
		return err
	}
	defer s.Close()
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
		if err := writeObjects(out, objects, c.force); err != nil {
			return err
		}
	}
	if c.JSON {
		c.Print(answer.New("simutrans.convert", in, s.Format()).Add("output", out).Add("written", written).
			Add("objects", len(objects)).Add("losses", losses))
	} else {
		for _, l := range losses {
			fmt.Fprintf(c.Out, "%s: %s: %s\n", shell.Printable(in), shell.Printable(l.Object), shell.Printable(l.String()))
		}
	}
	if !written {
		c.Note("%s is not written, because it would lose that (--lossy does it all the same)", out)
		return shell.ErrFound
	}
	c.Note("wrote %s: %s", out, answer.Count(len(objects), "object"))
	return nil
}

// writeObjects writes an object file, whole or not at all. Like a compiler it
// does not wait for the disk: a pakset has thousands of them.
func writeObjects(name string, objects []simutrans.Object, force bool) error {
	file := node.New()
	for _, o := range objects {
		file.Root.Children = append(file.Root.Children, o.Node)
	}
	return compile.WriteFile(name, force, func(w *os.File) error {
		_, err := file.WriteTo(w)
		return err
	})
}
