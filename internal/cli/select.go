package cli

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"pakbox/archive"
)

// hasMeta reports whether s is written as a pattern.
func hasMeta(s string) bool { return strings.ContainsAny(s, "*?[") }

// matchPath matches a slash-separated name against a pattern in which * and ?
// stop at slashes and ** stands for any number of folders.
func matchPath(pattern, name string) bool {
	return matchParts(strings.Split(pattern, "/"), strings.Split(name, "/"))
}

func matchParts(pattern, name []string) bool {
	for len(pattern) > 0 {
		if pattern[0] == "**" {
			for len(pattern) > 1 && pattern[1] == "**" {
				pattern = pattern[1:]
			}
			for skip := 0; skip <= len(name); skip++ {
				if matchParts(pattern[1:], name[skip:]) {
					return true
				}
			}
			return false
		}
		if len(name) == 0 {
			return false
		}
		if ok, err := path.Match(pattern[0], name[0]); !ok || err != nil {
			return false
		}
		pattern, name = pattern[1:], name[1:]
	}
	return len(name) == 0
}

// matchInside is matchPath for a pattern that may also match a folder, which
// stands for all that is in it.
func matchInside(pattern, name string) bool {
	for {
		if matchPath(pattern, name) {
			return true
		}
		slash := strings.LastIndexByte(name, '/')
		if slash < 0 {
			return false
		}
		name = name[:slash]
	}
}

// selectEntries finds the entries of an archive that arguments name: a file,
// a folder with all that is in it, or a pattern of either. A name that exists
// is never read as a pattern. An argument that finds nothing is an error.
func selectEntries(a archive.Archive, args []string) (map[string]bool, error) {
	chosen := map[string]bool{}
	for _, arg := range args {
		found := selectOne(a, arg, matchInside)
		if len(found) == 0 {
			return nil, nothingMatches(a, arg)
		}
		for _, name := range found {
			chosen[name] = true
		}
	}
	return chosen, nil
}

// selectOne is selectEntries for one argument, with match for patterns.
func selectOne(a archive.Archive, arg string, match func(pattern, name string) bool) (found []string) {
	if arg == "" {
		return nil // a variable that is not set does not mean everything
	}
	arg = strings.TrimSuffix(path.Clean(slashed(arg)), "/")
	if arg == "." {
		arg = "**"
	}
	pick := func(is func(name string) bool) {
		for _, e := range a.Entries() {
			if is(e.Name) || is(archive.PortableName(e.Name)) {
				found = append(found, e.Name)
			}
		}
	}
	pick(func(name string) bool { return name == arg || strings.HasPrefix(name, arg+"/") })
	if len(found) > 0 {
		return found
	}
	if _, err := a.Stat(arg); err == nil { // an archive that finds names in any case
		pick(func(name string) bool {
			return strings.EqualFold(name, arg) ||
				len(name) > len(arg) && name[len(arg)] == '/' && strings.EqualFold(name[:len(arg)], arg)
		})
		return found
	}
	if hasMeta(arg) {
		pick(func(name string) bool { return match(arg, name) })
	}
	return found
}

// nothingMatches says that an argument finds nothing, and what might.
func nothingMatches(a archive.Archive, arg string) error {
	where := arg
	if s, ok := a.(*source); ok {
		where = s.path + "/" + arg
	}
	err := &fs.PathError{Op: "find", Path: where, Err: fs.ErrNotExist}
	if hasMeta(arg) && !strings.Contains(arg, "/") && len(selectOne(a, "**/"+arg, matchPath)) > 0 {
		return withHint(err, "* stays in one folder; '**/%s' looks in all of them", arg)
	}
	if near := nearEntry(a, arg); near != "" {
		return withHint(err, "there is %s", near)
	}
	return err
}

// slashed is a path as archives write it.
func slashed(name string) string {
	if runtime.GOOS == "windows" {
		return strings.ReplaceAll(name, `\`, "/")
	}
	return name
}

// target is an argument that may end in a pattern: the part before it, and
// the pattern of what is meant below.
type target struct{ path, pattern string }

// expandAll finds what arguments stand for. One that finds nothing is an error.
func (o *opener) expandAll(ctx context.Context, args []string) (all []target, err error) {
	for _, arg := range args {
		found, err := o.expand(ctx, arg)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// expand finds what one argument stands for.
func (o *opener) expand(ctx context.Context, arg string) ([]target, error) {
	found, err := expandFiles(arg)
	for i, t := range found {
		// Of the signs of a pattern only [ is common in names.
		if t.pattern != "" && !strings.ContainsAny(t.pattern, "*?") && o.leadsSomewhere(ctx, t.path+"/"+t.pattern) {
			found[i] = target{path: t.path + "/" + t.pattern}
		}
	}
	return found, err
}

// leadsSomewhere reports whether there is something at the end of a path.
func (o *opener) leadsSomewhere(ctx context.Context, name string) bool {
	p, _, err := o.find(ctx, name)
	if err != nil {
		return false
	}
	p.Close()
	return true
}

// expandFiles is expand as far as the file system goes.
func expandFiles(arg string) ([]target, error) {
	if !hasMeta(arg) || arg == "-" {
		return []target{{path: arg}}, nil
	}
	if onDisk(arg) {
		return []target{{path: arg}}, nil
	}
	var found []target
	parts := strings.Split(slashed(arg), "/")
	expandParts("", parts, &found)
	if len(found) == 0 {
		return nil, &fs.PathError{Op: "find", Path: arg, Err: fs.ErrNotExist}
	}
	// */x means folders that hold x. Only if there is none does it mean
	// archives.
	plain := slices.DeleteFunc(slices.Clone(found), func(t target) bool {
		return t.pattern != "" || throughFile(t.path)
	})
	if len(plain) > 0 {
		return plain, nil
	}
	return found, nil
}

// expandParts follows parts of a pattern from the path so far. A part that is
// the name of something there is no pattern.
func expandParts(sofar string, parts []string, found *[]target) {
	for len(parts) > 0 && (!hasMeta(parts[0]) || onDisk(joinRaw(sofar, parts[0]))) {
		sofar, parts = joinRaw(sofar, parts[0]), parts[1:]
	}
	if len(parts) == 0 {
		if onDisk(sofar) || throughFile(sofar) {
			*found = append(*found, target{path: sofar})
		}
		return
	}
	dir := sofar
	if dir == "" {
		dir = "."
	}
	info, err := os.Stat(filepath.FromSlash(dir))
	if err != nil && !throughFile(dir) && !isStdin(dir) {
		return
	}
	if err != nil || !info.IsDir() {
		*found = append(*found, target{sofar, strings.Join(parts, "/")})
		return
	}
	if parts[0] == "**" {
		expandParts(sofar, parts[1:], found)
	}
	names, err := os.ReadDir(filepath.FromSlash(dir))
	if err != nil {
		return
	}
	for _, n := range names {
		next := joinRaw(sofar, n.Name())
		switch ok, err := path.Match(parts[0], n.Name()); {
		case strings.HasPrefix(n.Name(), ".") && !strings.HasPrefix(parts[0], "."):
			// hidden files are meant only by those who say so, as in a shell
		case parts[0] == "**":
			if n.IsDir() {
				expandParts(next, parts, found)
			} else if len(parts) == 1 {
				*found = append(*found, target{path: next})
			}
		case ok && err == nil:
			expandParts(next, parts[1:], found)
		}
	}
}

func onDisk(name string) bool {
	_, err := os.Lstat(filepath.FromSlash(name))
	return err == nil
}

// joinRaw joins without cleaning, so that a leading slash or dot stays.
func joinRaw(dir, name string) string {
	switch {
	case dir == "" && name == "":
		return "/"
	case dir == "":
		return name
	case name == "":
		return dir
	case strings.HasSuffix(dir, "/"):
		return dir + name
	}
	return dir + "/" + name
}

// throughFile reports whether a path leads through a file, so that the rest
// of it must be inside an archive.
func throughFile(name string) bool {
	for dir := path.Dir(name); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if info, err := os.Stat(filepath.FromSlash(dir)); err == nil {
			return !info.IsDir()
		}
	}
	return false
}

// expandInside finds what a pattern inside an archive stands for.
func (o *opener) expandInside(ctx context.Context, t target) ([]string, error) {
	if t.pattern == "" {
		return []string{t.path}, nil
	}
	s, err := o.open(ctx, t.path)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	names := selectOne(s, t.pattern, matchPath)
	if len(names) == 0 {
		return nil, nothingMatches(s, t.pattern)
	}
	for i, name := range names {
		names[i] = t.path + "/" + name
	}
	return names, nil
}
