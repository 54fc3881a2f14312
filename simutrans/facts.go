package simutrans

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"pakbox/archive"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// fileFacts are the facts of an object file.
var fileFacts = fact.NewTable("simutrans", "A file of Simutrans objects.", []fact.Row[*Archive]{
	{Name: "objects", Label: "Objects", Kind: fact.Count, Doc: "number of objects", Get: func(a *Archive) any { return len(a.objects) }, Words: (*Archive).countByType},
	{Name: "pak_version", Label: "Version", Kind: fact.Count, Doc: "version of the file", Get: func(a *Archive) any { return a.File.Code }},
	{Name: "banner", Label: "Banner", Kind: fact.Text, Doc: "text at the beginning of the file",
		Get:   func(a *Archive) any { return a.banner() },
		Words: func(a *Archive) string { return strings.ReplaceAll(a.banner(), "\n", ", ") }},
})

// objectFacts are the facts of objects of all types. The fields of the object's
// descriptor follow them; the table of its type declares these.
var objectFacts = fact.NewTable("object", "A Simutrans object.", []fact.Row[*node.Node]{
	{Name: "type", Label: "Type", Kind: fact.Text, Doc: "vehicle, building, way, …", Also: []fact.Word{{Name: "object", Doc: "type of a Simutrans object: vehicle, building, way, …"}}, Always: true,
		Get: func(n *node.Node) any { return n.Type.Name() }},
	{Name: "name", Label: "Object", Kind: fact.Text, Doc: "name of the object", Search: fact.ByName, Always: true, Get: func(n *node.Node) any { return node.Display(n.Name()) }},
	{Name: "copyright", Label: "Copyright", Kind: fact.Text, Doc: "copyright line of the object", Also: []fact.Word{fact.Author}, Search: fact.ByAuthor, Always: true,
		Get: func(n *node.Node) any { return node.Display(n.Copyright()) }},
	{Name: "bytes", Label: "Size", Kind: fact.Count, Doc: "bytes of the object's nodes", Always: true, Get: func(n *node.Node) any { return n.BodyBytes() }},
})

// imageFacts has the number of pictures. It is separate because counting walks through
// the object.
var imageFacts = fact.NewTable("object list", "A Simutrans object in a list.", []fact.Row[*node.Node]{
	{Name: "images", Label: "Images", Kind: fact.Count, Doc: "number of images with pixels", Always: true, Get: func(n *node.Node) any { return countImages(n) }},
})

// Subjects lists the facts of object files and of objects.
func (Format) Subjects() []*fact.Subject {
	return []*fact.Subject{&fileFacts.Subject, &objectFacts.Subject, &imageFacts.Subject, &vehicleFacts.Subject}
}

// Facts describe the file. For a file with one object they also describe the object.
func (a *Archive) Facts() fact.Record {
	record := fileFacts.Of(a)
	if len(a.objects) == 1 {
		record = append(record, ObjectFacts(a.objects[0].Node)...)
	}
	return record
}

func (a *Archive) banner() string { return strings.TrimSpace(node.Display(string(a.File.Banner))) }

// countByType returns the number of objects of each type as text.
func (a *Archive) countByType() string {
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
	return strings.Join(words, ", ")
}

// ObjectFacts describes an object: name, copyright, version, every field of its
// descriptor with its unit, and the objects it refers to.
func ObjectFacts(n *node.Node) fact.Record {
	facts := objectFacts.Of(n)
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
		facts = append(facts, fact.Make("refers_to_"+strings.ReplaceAll(t, "-", "_"), "Refers to "+t, fact.List, refs[t], ""))
	}
	return facts
}

func descriptorFacts(n *node.Node, prefix string) fact.Record {
	d, err := object.Decode(n)
	if err != nil {
		return fact.Record{fact.Make(prefix+"problem", "Problem", fact.Text, err.Error(), "")}
	}
	v := d.Version
	facts := fact.Record{fact.Make(prefix+"descriptor_version", label(prefix+"descriptor_version"), fact.Count, v.Standard, "")}
	if v.IsExt {
		facts = append(facts, fact.Make(prefix+"extended_version", label(prefix+"extended_version"), fact.Count, v.Extended, ""))
	}
	for _, f := range d.Fields() {
		name := prefixed(prefix, f.Name)
		facts = append(facts, fact.Make(name, label(name), kindOf(f), f.Number(), f.InWords()))
	}
	return facts
}

// kindOf is the fact kind of a descriptor's field.
func kindOf(f object.Field) fact.Kind {
	if _, isText := f.Value.(string); isText {
		return fact.Text
	}
	return fact.Number
}

// prefixed is the name of a field of a part, which is listed beside the fields of the
// object.
func prefixed(prefix, name string) string { return prefix + strings.TrimPrefix(name, prefix) }

// label turns a field's name into words.
func label(name string) string {
	name = strings.ReplaceAll(name, "_", " ")
	return strings.ToUpper(name[:1]) + name[1:]
}

// Verify implements archive.Archive: every descriptor and image must be decodable, and
// must encode to the same bytes.
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
	r.Facts = fact.Record{fact.Make("nodes", "Nodes", fact.Count, nodes, "")}
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
			return fault.At(fault.SizeMismatch, n.Offset, "count", "the image list declares %d images but contains %d", count, len(n.Children))
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
		return fault.At(fault.BadEntry, n.Offset, n.Type.String(), "re-encoding its fields does not reproduce the stored bytes")
	}
	return nil
}
