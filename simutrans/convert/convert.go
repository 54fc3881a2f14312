// Package convert converts objects between the versions of different makeobjs: up, so
// that old objects get new fields with their defaults, and down, so that old games can
// read them.
//
// An object is decompiled and compiled again for the other target. So every rule about
// defaults and structure exists once. The fields before and after are compared to find
// what the conversion loses.
package convert

import (
	"fmt"
	"strings"

	"pakbox/fault"
	"pakbox/finding"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/dat"
	"pakbox/simutrans/decompile"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// Loss is one value that differs after a conversion.
type Loss struct {
	Node    string `json:"node" doc:"path of nodes"`
	Field   string `json:"field" doc:"field of the node"`
	Before  string `json:"before" doc:"value before"`
	After   string `json:"after,omitempty" doc:"new value; missing if the field is gone"`
	Dropped bool   `json:"dropped,omitempty" doc:"whether the other version does not have the field"`
}

func (l Loss) String() string {
	if l.Dropped {
		return fmt.Sprintf("%s: %s (%s) is dropped", l.Node, l.Field, l.Before)
	}
	return fmt.Sprintf("%s: %s changes from %s to %s", l.Node, l.Field, l.Before, l.After)
}

// Options say what to convert to.
type Options struct {
	Target   string // a makeobj version; "" means object.DefaultTarget
	Versions string // versions that differ from the target's, as "VHCL=11 BUIL=9"
}

// Object returns the object in the wanted versions, and what is lost. The given object is
// not changed.
func Object(n *node.Node, opts Options) (*node.Node, []Loss, error) {
	r, err := decompile.Object(n, decompile.Options{Sheet: "sheet"})
	if err != nil {
		return nil, nil, err
	}
	if !r.Exact {
		return nil, nil, fault.New(fault.Unsupported, "its source cannot be restored exactly: %s", r.Loss)
	}
	if r.Carried {
		return nil, nil, fault.New(fault.UnsupportedVersion, "its source language is not known")
	}
	c, err := compile.NewCompiler(opts.Target, 0)
	if err != nil {
		return nil, nil, err
	}
	if r.Image != nil {
		c.Picture("", "sheet", img.FromNRGBA(r.Image))
	}
	s := c.Source(n.Name(), "", withVersions(r.Dat, opts.Versions))
	if s.Failed() || len(s.Objects) != 1 {
		for _, p := range s.Problems {
			if p.Severity == finding.Error {
				return nil, nil, fault.New(fault.Unsupported, "%s: %s", p.Field, p.Message)
			}
		}
		return nil, nil, fault.New(fault.Unsupported, "its source gives %d objects", len(s.Objects))
	}
	after := s.Objects[0].Node
	losses, err := compare(n, after, n.Type.Name())
	return after, losses, err
}

// withVersions replaces the directive with versions in a source.
func withVersions(src []byte, versions string) []byte {
	var b strings.Builder
	if versions != "" {
		b.WriteString(dat.Directive + " " + versions + "\n")
	}
	for line := range strings.Lines(string(src)) {
		if !strings.HasPrefix(line, dat.Directive) {
			b.WriteString(line)
		}
	}
	return []byte(b.String())
}

// compare lists the fields of a that are missing or different in b. Fields that only b
// has are not loss. Lists of images may get additional empty images.
func compare(a, b *node.Node, path string) ([]Loss, error) {
	losses, err := compareFields(a, b, path)
	if err != nil {
		return nil, err
	}
	for i, child := range a.Children {
		at := path + "/" + node.Step(i, child.Type)
		if i >= len(b.Children) {
			if child.Type == node.IMG && len(child.Body) <= 10 {
				continue
			}
			losses = append(losses, Loss{Node: at, Field: child.Type.Name(), Before: fmt.Sprintf("%d bytes", child.BodyBytes()), Dropped: true})
			continue
		}
		more, err := compare(child, b.Children[i], at)
		if err != nil {
			return nil, err
		}
		losses = append(losses, more...)
	}
	return losses, nil
}

func compareFields(a, b *node.Node, path string) (losses []Loss, err error) {
	if a.Type == node.IMG1 || a.Type == node.IMG2 {
		return nil, nil // skip counts: the children are compared themselves
	}
	if a.Type != b.Type || a.Type == node.IMG && string(a.Body) != string(b.Body) {
		return []Loss{{Node: path, Field: a.Type.Name(), Before: fmt.Sprintf("%d bytes", len(a.Body)), After: fmt.Sprintf("%s of %d bytes", b.Type.Name(), len(b.Body))}}, nil
	}
	if a.Type == node.IMG {
		return nil, nil // the pixels are the same
	}
	before, err := object.Decode(a)
	if err != nil {
		return nil, err
	}
	after, err := object.Decode(b)
	if err != nil {
		return nil, err
	}
	for _, f := range before.Fields() {
		g, ok := after.Field(f.Name)
		switch {
		case !ok && copied(before, f):
		case !ok && !f.IsDefault():
			losses = append(losses, Loss{Node: path, Field: f.Name, Before: f.Text, Dropped: true})
		case ok && f.Text != g.Text && !sameAmount(f, g):
			losses = append(losses, Loss{Node: path, Field: f.Name, Before: f.Text, After: g.Text})
		}
	}
	return losses, nil
}

// copied reports whether a field repeats the value of another node: for a factory without
// rotations, the place of its smoke is also in its FSMO child.
func copied(d *object.Body, f object.Field) bool {
	return strings.HasPrefix(f.Name, "smoke_0_") && d.Int("smoke_rotations") == 0
}

// sameAmount compares fields whose unit has changed, such as tons and kilograms.
func sameAmount(f, g object.Field) bool {
	scale := map[string]int64{"t": 1000, "kg": 1}
	a, okA := f.Value.(int64)
	b, okB := g.Value.(int64)
	return okA && okB && scale[f.Unit] > 0 && a*scale[f.Unit] == b*scale[g.Unit]
}
