package page

import (
	"fmt"
	"strconv"
	"strings"

	"pakbox/archive"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/gbx/tree"
)

// value is a value in the tree.
type value struct {
	Path   string `json:"path"`
	Name   string `json:"name"`
	Kind   string `json:"kind,omitempty"`
	Text   string `json:"text,omitempty"`
	Leaf   bool   `json:"leaf"`
	Layer  string `json:"layer"`
	Offset *int64 `json:"offset"`
	Length int64  `json:"length"`
}

// maxChildren limits how many values are sent at once. A larger group is sent as ranges
// that the page can open one by one.
const maxChildren = 2000

// withTree calls look with the values of the file in question.
func (s *Explorer) withTree(c *call, look func(t *tree.Tree) (any, error)) (any, error) {
	f, done, err := s.open.look(c.Context(), c.param("path"))
	if err != nil {
		return nil, err
	}
	defer done()
	if f.gbx() == nil {
		return nil, fault.InFile(fault.New(fault.Unsupported, "%s files have no values to show one by one", f.Format()), c.param("path"))
	}
	t, err := f.valueTree()
	if err != nil {
		return nil, err
	}
	return look(t)
}

// values lists the values below a value, or the top level.
func (s *Explorer) values(c *call) (any, error) {
	at := c.param("at")
	return s.withTree(c, func(t *tree.Tree) (any, error) {
		if at == "" {
			return new(question.Object).Add("children", []value{valueOf(t, &t.Header, "header"), valueOf(t, &t.Body, "body")}), nil
		}
		v, path, part, err := resolve(t, at)
		if err != nil {
			return nil, err
		}
		return new(question.Object).Add("children", childValues(t, v, path, part)), nil
	})
}

// stretch is a range of a long list: elements from ≤ i < to.
type stretch struct{ from, to int }

// resolve finds the value at a path. path[100..200] is a range of a list.
func resolve(t *tree.Tree, path string) (*tree.Value, string, *stretch, error) {
	var part *stretch
	if i := strings.LastIndexByte(path, '['); i >= 0 && strings.Contains(path[i:], "..") {
		var p stretch
		if _, err := fmt.Sscanf(path[i:], "[%d..%d]", &p.from, &p.to); err != nil || p.from < 0 || p.to < p.from {
			return nil, "", nil, usage("%q is not a path of a value", path)
		}
		part, path = &p, path[:i]
	}
	v := t.At(path)
	if v == nil {
		return nil, "", nil, &archive.ValueError{Path: path, Message: "value not found", Missing: true}
	}
	return v, path, part, nil
}

// childValues returns the values below a value, or ranges of them if there are many.
func childValues(t *tree.Tree, v *tree.Value, path string, part *stretch) []value {
	from, to := 0, len(v.Children)
	if part != nil {
		from, to = min(part.from, to), min(part.to, to)
	}
	list := []value{}
	if to-from > maxChildren {
		step := maxChildren
		for (to-from)/step > maxChildren {
			step *= maxChildren
		}
		for i := from; i < to; i += step {
			end := min(i+step, to)
			first, last := &v.Children[i], &v.Children[end-1]
			list = append(list, value{Path: fmt.Sprintf("%s[%d..%d]", path, i, end), Name: fmt.Sprintf("%d to %d", i, end-1), Layer: layerOf(first.Space),
				Offset: &first.Offset, Length: last.Offset + last.Length - first.Offset})
		}
		return list
	}
	for i := from; i < to; i++ {
		list = append(list, valueOf(t, &v.Children[i], tree.ChildPath(path, &v.Children[i])))
	}
	return list
}

func valueOf(t *tree.Tree, v *tree.Value, path string) value {
	out := value{Path: path, Name: v.Name, Leaf: len(v.Children) == 0, Layer: layerOf(v.Space), Offset: &v.Offset, Length: v.Length}
	switch class := t.ClassName(v); {
	case v.Kind == tree.Leaf:
		out.Text = short(v.Text())
	case v.Kind == tree.Chunk:
		out.Text = chunkText(t, v)
	case v.Kind == tree.List:
		out.Kind = strconv.Itoa(len(v.Children))
	case class != "":
		out.Kind = class
	case v.Kind == tree.Node:
		out.Text = t.NodeText(v)
	}
	return out
}

// chunkText is the name of a chunk. Most chunks have no name; their text is the first values
// and the class.
func chunkText(t *tree.Tree, v *tree.Value) string {
	class, name := t.ChunkName(v)
	if name != "" {
		return name
	}
	const most = 3
	var names []string
	for i := range v.Children {
		if name := v.Children[i].Name; name != "version" && !strings.HasPrefix(name, "u0") {
			names = append(names, name)
		}
	}
	if len(names) > most {
		names = append(names[:most], "…")
	}
	return strings.TrimPrefix(strings.Join(names, ", ")+" · "+class, " · ")
}

// short shortens a text to one line of the tree.
func short(s string) string {
	const most = 200
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// value describes one value.
func (s *Explorer) value(c *call) (any, error) {
	return s.withTree(c, func(t *tree.Tree) (any, error) {
		v, path, _, err := resolve(t, c.param("at"))
		if err != nil {
			return nil, err
		}
		return new(question.Object).Add("value", valueOf(t, v, path)), nil
	})
}

// valueAt finds the value that contains a byte.
func (s *Explorer) valueAt(c *call) (any, error) {
	offset, err := c.number("offset", 0, 0)
	if err != nil {
		return nil, err
	}
	return s.withTree(c, func(t *tree.Tree) (any, error) {
		root, name, space := &t.Header, "header", tree.InHeader
		if which := c.param("layer"); which != "" && which != layerFile {
			root, name, space = &t.Body, "body", tree.InBody
			if n, err := strconv.Atoi(strings.TrimPrefix(which, layerInside)); err == nil {
				space += 1 + n
				if root, name = spaceRoot(root, name, space); root == nil {
					return nil, usage("unknown layer %q", which)
				}
			}
		}
		if !covers(root, space, offset) {
			return new(question.Object).Add("value", nil), nil
		}
		v, path := innermost(root, name, space, offset)
		return new(question.Object).Add("value", valueOf(t, v, path)), nil
	})
}

// covers reports whether a value contains a byte.
func covers(v *tree.Value, space int, offset int64) bool {
	return v.Space == space && offset >= v.Offset && offset < v.Offset+v.Length
}

// innermost returns the smallest value around a byte of v.
func innermost(v *tree.Value, path string, space int, offset int64) (*tree.Value, string) {
	for i := range v.Children {
		if k := &v.Children[i]; covers(k, space, offset) {
			return innermost(k, tree.ChildPath(path, k), space, offset)
		}
	}
	return v, path
}
