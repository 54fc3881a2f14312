package kit

import (
	"context"

	"pakbox/cmd/internal/source"
	"pakbox/fault"
)

// Targets expands patterns over files, which no shell does on Windows, and splits off
// patterns inside archives. An argument that matches nothing is reported as a failure;
// the command continues with the rest.
func (a *App) Targets(command string, args []string) (all []source.Target) {
	for _, arg := range args {
		found, err := a.Expand(a.Ctx, arg)
		if err != nil {
			a.Fail(command, arg, err)
		}
		all = append(all, found...)
	}
	return all
}

// Paths is Targets for commands that work on whole files: it also expands patterns inside
// archives.
func (a *App) Paths(ctx context.Context, command string, args []string) (all []string) {
	for _, t := range a.Targets(command, args) {
		found, err := a.ExpandInside(ctx, t)
		if err != nil {
			a.Fail(command, t.Path, err)
		}
		all = append(all, found...)
	}
	return all
}

// LocalPaths expands patterns over files on disk.
func (a *App) LocalPaths(args []string) ([]string, error) {
	targets, err := a.ExpandAll(a.Ctx, args)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, t := range targets {
		if t.Pattern != "" || t.Path == "-" {
			return nil, fault.Usagef("%s: only files and folders of the file system are taken here", t.Path)
		}
		names = append(names, t.Path)
	}
	return names, nil
}
