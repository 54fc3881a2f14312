package cli

import "context"

// targets expands patterns over files, which on Windows no shell does, and
// splits off patterns inside archives. What finds nothing is reported as a
// failure of the command, which goes on with the rest.
func (a *app) targets(command string, args []string) (all []target) {
	for _, arg := range args {
		found, err := a.expand(a.ctx, arg)
		if err != nil {
			a.fail(command, arg, err)
		}
		all = append(all, found...)
	}
	return all
}

// paths is targets for commands that work on whole files: patterns inside
// archives are expanded as well.
func (a *app) paths(ctx context.Context, command string, args []string) (all []string) {
	for _, t := range a.targets(command, args) {
		found, err := a.expandInside(ctx, t)
		if err != nil {
			a.fail(command, t.path, err)
		}
		all = append(all, found...)
	}
	return all
}

// localPaths expands patterns over files of the file system.
func (a *app) localPaths(args []string) ([]string, error) {
	targets, err := a.expandAll(a.ctx, args)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, t := range targets {
		if t.pattern != "" || t.path == "-" {
			return nil, usagef("%s: only files and folders of the file system are taken here", t.path)
		}
		names = append(names, t.path)
	}
	return names, nil
}
