package scan

import (
	"context"
	"path/filepath"
	"strings"

	"pakbox/index/store"
)

// rootNote begins the notes of an index about the roots it was made of: the root
// as given, and where it is from the top.
const rootNote = "root "

// name gives roots the names that the index knows them by, so that a file is one
// row however its folder is named: Maps, ./Maps or /home/me/Maps. A root that
// contains a known one, or lies in it, is named from the top or from the working
// folder, as that one is.
func (s *scanner) name(ctx context.Context, roots []string) ([]string, error) {
	about, err := s.db.About(ctx)
	if err != nil {
		return nil, err
	}
	known := map[string]string{} // where roots are from the top, by name
	for note, where := range about {
		if name, ok := strings.CutPrefix(note, rootNote); ok {
			known[name] = where
		}
	}
	var named []string
	for _, root := range roots {
		if store.Is(root) {
			named = append(named, strings.TrimRight(root, "/"))
			continue
		}
		where, err := filepath.Abs(root)
		if err != nil {
			return nil, err
		}
		root = filepath.ToSlash(knownAs(filepath.Clean(root), where, known))
		named = append(named, root)
		if where = filepath.ToSlash(where); known[root] != where {
			known[root] = where
			if err := s.db.Note(ctx, rootNote+root, where); err != nil {
				return nil, err
			}
		}
	}
	return named, nil
}

// knownAs is the name of a root among those that are known.
func knownAs(root, where string, known map[string]string) string {
	relative := root
	if here, err := filepath.Abs("."); err == nil {
		if rel, err := filepath.Rel(here, where); err == nil {
			relative = rel // ../Me/Maps is Maps in the folder Me
		}
	}
	if !filepath.IsAbs(root) {
		root = relative
	}
	at, named := filepath.ToSlash(where), root
	for name, place := range known {
		now, err := filepath.Abs(filepath.FromSlash(name))
		if err != nil || filepath.ToSlash(now) != place || !below(place, at) && !below(at, place) {
			continue // a name from another working folder leads elsewhere today
		}
		switch fromTop := filepath.IsAbs(filepath.FromSlash(name)); {
		case fromTop == filepath.IsAbs(root):
			return root
		case fromTop:
			named = where
		default:
			named = relative
		}
	}
	return named
}
