package source

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
	"pakbox/fault"
	"pakbox/internal/lib/walk"
)

// hasMeta reports whether s has the characters of a pattern.
func hasMeta(s string) bool { return strings.ContainsAny(s, "*?[") }

// MatchPath matches a name with slashes against a pattern. * and ? do not match slashes;
// ** matches any number of folders. Case does not matter, because games write .Gbx and
// .gbx for the same kind of file.
func MatchPath(pattern, name string) bool {
	return matchParts(strings.Split(strings.ToLower(pattern), "/"), strings.Split(strings.ToLower(name), "/"))
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

// MatchInside is MatchPath for a pattern that may also match a folder, which stands for
// everything in it.
func MatchInside(pattern, name string) bool {
	for {
		if MatchPath(pattern, name) {
			return true
		}
		slash := strings.LastIndexByte(name, '/')
		if slash < 0 {
			return false
		}
		name = name[:slash]
	}
}

// SelectEntries finds the entries of an archive that arguments name: a file, a folder
// with everything in it, or a pattern of either. An existing name is never a pattern. An
// argument that matches nothing is an error.
func SelectEntries(a archive.Archive, args []string) (map[string]bool, error) {
	chosen := map[string]bool{}
	for _, arg := range args {
		found := SelectOne(a, arg, MatchInside)
		if len(found) == 0 {
			return nil, NothingMatches(a, arg)
		}
		for _, name := range found {
			chosen[name] = true
		}
	}
	return chosen, nil
}

// SelectOne is SelectEntries for one argument, with match for patterns.
func SelectOne(a archive.Archive, arg string, match func(pattern, name string) bool) (found []string) {
	if arg == "" {
		return nil // an empty shell variable does not mean everything
	}
	arg = strings.TrimSuffix(path.Clean(Slashed(arg)), "/")
	if arg == "." {
		arg = "**"
	}
	root := a.Root()
	pick := func(is func(name string) bool) {
		for _, e := range a.Entries() {
			if is(e.Name) || is(root.Path(e.Name)) {
				found = append(found, e.Name)
			}
		}
	}
	pick(func(name string) bool { return name == arg || strings.HasPrefix(name, arg+"/") })
	if len(found) > 0 {
		return found
	}
	if _, err := a.Stat(arg); err == nil { // the archive may ignore case
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

// NothingMatches makes the error for an argument that matches nothing, and suggests
// similar names.
func NothingMatches(a archive.Archive, arg string) error {
	where := arg
	if s, ok := a.(*Source); ok {
		where = s.Path + "/" + arg
	}
	err := &fs.PathError{Op: "find", Path: where, Err: fs.ErrNotExist}
	if hasMeta(arg) && !strings.Contains(arg, "/") && len(SelectOne(a, "**/"+arg, MatchPath)) > 0 {
		return fault.WithHint(err, "* stays in one folder; '**/%s' looks in all of them", arg)
	}
	if near := nearEntry(a, arg); near != "" {
		return fault.WithHint(err, "there is %s", near)
	}
	return err
}

// Slashed returns a path with slashes.
func Slashed(name string) string {
	if runtime.GOOS == "windows" {
		return strings.ReplaceAll(name, `\`, "/")
	}
	return name
}

// Target is an argument that may end in a pattern: the path before the pattern, and the
// pattern for names below that path.
type Target struct{ Path, Pattern string }

// ExpandAll expands the patterns in arguments. One that matches nothing is an error.
func (o *Opener) ExpandAll(ctx context.Context, args []string) (all []Target, err error) {
	for _, arg := range args {
		found, err := o.Expand(ctx, arg)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// Expand expands the pattern in one argument.
func (o *Opener) Expand(ctx context.Context, arg string) ([]Target, error) {
	found, err := expandFiles(arg)
	for i, t := range found {
		// Only [ is both a character of patterns and common in names.
		if t.Pattern != "" && !strings.ContainsAny(t.Pattern, "*?") && o.leadsSomewhere(ctx, t.Path+"/"+t.Pattern) {
			found[i] = Target{Path: t.Path + "/" + t.Pattern}
		}
	}
	return found, err
}

// leadsSomewhere reports whether a path exists, also inside an archive.
func (o *Opener) leadsSomewhere(ctx context.Context, name string) bool {
	p, _, err := o.Find(ctx, name)
	if err != nil {
		return false
	}
	p.Close()
	return true
}

// expandFiles is Expand for the file system, up to the first archive.
func expandFiles(arg string) ([]Target, error) {
	if !hasMeta(arg) || arg == "-" {
		return []Target{{Path: arg}}, nil
	}
	if onDisk(arg) {
		return []Target{{Path: arg}}, nil
	}
	var all []Target
	parts := strings.Split(Slashed(arg), "/")
	expandParts("", slices.CompactFunc(parts, func(a, b string) bool { return a == "**" && b == "**" }), &all)
	if len(all) == 0 {
		return nil, &fs.PathError{Op: "find", Path: arg, Err: fs.ErrNotExist}
	}
	var found []Target // each once: with several ** a pattern leads to a file in several ways
	seen := map[Target]bool{}
	for _, t := range all {
		if !seen[t] {
			found, seen[t] = append(found, t), true
		}
	}
	// */x means folders that contain x. If no folder does, it means archives.
	plain := slices.DeleteFunc(slices.Clone(found), func(t Target) bool {
		return t.Pattern != "" || ThroughFile(t.Path)
	})
	if len(plain) > 0 {
		return plain, nil
	}
	return found, nil
}

// expandParts follows the parts of a pattern from the path so far. A part that is an
// existing name is not a pattern.
func expandParts(sofar string, parts []string, found *[]Target) {
	for len(parts) > 0 && (!hasMeta(parts[0]) || onDisk(joinRaw(sofar, parts[0]))) {
		sofar, parts = joinRaw(sofar, parts[0]), parts[1:]
	}
	if len(parts) == 0 {
		if onDisk(sofar) || ThroughFile(sofar) {
			*found = append(*found, Target{Path: sofar})
		}
		return
	}
	dir := sofar
	if dir == "" {
		dir = "."
	}
	info, err := os.Stat(filepath.FromSlash(dir))
	if err != nil && !ThroughFile(dir) && !isStdin(dir) {
		return
	}
	if err != nil || !info.IsDir() {
		*found = append(*found, Target{sofar, strings.Join(parts, "/")})
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
		switch ok, err := path.Match(strings.ToLower(parts[0]), strings.ToLower(n.Name())); {
		case walk.Hidden(n.Name()) && !strings.HasPrefix(parts[0], "."):
			// hidden files must be named explicitly, as in a shell
		case parts[0] == "**":
			if n.IsDir() {
				expandParts(next, parts, found)
			} else if len(parts) == 1 {
				*found = append(*found, Target{Path: next})
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

// joinRaw joins paths without cleaning, so that a leading slash or dot stays.
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

// ThroughFile reports whether a path leads through a file, so that the rest must be
// inside an archive.
func ThroughFile(name string) bool { return through(nil, name) }

func through(files archive.Files, name string) bool {
	if strings.HasSuffix(name, "/") {
		name += "x" // what a slash follows has content
	}
	_, inner, _, err := archive.SplitPath(files, name)
	return err == nil && inner != "."
}

// ExpandInside expands a pattern inside an archive.
func (o *Opener) ExpandInside(ctx context.Context, t Target) ([]string, error) {
	if t.Pattern == "" {
		return []string{t.Path}, nil
	}
	s, err := o.Open(ctx, t.Path)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	names := SelectOne(s, t.Pattern, MatchPath)
	if len(names) == 0 {
		return nil, NothingMatches(s, t.Pattern)
	}
	for i, name := range names {
		names[i] = t.Path + "/" + name
	}
	return names, nil
}

// Exists reports whether a path exists on disk, or leads through a file there.
func Exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil || ThroughFile(name)
}
