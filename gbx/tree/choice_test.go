package tree

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
	"pakbox/internal/testkit/tier"
)

// names is a visitor that checks every name in a chunk or a list: the type of the
// chunk or list must say that it may hold the name.
type names struct {
	cursor
	t      *testing.T
	file   string
	around []any // what may be passed over, nil where a node begins
	asked  map[asked]bool
}

type asked struct {
	in   reflect.Type
	name string
}

func (n *names) Coded(name string, p any, offset, length int64) {
	if v := n.leaf(name, p, offset, length); v != nil {
		n.ask(name)
	}
}

func (n *names) Begin(name string, p any, offset int64) {
	if f := n.open(name, p, offset); !f.shared && f.Kind != Chunk {
		n.ask(name)
	}
	switch p := p.(type) {
	case *gbx.Node:
		n.around = append(n.around, nil)
	case *gbx.Chunk:
		n.around = append(n.around, p.Body)
	case *gbx.HeaderChunk:
		n.around = append(n.around, p.Body)
	default:
		if !isList(p) && name != "content" {
			p = unasked
		}
		n.around = append(n.around, p)
	}
}

// unasked stands for what nobody asks whether it is wanted.
var unasked any = new(any)

func (n *names) End(offset int64) {
	n.close(offset)
	n.around = n.around[:len(n.around)-1]
}

func (n *names) Inside(_, _ []byte, _ error) bool { return false }

func (n *names) ask(name string) {
	if !isFieldName(name) {
		return
	}
	for _, p := range slices.Backward(n.around) {
		if p == nil {
			return
		}
		if p == unasked {
			continue
		}
		if q := (asked{reflect.TypeOf(p), name}); !n.asked[q] {
			n.asked[q] = true
			if c := (&choice{names: []string{name}, held: map[reflect.Type]bool{}}); !c.holds(p) {
				n.t.Errorf("%s: %q is in a %T, but holds() by its type = false", n.file, name, p)
			}
		}
	}
}

// A search passes over what cannot hold a name. Every name in real files is
// where the types of chunks say that it may be.
func TestNamesAreThoseOfFields(t *testing.T) {
	t.Parallel()
	seen, n, every := map[asked]bool{}, 0, 5
	if tier.IsLong() {
		every = 1
	}
	for path, data := range corpus.GBX(t) {
		if n++; n%every != 0 {
			continue
		}
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			continue
		}
		if err := f.Walk(&names{cursor: newCursor(), t: t, file: path, asked: seen}); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if len(seen) < 1000 {
		t.Errorf("%d names were asked for", len(seen))
	}
}

// A path means the same whether it is looked up or searched for everywhere.
func TestResolveAsEverywhere(t *testing.T) {
	t.Parallel()
	const small, most = 20_000, 10
	files, resolved := 0, 0
	for path, data := range corpus.GBX(t) {
		if len(data) > small {
			continue
		}
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			continue
		}
		if files++; files > most {
			break
		}
		tr := Lazy(f)
		all := &namer{cursor: newCursor(), seen: map[string]bool{}}
		if err := f.Walk(all); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for _, name := range all.names {
			found, err := tr.Find(name)
			if err != nil {
				t.Fatalf("%s: %s: %v", path, name, err)
			}
			for _, name := range []string{name, found[0].Path, found[len(found)-1].Path} {
				want, wantErr := everywhere(tr, name)
				got, gotErr := tr.Resolve(name)
				if pathsOf(got) != pathsOf(want) || (gotErr == nil) != (wantErr == nil) || gotErr != nil && gotErr.Error() != wantErr.Error() {
					t.Errorf("%s: %s: %s (%v), everywhere %s (%v)", path, name, pathsOf(got), gotErr, pathsOf(want), wantErr)
				}
				if gotErr == nil {
					resolved++
					if got, want := string(tr.JSON(got[0].Value)), string(tr.JSON(want[0].Value)); got != want {
						t.Errorf("%s: %s: %.100s, everywhere %.100s", path, name, got, want)
					}
				}
			}
		}
	}
	if resolved < 500 {
		t.Errorf("%d paths were resolved", resolved)
	}
}

// everywhere is Resolve by a search of the whole file.
func everywhere(t *Tree, path string) ([]Match, error) {
	found, err := t.Find(path)
	if err != nil {
		return nil, err
	}
	return t.meant(path, found)
}

func pathsOf(found []Match) string {
	var list []string
	for _, m := range found {
		list = append(list, m.Path)
	}
	return strings.Join(list, " ")
}
