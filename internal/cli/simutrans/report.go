package simutrans

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/form"
	"pakbox/internal/lib/hint"
	"pakbox/simutrans/check"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/node"
	"pakbox/simutrans/report"
)

func (a *app) reportCommand() *cobra.Command {
	var out, since, name string
	var force bool
	cmd := &cobra.Command{
		Use:   "report PAK...",
		Short: "Show a Simutrans pakset as a web site",
		Long: `Report writes a folder of pages about a pakset, to open in a browser or to put on
a server. The pages show all vehicles, goods, factories, buildings and ways with
their pictures and figures, a contact sheet for each of these kinds, the years in
which vehicles can be bought, the gaps between them, vehicles without a successor,
industry chains, and the findings of the check. PAK is a folder of object files, or
of sources, which are compiled in memory.

With --since the site also lists the changes since another release.`,
		Example: `  pakbox simutrans report pak -o site
  pakbox simutrans report pak -o site --since old-pak --title 'My pakset 1.2'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return hint.Usagef("report: the site needs a folder").Hint("pakbox simutrans report %s -o site", hint.Word(args[0]))
			}
			return a.report(cmd.Context(), args, out, since, name, force)
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "write the site into the new folder `DIR`")
	cmd.Flags().StringVar(&since, "since", "", "tell what has changed since the pakset in `FOLDER`")
	cmd.Flags().StringVar(&name, "title", "", "call the pakset `NAME`; without it, like its folder")
	cmd.Flags().BoolVar(&force, "force", false, "replace DIR if it exists")
	return cmd
}

func (a *app) report(ctx context.Context, args []string, out, since, name string, force bool) error {
	paths, err := a.LocalPaths(args)
	if err != nil {
		return err
	}
	set, err := load(ctx, paths)
	if err != nil {
		return err
	}
	if len(set.Objects) == 0 {
		return fault.InFile(fault.New(fault.NotFormat, "there are no object files (.pak) and no sources (.dat)"), paths[0])
	}
	if name == "" {
		whole, err := filepath.Abs(paths[0])
		if err != nil {
			return err
		}
		name = filepath.Base(whole)
	}
	p := &report.Pakset{Name: name, Objects: nodes(set), Findings: set.Run(nil)}
	if since != "" {
		old, err := load(ctx, []string{since})
		if err != nil {
			return err
		}
		p.Since, p.Old = filepath.Base(filepath.Clean(since)), nodes(old)
	}
	stage, err := archive.NewStage(out, force)
	if err != nil {
		return err
	}
	defer stage.Abort()
	dir, err := stage.Dir()
	if err == nil {
		err = report.Write(ctx, dir, p)
	}
	if err == nil {
		err = stage.Commit()
	}
	if err != nil {
		return err
	}
	if a.JSON {
		return a.Print(form.New("simutrans.report", args[0], "simutrans").Add("output", filepath.ToSlash(out)).Add("objects", len(p.Objects)).Add("findings", len(p.Findings)))
	}
	a.Note("wrote a site about %s: open %s", form.Count(len(p.Objects), "object"), filepath.Join(out, "index.html"))
	return nil
}

// load reads a pakset.
func load(ctx context.Context, paths []string) (*check.Set, error) {
	compiler, err := compile.NewCompiler("", compile.DefaultCell)
	if err != nil {
		return nil, err
	}
	return check.Load(ctx, paths, compiler)
}

// nodes returns the objects of a pakset.
func nodes(set *check.Set) []*node.Node {
	list := make([]*node.Node, len(set.Objects))
	for i, o := range set.Objects {
		list[i] = o.Node
	}
	return list
}
