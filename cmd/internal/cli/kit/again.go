package kit

import (
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/source"
	"pakbox/cmd/internal/watch"
	"pakbox/fault"
)

// AgainFlag adds the flag that repeats a command whenever its files change.
func AgainFlag(cmd *cobra.Command, again *bool) {
	cmd.Flags().BoolVar(again, "watch", false, "do it again whenever a file changes, until interrupted")
}

// Again calls do, and calls it again whenever a file at the paths or below them has
// changed and is complete, until the run is cancelled. An error of do does not end it.
func (a *App) Again(command string, paths []string, do func() error) error {
	return a.Follow(new(watch.Watcher), paths, nil, func() error {
		if err := do(); err != nil && a.Ctx.Err() == nil {
			a.Fail(command, "", err)
		}
		if a.Ctx.Err() == nil {
			a.Note("waiting for changes")
		}
		return nil
	})
}

// Follow calls do, and calls it again whenever a file at the paths or below them has
// changed and w reports it as complete, until the run is cancelled or do fails. skip, if not
// nil, chooses files to ignore.
func (a *App) Follow(w *watch.Watcher, paths []string, skip func(file string) bool, do func() error) error {
	var files []string
	for _, path := range paths {
		files = append(files, filepath.FromSlash(source.Outermost(path)))
	}
	slices.Sort(files)
	match := func(file string) bool { return skip == nil || !skip(file) }
	err := w.Files(a.Ctx, slices.Compact(files), match, func([]string) error {
		err := do()
		a.Out.Flush()
		return err
	})
	if watch.TooMany(err) {
		return fault.WithHint(err, "the system watches only so many folders at a time; on Linux: sysctl fs.inotify.max_user_watches=1000000")
	}
	return err
}
