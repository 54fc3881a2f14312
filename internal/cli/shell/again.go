package shell

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"pakbox/internal/source"
)

// AgainFlag gives a command the flag that lets it run whenever its files change.
func AgainFlag(cmd *cobra.Command, again *bool) {
	cmd.Flags().BoolVar(again, "watch", false, "do it again whenever a file changes, until interrupted")
}

// Between looks, Again rests at least this long, and so much longer than a look
// takes that looking is a small part of what the machine does.
const (
	againRest  = 300 * time.Millisecond
	againTimes = 20
)

// Again does something, and again whenever a file of those that paths name, or
// below them, has changed, until the run is called off. What is wrong with one
// time does not end it.
func (a *App) Again(command string, paths []string, do func() error) error {
	seen := ""
	for {
		start := time.Now()
		if now := stateOf(paths); now != seen {
			seen = now
			if err := do(); err != nil && a.Ctx.Err() == nil {
				a.Fail(command, "", err)
			}
			if a.Ctx.Err() == nil {
				a.Note("waiting for changes")
			}
			a.Out.Flush()
		}
		select {
		case <-a.Ctx.Done():
			return nil
		case <-time.After(max(againRest, againTimes*time.Since(start))):
		}
	}
}

// stateOf says how files are, so that it can be seen when they change.
func stateOf(paths []string) string {
	state := ""
	for _, path := range paths {
		path = source.Outermost(path)
		files := []string{path}
		if source.IsFolder(path) {
			files, _ = source.FilesBelow(path) // what cannot be read does not change
		}
		for _, file := range files {
			if info, err := os.Stat(filepath.FromSlash(file)); err == nil {
				state += fmt.Sprintf("%s %d %d\n", file, info.Size(), info.ModTime().UnixNano())
			}
		}
	}
	return state
}
