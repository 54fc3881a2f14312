package simutrans

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// Facts implements archive.Archive: what the file holds and, if that is a
// single object, its fields.
func (a *Archive) Facts() []archive.Fact {
	counts := map[string]int{}
	var order []string
	for _, o := range a.objects {
		t := o.Node.Type.Name()
		if counts[t]++; counts[t] == 1 {
			order = append(order, t)
		}
	}
	var words []string
	for _, t := range order {
		words = append(words, fmt.Sprintf("%d %s", counts[t], t))
	}
	banner := strings.TrimSpace(node.Display(string(a.File.Banner)))
	facts := []archive.Fact{
		{Name: "objects", Label: "Objects", Value: len(a.objects), Text: strings.Join(words, ", ")},
		{Name: "pak_version", Label: "Version", Value: int(a.File.Code)},
		{Name: "banner", Label: "Banner", Value: banner, Text: strings.ReplaceAll(banner, "\n", ", ")},
	}
	if len(a.objects) == 1 {
		facts = append(facts, ObjectFacts(a.objects[0].Node)...)
	}
	return facts
}

// ObjectFacts describes an object: name, copyright, version and every field
// of its descriptor, with units, and the objects it refers to.
func ObjectFacts(n *node.Node) []archive.Fact {
	facts := []archive.Fact{
		{Name: "type", Label: "Type", Value: n.Type.Name()},
		{Name: "name", Label: "Object", Value: node.Display(n.Name())},
		{Name: "copyright", Label: "Copyright", Value: node.Display(n.Copyright())},
		{Name: "bytes", Label: "Size", Value: n.BodyBytes()},
	}
	facts = append(facts, descriptorFacts(n, "")...)
	for _, c := range n.Children {
		if c.Type == node.BUIL {
			facts = append(facts, descriptorFacts(c, "building_")...)
		}
	}
	refs := map[string][]string{}
	var order []string
	n.Walk(func(n *node.Node, _ int) bool {
		if x, ok := n.Xref(); ok && x.Name != "" {
			t := x.Type.Name()
			if refs[t] == nil {
				order = append(order, t)
			}
			refs[t] = append(refs[t], node.Display(x.Name))
		}
		return true
	})
	for _, t := range order {
		facts = append(facts, archive.Fact{Name: "refers_to_" + strings.ReplaceAll(t, "-", "_"), Label: "Refers to " + t, Value: refs[t], Text: strings.Join(refs[t], ", ")})
	}
	return facts
}

func descriptorFacts(n *node.Node, prefix string) []archive.Fact {
	d, err := object.Decode(n)
	if err != nil {
		return []archive.Fact{{Name: prefix + "problem", Label: "Problem", Value: err.Error()}}
	}
	v := d.Version
	facts := []archive.Fact{{Name: prefix + "descriptor_version", Label: label(prefix + "descriptor_version"), Value: v.Standard}}
	if v.IsExt {
		facts = append(facts, archive.Fact{Name: prefix + "extended_version", Label: label(prefix + "extended_version"), Value: v.Extended})
	}
	for _, f := range d.Fields() {
		text := f.Text
		if f.Unit != "" {
			text += " " + f.Unit
		}
		name := prefixed(prefix, f.Name)
		facts = append(facts, archive.Fact{Name: name, Label: label(name), Value: f.Number(), Text: text})
	}
	return facts
}

// prefixed is the name of a field of a part, beside those of the object.
func prefixed(prefix, name string) string { return prefix + strings.TrimPrefix(name, prefix) }

// label makes words of a field's name.
func label(name string) string {
	name = strings.ReplaceAll(name, "_", " ")
	return strings.ToUpper(name[:1]) + name[1:]
}

// Verify implements archive.Archive: every descriptor and image must be
// understood and coded back to the bytes it was read from.
func (a *Archive) Verify(ctx context.Context, opts archive.Options) (*archive.Report, error) {
	r := &archive.Report{}
	total := a.File.Root.BodyBytes()
	opts.Begin(total)
	nodes := 0
	for _, o := range a.objects {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		o.Node.Walk(func(n *node.Node, _ int) bool {
			nodes++
			r.Bytes += int64(len(n.Body))
			if err := verifyNode(n); err != nil {
				r.Add(finding.Error, fault.InEntry(err, o.Folder))
			}
			opts.Advance(int64(len(n.Body)))
			return true
		})
		r.Entries++
	}
	r.Facts = []archive.Fact{{Name: "nodes", Label: "Nodes", Value: nodes}}
	return r, nil
}

func verifyNode(n *node.Node) error {
	switch n.Type {
	case node.IMG:
		m, err := img.Parse(n.Body, n.BodyOffset())
		if err != nil {
			return err
		}
		_, err = m.Bitmap()
		return err
	case node.IMG1, node.IMG2, node.IMG3:
		d, err := object.Decode(n)
		if err != nil {
			return err
		}
		if count := d.Int("count"); count != int64(len(n.Children)) {
			return fault.At(fault.SizeMismatch, n.Offset, "count", "a list of %d images has %d", count, len(n.Children))
		}
		return nil
	}
	d, err := object.Decode(n)
	if err != nil {
		return err
	}
	body, err := d.Encode()
	if err != nil {
		return err
	}
	if !bytes.Equal(body, n.Body) {
		return fault.At(fault.BadEntry, n.Offset, n.Type.String(), "its fields are coded back differently")
	}
	return nil
}
