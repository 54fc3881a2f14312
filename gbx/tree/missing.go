package tree

import (
	"fmt"
	"slices"
	"strings"

	"pakbox/archive"
	"pakbox/internal/lib/spell"
)

// How many names an error lists: similar names, and names of the group.
const (
	mostNear  = 3
	mostNames = 12
)

// missing returns the error for a path without a value. It states the first wrong name,
// with similar names or with the existing names.
func (t *Tree) missing(path string) error {
	want := split(path)
	for n := len(want) - 1; n > 0; n-- {
		found, err := t.Find(join(want[:n]))
		if err != nil {
			return err
		}
		if len(found) == 0 {
			continue
		}
		const enough = 2 // depth of the names that are listed: values, and values of list elements
		if err := t.fill(&found[0], enough); err != nil {
			return err
		}
		at, name := found[0], want[n]
		if strings.HasPrefix(name, "[") {
			return missingElement(path, at)
		}
		message := fmt.Sprintf("value not found: %s has no %q", at.Path, name)
		names := namesBelow(at.Value)
		if len(names) == 0 {
			return &archive.ValueError{Path: path, Missing: true, Message: message + ", and nothing is below it"}
		}
		near := spell.Near(name, names, mostNear)
		for i := range near {
			near[i] = join(slices.Concat(want[:n], near[i:i+1], want[n+1:]))
		}
		if len(near) == 0 {
			message += "; it has " + shortList(names)
		}
		return &archive.ValueError{Path: path, Missing: true, Message: message, Near: near}
	}
	if len(want) == 0 {
		return &archive.ValueError{Path: path, Missing: true, Message: "is not a path"}
	}
	names := &namer{cursor: newCursor(), seen: map[string]bool{"header": true}, names: []string{"header"}}
	if err := t.File.Walk(names); err != nil {
		return err
	}
	near := spell.Near(want[0], names.names, mostNear)
	for i := range near {
		near[i] = join(append([]string{near[i]}, want[1:]...))
	}
	return &archive.ValueError{Path: path, Missing: true, Message: "value not found", Near: near}
}

// missingElement returns the error for an element beyond the end of a list.
func missingElement(path string, at Match) *archive.ValueError {
	v, where := at.Value, at.Path
	for !hasElements(v) && len(v.Children) > 0 { // a group may have a version before its list
		v = &v.Children[len(v.Children)-1]
		where += separator(v.Name) + v.Name
	}
	if !hasElements(v) {
		return &archive.ValueError{Path: path, Missing: true, Message: "value not found: " + at.Path + " is not a list, or an empty one"}
	}
	return &archive.ValueError{Path: path, Missing: true, Message: fmt.Sprintf("value not found: the elements of %s go from [0] to [%d]", where, len(v.Children)-1)}
}

func hasElements(v *Value) bool {
	return len(v.Children) > 0 && strings.HasPrefix(v.Children[0].Name, "[")
}

// namesBelow returns the names of the children of a group, or of the first element of a
// list.
func namesBelow(v *Value) []string {
	if hasElements(v) {
		v = &v.Children[0]
	}
	names := make([]string, len(v.Children))
	for i := range v.Children {
		names[i] = v.Children[i].Name
	}
	return names
}

// namer is a visitor that collects all names of a file, each once.
type namer struct {
	cursor
	seen  map[string]bool
	names []string
}

func (n *namer) name(name string) {
	if !n.seen[name] && !strings.HasPrefix(name, "[") {
		n.seen[name] = true
		n.names = append(n.names, name)
	}
}

func (n *namer) Coded(name string, p any, offset, length int64) {
	if v := n.leaf(name, p, offset, length); v != nil {
		n.name(v.Name)
	}
}

func (n *namer) Begin(name string, p any, offset int64) {
	if f := n.open(name, p, offset); !f.shared {
		n.name(f.Name)
	}
}

func join(names []string) string {
	path := ""
	for i, name := range names {
		if i > 0 {
			path += separator(name)
		}
		path += name
	}
	return path
}

func shortList(names []string) string {
	if len(names) > mostNames {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:mostNames], ", "), len(names)-mostNames)
	}
	return strings.Join(names, ", ")
}
