package tree

import (
	"strings"

	"pakbox/gbx"
)

// ChildPath returns the path of a child. above is the path of its parent.
func ChildPath(above string, child *Value) string { return above + separator(child.Name) + child.Name }

// At returns the value at a complete path, such as [Match.Path], or nil.
func (t *Tree) At(path string) *Value {
	names := split(path)
	if len(names) == 0 {
		return nil
	}
	v := &t.Header
	switch names[0] {
	case "header":
	case "body":
		v = &t.Body
	default:
		return nil
	}
	for _, name := range names[1:] {
		if v = v.child(name); v == nil {
			return nil
		}
	}
	return v
}

func (v *Value) child(name string) *Value {
	for i := range v.Children {
		if strings.EqualFold(v.Children[i].Name, name) {
			return &v.Children[i]
		}
	}
	return nil
}

// IsOpaque reports whether the value is bytes with an unknown layout.
func (v *Value) IsOpaque() bool {
	_, opaque := v.p.(*gbx.Opaque)
	return opaque
}
