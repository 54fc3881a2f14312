package simutrans

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/internal/lib/quote"
	"pakbox/internal/lib/regular"
	"pakbox/simutrans/check"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/node"
	"pakbox/simutrans/report"
)

func reportCommand(a *kit.App) *cobra.Command {
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
				return fault.Usagef("report: the site needs a folder").Hint("pakbox simutrans report %s -o site", quote.Word(args[0]))
			}
			return writeReport(cmd.Context(), a, args, out, since, name, force)
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "write the site into the new folder `DIR`")
	cmd.Flags().StringVar(&since, "since", "", "list the changes since the pakset in `FOLDER`")
	cmd.Flags().StringVar(&name, "title", "", "call the pakset `NAME`; without it, like its folder")
	cmd.Flags().BoolVar(&force, "force", false, "replace the report in DIR; other files in it stay")
	return cmd
}

func writeReport(ctx context.Context, a *kit.App, args []string, out, since, name string, force bool) error {
	paths, err := a.LocalPaths(args)
	if err != nil {
		return err
	}
	set, err := load(ctx, paths)
	if err != nil {
		return err
	}
	if len(set.Objects) == 0 {
		return fault.InFile(fault.New(fault.NotFormat, "contains no object files (.pak) and no sources (.dat)"), paths[0])
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
	if err := holdsReport(out); err != nil {
		return err
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
		return siteReport.Print(a, args[0], "simutrans", site{filepath.ToSlash(out), len(p.Objects), len(p.Findings)})
	}
	a.Note("wrote a site about %s: open %s", question.Count(len(p.Objects), "object"), filepath.Join(out, "index.html"))
	return nil
}

// holdsReport returns an error if a folder holds anything but an earlier report: files of
// the new one would replace files that no report is made of.
func holdsReport(out string) error {
	files, err := os.ReadDir(out)
	if err != nil || len(files) == 0 {
		return nil // it does not exist, or replacing it will report the error
	}
	first, err := regular.Read(filepath.Join(out, "index.html"), 64<<20)
	if err == nil && bytes.Contains(first, []byte(report.Generator)) {
		return nil
	}
	err = &fs.PathError{Op: "replace", Path: out, Err: fmt.Errorf("holds %s, and is not a report", files[0].Name())}
	return fault.WithHint(err, "choose a new folder: pakbox simutrans report PAK -o %s", quote.Word(filepath.ToSlash(filepath.Join(out, "report"))))
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

var siteReport = kit.NewReport[site]("simutrans.report", "", "the site about a pakset")

type site struct {
	Output   string `json:"output" doc:"folder of the site"`
	Objects  int    `json:"objects" doc:"number of objects"`
	Findings int    `json:"findings" doc:"number of findings"`
}
