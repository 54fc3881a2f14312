package shell

import (
	"context"

	"pakbox/internal/lib/hint"
	"pakbox/internal/source"
)

// Targets expands patterns over files, which on Windows no shell does, and
// splits off patterns inside archives. What finds nothing is reported as a
// failure of the command, which goes on with the rest.
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

// Paths is targets for commands that work on whole files: patterns inside
// archives are expanded as well.
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

// LocalPaths expands patterns over files of the file system.
func (a *App) LocalPaths(args []string) ([]string, error) {
	targets, err := a.ExpandAll(a.Ctx, args)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, t := range targets {
		if t.Pattern != "" || t.Path == "-" {
			return nil, hint.Usagef("%s: only files and folders of the file system are taken here", t.Path)
		}
		names = append(names, t.Path)
	}
	return names, nil
}
