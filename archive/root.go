package archive

import (
	"strings"
	"unicode"

	"pakbox/internal/lib/pathname"
)

// Root describes a prefix of stored names that is not a valid folder: the drive of the
// machine that a game was made on, such as d:/ymir work. In a folder and on the command
// line an ordinary folder stands for this prefix, and the conversion is exact in both
// directions. The zero Root is for formats whose names are already paths.
type Root struct {
	Place  string // prefix of stored names: "d:/ymir work"
	Folder string // folder that stands for Place: "ymir work"; "." for the top folder
	// Former is a name that Folder had in other programs: "d_ymir_work". Files
	// below it are stored as they are, with a note.
	Former string
	Param  string // the setting that chooses another Folder: "ymir-work"
}

// RootOf returns the root of a format: that of its method Root, or the zero
// Root if the format has no such method.
func RootOf(f Format) Root {
	if r, ok := f.(Rooted); ok {
		return r.Root()
	}
	return Root{}
}

// Path gives the path that stands for a stored name. A stored name that already looks
// like such a path gets an underscore added, so that two names never get the same path.
func (r Root) Path(stored string) string {
	if rest, ok := r.below(stored); ok {
		folder := likeCase(r.Folder, stored[:len(r.Place)])
		switch { // no path.Join: it would resolve a ".." in the name
		case rest == "":
			return folder
		case folder == ".":
			return rest
		}
		return folder + "/" + rest
	}
	if folder, rest, ok := r.cutFolder(stored); ok {
		return folder + "_" + rest
	}
	return stored
}

// Stored is the inverse of [Root.Path]. It also accepts a name that begins with the place
// itself, as people may type it.
func (r Root) Stored(name string) string {
	if _, ok := r.below(name); ok || r.Place == "" {
		return name
	}
	if r.Folder == "." {
		return r.Place + "/" + name
	}
	folder, rest, ok := r.cutFolder(name)
	switch {
	case !ok:
		return name
	case len(folder) == len(r.Folder):
		return likeCase(r.Place, folder) + rest
	}
	return folder[:len(folder)-1] + rest
}

// Typed gives the path of a name from a look-up or an edit. The name may be a path, or
// may begin with the place.
func (r Root) Typed(name string) string {
	if _, ok := r.below(name); ok {
		return r.Path(name)
	}
	return name
}

// Check is [pathname.Check] for a stored name.
func (r Root) Check(stored string) error { return pathname.CheckFor(stored, r.Path(stored)) }

// cutFolder cuts the root's folder off a path. The folder may have underscores added at
// its end. The rest keeps its slash.
func (r Root) cutFolder(name string) (folder, rest string, ok bool) {
	n := len(r.Folder)
	if r.Place == "" || r.Folder == "." || len(name) < n || !strings.EqualFold(name[:n], r.Folder) {
		return "", "", false
	}
	rest = strings.TrimLeft(name[n:], "_")
	return name[:len(name)-len(rest)], rest, rest == "" || rest[0] == '/'
}

// below cuts the place off a stored name. The rest is "" for the place itself.
func (r Root) below(name string) (rest string, ok bool) {
	if r.Place == "" || len(name) < len(r.Place) || !strings.EqualFold(name[:len(r.Place)], r.Place) {
		return "", false
	}
	if rest = name[len(r.Place):]; rest == "" {
		return "", true
	}
	return rest[1:], rest[0] == '/'
}

// likeCase gives the letters of s the letter case that they have in like, if both have
// the same letters. Games ignore the case of these names, but a round trip must keep it.
func likeCase(s, like string) string {
	letters := func(s string) []rune {
		return []rune(strings.Map(func(r rune) rune {
			if !unicode.IsLetter(r) {
				return -1
			}
			return r
		}, s))
	}
	from := letters(like)
	if !strings.EqualFold(string(letters(s)), string(from)) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			r, from = from[0], from[1:]
		}
		return r
	}, s)
}
