package check

import (
	"maps"
	"slices"
	"strings"

	"pakbox/finding"
	"pakbox/simutrans/dat"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// xrefs returns the references of an object, each once.
func (o *Object) xrefs() (list []node.Xref) {
	o.Node.Walk(func(n *node.Node, _ int) bool {
		if x, ok := n.Xref(); ok && x.Name != "" && !slices.Contains(list, x) {
			list = append(list, x)
		}
		return true
	})
	return list
}

// builtIn reports whether every game has the target of a reference.
func builtIn(x node.Xref) bool {
	return x.Type == node.VHCL && strings.EqualFold(x.Name, "any") || x.Type == node.GOOD && x.Name == "None"
}

func (c *checker) dangling() {
	for _, o := range c.set.Objects {
		for _, x := range o.xrefs() {
			if builtIn(x) || c.byName[x.Type][x.Name] != nil {
				continue
			}
			severity, need := finding.Warning, "wants"
			if x.Fatal {
				severity, need = finding.Error, "needs"
			}
			c.find(severity, o, c.suggestName(x), "it %s the %s %q, which is not there", need, x.Type.Name(), x.Name)
		}
	}
}

// suggestName finds an object whose name is similar to the target's.
func (c *checker) suggestName(x node.Xref) string {
	names := slices.Sorted(maps.Keys(c.byName[x.Type]))
	for _, name := range names {
		if strings.EqualFold(name, x.Name) {
			return "there is " + name
		}
	}
	if near := dat.Nearest(x.Name, names); near != "" {
		return "did you mean " + near + "?"
	}
	return ""
}

func (c *checker) duplicates() {
	for _, o := range c.set.Objects {
		if first := c.byName[o.Node.Type][o.Name]; first != o {
			severity, what := finding.Warning, "another one"
			if o.Node.Equal(first.Node) {
				severity, what = finding.Note, "the same one"
			}
			c.find(severity, o, "keep one of them", "there is %s in %s", what, first.File)
		}
	}
}

func (c *checker) cases() {
	seen := map[string]*Object{}
	for _, o := range c.set.Objects {
		folded := o.Node.Type.String() + strings.ToLower(o.Name)
		if first := seen[folded]; first != nil && first.Name != o.Name {
			c.find(finding.Warning, o, "", "its name differs only in case from %s in %s", first.Name, first.File)
			continue
		}
		seen[folded] = o
	}
}

// couplings checks that couplings agree: if one vehicle allows another behind it, the
// other must allow the first in front.
func (c *checker) couplings() {
	messages := map[bool][2]string{
		true:  {"constraint[prev]", "%s may follow it, but not the other way round"},
		false: {"constraint[next]", "it may follow %s, but not the other way round"},
	}
	for _, o := range c.set.Objects {
		for _, behind := range []bool{true, false} {
			for _, name := range o.coupled(behind) {
				other := c.byName[node.VHCL][name]
				if other == nil {
					continue // dangling reports this
				}
				if back := other.coupled(!behind); len(back) > 0 && !allows(back, o.Name) {
					c.find(finding.Warning, o, "add "+messages[behind][0]+" to "+other.Name, messages[behind][1], other.Name)
				}
			}
		}
	}
}

// lengths finds two vehicles that always run together and differ in length. The game
// draws each at its own position, so the artist must move the images of one.
func (c *checker) lengths() {
	for _, o := range c.set.Objects {
		if o.Node.Type != node.VHCL || !o.Body.Has("length") {
			continue
		}
		behind := o.coupled(true)
		if len(behind) != 1 {
			continue
		}
		other := c.byName[node.VHCL][behind[0]]
		if other == nil || other == o || !slices.Equal(other.coupled(false), []string{o.Name}) {
			continue
		}
		if a, b := o.Body.Int("length"), other.Body.Int("length"); a != b {
			c.find(finding.Note, o, "move the images by half the difference, or give both one length", "its length is %d and that of %s, which always follows, is %d: there is a gap or an overlap between them unless the images are moved", a, other.Name, b)
		}
	}
}

// trains finds vehicles that cannot be in any train: from each, couplings must lead to a
// vehicle that may be last, and to one that may be first.
func (c *checker) trains() {
	for _, behind := range []bool{true, false} {
		done := map[string]bool{} // vehicles from which the end of a train can be reached
		for grown := true; grown; {
			grown = false
			for name, o := range c.byName[node.VHCL] {
				if !done[name] && c.reaches(o, behind, done) {
					done[name], grown = true, true
				}
			}
		}
		for _, o := range c.set.Objects {
			if o.Node.Type == node.VHCL && !done[o.Name] {
				end := "a front"
				if behind {
					end = "an end"
				}
				c.find(finding.Warning, o, "let a vehicle with the constraint none be there", "no train with it has %s: the constraints never allow one", end)
			}
		}
	}
}

// reaches reports whether a vehicle may be at the end of a train, or may be coupled to
// one that reaches the end.
func (c *checker) reaches(o *Object, behind bool, done map[string]bool) bool {
	names := o.coupled(behind)
	return len(names) == 0 || slices.ContainsFunc(names, func(name string) bool {
		return name == "" || strings.EqualFold(name, "any") || done[name] || c.byName[node.VHCL][name] == nil
	})
}

// coupled returns the vehicles that may be coupled behind a vehicle, or in front of it.
func (o *Object) coupled(behind bool) (names []string) {
	if o.Node.Type != node.VHCL {
		return nil
	}
	before, after := object.Couplings(o.Node, o.Body)
	if behind {
		return after
	}
	return before
}

func allows(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return n == name || strings.EqualFold(n, "any") })
}

// goods checks that each good that a factory makes is needed and carried. Cities make
// passengers and mail. A vehicle carries all goods of its good's category, except in
// category 0, where each good is separate.
func (c *checker) goods() {
	made, needed, carried := map[string]bool{}, map[string]bool{}, map[string]bool{}
	categories := map[int64]bool{}
	for _, o := range c.set.Objects {
		o.Node.Walk(func(n *node.Node, _ int) bool {
			for _, child := range n.Children {
				x, ok := child.Xref()
				if !ok || x.Type != node.GOOD {
					continue
				}
				switch n.Type {
				case node.FPRO:
					made[x.Name] = true
				case node.FSUP:
					needed[x.Name] = true
				case node.VHCL:
					carried[x.Name] = true
					if good := c.byName[node.GOOD][x.Name]; good != nil {
						if category := good.Body.Int("category"); category != 0 {
							categories[category] = true
						}
					}
				}
			}
			return true
		})
	}
	for _, o := range c.set.Objects {
		if o.Node.Type != node.GOOD || slices.Contains([]string{"None", "Passagiere", "Post"}, o.Name) {
			continue
		}
		if !made[o.Name] {
			c.find(finding.Note, o, "", "no factory makes it")
		}
		if !needed[o.Name] {
			c.find(finding.Note, o, "", "no factory needs it")
		}
		if !carried[o.Name] && !categories[o.Body.Int("category")] {
			c.find(finding.Warning, o, "", "no vehicle carries it")
		}
	}
}
