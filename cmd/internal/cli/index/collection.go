// Package collection has the commands for many files at once: index, which makes a
// database of them, and the commands that search it. One file per command.
package index

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/folderindex"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/index"
	"pakbox/index/ask"
	"pakbox/index/scan"
	"pakbox/internal/lib/quote"
)

// Commands lists the commands of this package.
var Commands = []kit.Command{
	{Name: "index", Make: indexCommand}, {Name: "find", Make: findCommand}, {Name: "sql", Make: sqlCommand},
	{Name: "dupes", Make: dupesCommand}, {Name: "stats", Make: statsCommand},
}

// withIndex opens an index and calls use with it.
func withIndex(ctx context.Context, file string, use func(*ask.Index) error) error {
	x, err := ask.Open(ctx, file)
	if err != nil {
		return noIndex(err)
	}
	defer x.Close()
	return use(x)
}

// noIndex adds the command that makes an index to an error about a file that is not one.
func noIndex(err error) error {
	if errors.Is(err, fault.NotFormat) {
		return fault.WithHint(err, "make an index of a folder first: pakbox index FOLDER -o my.pakbox.sqlite")
	}
	return err
}

// asIndex makes the Run function of a command whose first argument is an index, or a folder,
// whose index is kept in the user's cache. It warns if the index is not complete.
func asIndex(a *kit.App, do func(cmd *cobra.Command, x *ask.Index, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if source.IsFolder(args[0]) {
			return withFolder(cmd.Context(), a, args[0], func(x *ask.Index) error { return do(cmd, x, args) })
		}
		if _, err := os.Stat(args[0]); errors.Is(err, fs.ErrNotExist) {
			return fault.WithHint(err, "the index comes first: pakbox %s; 'pakbox index FOLDER -o my.pakbox.sqlite' makes one", cmd.Use)
		}
		return withIndex(cmd.Context(), args[0], func(x *ask.Index) error {
			if err := warn(cmd.Context(), a, args[0]); err != nil {
				return err
			}
			return do(cmd, x, args)
		})
	}
}

// withFolder brings the index of a folder in the cache up to date, and calls use with it.
func withFolder(ctx context.Context, a *kit.App, folder string, use func(*ask.Index) error) error {
	file, err := folderindex.File([]string{folder})
	if err != nil {
		return fault.WithHint(err, "make an index of the folder first: pakbox index %s -o my.pakbox.sqlite", quote.Word(folder))
	}
	options := scan.Options{Indexer: index.Indexer{Formats: a.Env.Formats}}
	if options.Indexer.Options, err = a.WithoutAsking().Options(""); err != nil {
		return err
	}
	end := a.Watch("indexing")
	options.Progress = a.Progress
	r, err := folderindex.Update(ctx, file, []string{folder}, options)
	end()
	if err != nil {
		return err
	}
	a.Note("%s: %s; the index is kept in %s", folder, resultText(r), file)
	return withIndex(ctx, file, use)
}

// warn prints a warning if an index is not complete.
func warn(ctx context.Context, a *kit.App, file string) error {
	about, err := scan.About(ctx, file)
	if err == nil && !scan.Finished(about) {
		a.Note("%s is not complete: it is being made, or that was stopped, or parts of it are missing", file)
	}
	return err
}
