package simutrans

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"pakbox/archive"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

var (
	_ archive.Dumper = (*Archive)(nil)
	_ archive.Differ = (*Archive)(nil)
)

// DumpJSON implements archive.Dumper: a document with all objects.
func (a *Archive) DumpJSON(w io.Writer, want *archive.Want) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `"pak_version":%d`, a.File.Code)
	if want.Member("objects") == nil {
		return b.Flush()
	}
	b.WriteString(`,"objects":[`)
	for i, o := range a.objects {
		if i > 0 {
			b.WriteByte(',')
		}
		data, err := json.Marshal(o.document())
		if err != nil {
			return err
		}
		b.Write(data)
	}
	b.WriteByte(']')
	return b.Flush()
}

// DumpText implements archive.Dumper: the nodes with their fields.
func (a *Archive) DumpText(w io.Writer, offsets bool) error {
	b := bufio.NewWriter(w)
	for _, o := range a.objects {
		fmt.Fprintln(b, plain(o.Folder))
		o.Node.Walk(func(n *node.Node, depth int) bool {
			dumpNode(b, n, strings.Repeat("  ", depth+1), offsets)
			return true
		})
	}
	return b.Flush()
}

func dumpNode(w io.Writer, n *node.Node, indent string, offsets bool) {
	where := ""
	if offsets {
		where = fmt.Sprintf(" at 0x%X, %d bytes", n.Offset, len(n.Body))
	}
	line := func(what string) { fmt.Fprintf(w, "%s%s%s%s\n", indent, n.Type, what, where) }
	if n.Type == node.IMG {
		if m, err := img.Parse(n.Body, n.BodyOffset()); err == nil {
			line(fmt.Sprintf(" version %d, %d x %d at %d,%d", m.Version, m.W, m.H, m.X, m.Y))
			return
		}
	}
	d, err := object.Decode(n)
	if err != nil {
		line(": " + err.Error())
		return
	}
	fields := d.Fields()
	switch n.Type {
	case node.TEXT:
		line(fmt.Sprintf(" %q", node.Display(n.Text())))
		return
	case node.XREF:
		if x, ok := n.Xref(); ok {
			line(fmt.Sprintf(" to %s %q", x.Type.Name(), node.Display(x.Name)))
			return
		}
	}
	v := d.Version
	switch {
	case v.IsExt:
		line(fmt.Sprintf(" version %d, Extended %d", v.Standard, v.Extended))
	case len(fields) > 0:
		line(fmt.Sprintf(" version %d", v.Standard))
	default:
		line("")
	}
	for _, f := range fields {
		text := plain(node.Display(f.Text))
		if f.Unit != "" {
			text += " " + f.Unit
		}
		if offsets && f.Offset+f.Size <= len(n.Body) {
			text += fmt.Sprintf("  (+0x%X: % x)", f.Offset, n.Body[f.Offset:f.Offset+f.Size])
		}
		fmt.Fprintf(w, "%s  %-22s %s\n", indent, f.Name, text)
	}
}

// plain quotes a text with control characters, so that it cannot control a terminal.
func plain(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsGraphic(r) || r == utf8.RuneError }) {
		return strconv.Quote(text)
	}
	return text
}

// Coverage implements archive.Dumper: for each type of node, how many bytes of the bodies
// are known fields and pixels.
func (a *Archive) Coverage() (*archive.Coverage, error) {
	c := &archive.Coverage{}
	byType := map[node.Type]*archive.CoveredPart{}
	var order []node.Type
	a.File.Root.Walk(func(n *node.Node, _ int) bool {
		p := byType[n.Type]
		if p == nil {
			p = &archive.CoveredPart{Name: n.Type.String(), Class: n.Type.Name()}
			byType[n.Type] = p
			order = append(order, n.Type)
		}
		p.Count++
		p.Bytes += int64(len(n.Body))
		p.Decoded += understood(n)
		return true
	})
	for _, t := range order {
		c.Parts = append(c.Parts, *byType[t])
		c.Bytes += byType[t].Bytes
		c.Decoded += byType[t].Decoded
	}
	return c, nil
}

// understood counts the bytes of a body with a known meaning.
func understood(n *node.Node) int64 {
	if n.Type == node.IMG {
		if _, err := img.Parse(n.Body, n.BodyOffset()); err != nil {
			return 0
		}
		return int64(len(n.Body))
	}
	d, err := object.Decode(n)
	if err != nil {
		return 0
	}
	if d.Opaque() {
		return 0
	}
	return int64(len(n.Body) - len(d.Rest))
}

// DiffValues implements archive.Differ: it compares objects, fields and pixels.
func (a *Archive) DiffValues(other archive.Archive) ([]archive.ValueChange, bool, error) {
	b, ok := other.(*Archive)
	if !ok {
		return nil, false, nil
	}
	var changes []archive.ValueChange
	for _, d := range Diff(a.File.Root.Children, b.File.Root.Children) {
		changes = append(changes, d.changes()...)
	}
	return changes, true, nil
}

// changes lists the changed values.
func (d Difference) changes() (list []archive.ValueChange) {
	switch d.Kind {
	case archive.Added:
		return []archive.ValueChange{{Kind: d.Kind, Path: d.Object, New: "an object"}}
	case archive.Removed:
		return []archive.ValueChange{{Kind: d.Kind, Path: d.Object, Old: "an object"}}
	}
	for _, f := range d.Fields {
		path := d.Object
		if _, below, ok := strings.Cut(f.Node, "/"); ok {
			path += "/" + below
		}
		list = append(list, archive.ValueChange{Kind: archive.Changed, Path: path + "/" + f.Field, Old: f.Old, New: f.New})
	}
	for _, m := range d.Images {
		c := archive.ValueChange{Kind: archive.Changed, Path: d.Object + "/" + imageDir + m.Key}
		switch m.Note {
		case "added":
			c.Kind, c.New = archive.Added, "an image"
		case "removed":
			c.Kind, c.Old = archive.Removed, "an image"
		case "":
			c.Old, c.New = "an image", fmt.Sprintf("differs in %d pixels", m.Pixels)
		default:
			c.Old, c.New = "an image", fmt.Sprintf("differs in %d pixels; %s", m.Pixels, m.Note)
		}
		list = append(list, c)
	}
	return list
}
