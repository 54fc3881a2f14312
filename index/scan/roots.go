package scan

import (
	"context"
	"path/filepath"
	"strings"

	"pakbox/index/store"
)

// rootNote begins the notes of an index about its roots. A note has the root as given,
// and its absolute path.
const rootNote = "root "

// name returns the names under which the index knows the roots. So a file has one row
// however its folder is named: Maps, ./Maps or /home/me/Maps. A root that contains a
// known root, or lies in it, gets a name of the same form: absolute, or relative to the
// working folder.
func (s *scanner) name(ctx context.Context, roots []string) ([]string, error) {
	about, err := s.db.About(ctx)
	if err != nil {
		return nil, err
	}
	known := map[string]string{} // from the name of a root to its absolute path
	for note, where := range about {
		if name, ok := strings.CutPrefix(note, rootNote); ok && !store.Is(name) {
			known[name] = where
		}
	}
	var named []string
	for _, root := range roots {
		if store.Is(root) {
			root = strings.TrimRight(root, "/")
			named = append(named, root)
			if err := s.db.Note(ctx, rootNote+root, root); err != nil {
				return nil, err
			}
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

// knownAs returns the name of a root in the form, absolute or relative, of a known root
// that contains it or lies in it.
func knownAs(root, where string, known map[string]string) string {
	relative := root
	if here, err := filepath.Abs("."); err == nil {
		if rel, err := filepath.Rel(here, where); err == nil {
			relative = rel // ../Me/Maps is Maps if the working folder is Me
		}
	}
	if !filepath.IsAbs(root) {
		root = relative
	}
	at, named := filepath.ToSlash(where), root
	for name, place := range known {
		now, err := filepath.Abs(filepath.FromSlash(name))
		if err != nil || filepath.ToSlash(now) != place || !below(place, at) && !below(at, place) {
			continue // a relative name from another working folder leads elsewhere now
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
