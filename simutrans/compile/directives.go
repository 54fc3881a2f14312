package compile

import (
	"fmt"
	"strconv"
	"strings"

	"pakbox/fault"
	"pakbox/simutrans/dat"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
	"pakbox/simutrans/pin"
)

// directives are the lines of a source that only pakbox reads. Decompiled sources use
// them for what the language cannot express:
//
//	#pakbox BUIL=9 FACT=4                     versions of nodes, see object.Target
//	#pakbox file 1001 "Simutrans object …"    the head of the file, see fileHead
//	#pakbox node 000.VHCL/006.XREF name=none  a value, see package pin
type directives struct {
	pins []pinned
	// carried states that pins contain the whole object, node by node. Only its name and
	// its images come from keys of the source.
	carried bool
}

type pinned struct {
	pin.Pin
	line dat.Entry
}

// directives reads the directives of an object, and applies those that are not about
// single nodes.
func (b *build) directives(o *dat.Object) (d directives) {
	t, _ := node.ObjType(o.Get("obj"))
	for _, line := range o.Directives() {
		p, isPin, err := pin.Parse(line.Value)
		switch {
		case err != nil:
		case isPin:
			d.pins = append(d.pins, pinned{p, line})
			d.carried = d.carried || p.Carries(t)
		case strings.HasPrefix(line.Value, fileWord+" "):
			b.head, err = parseFileHead(line.Value)
		default:
			b.target, err = b.target.With(line.Value)
		}
		if err != nil {
			o.FailAt(line, "%v", err)
		}
	}
	return d
}

// pin applies the directives about single nodes.
func (b *build) pin(n *node.Node, d directives) {
	t := n.Type
	for _, p := range d.pins {
		if err := p.Apply(n, b.imageNode); err != nil {
			b.FailAt(p.line, "%v", err)
			return
		}
	}
	if n.Type != t {
		b.Fail("obj", "", "the object is pinned as a %s", n.Type)
	}
	if !d.carried {
		return
	}
	// The name and the copyright may have been changed in the source.
	if name := b.Get("name"); name != n.Name() {
		n.SetName(name)
	}
	if copyright := b.Get("copyright"); copyright != n.Copyright() {
		n.SetCopyright(copyright)
	}
}

// fileWord is the first word of a directive about the head of the file.
const fileWord = "file"

// fileHead has the version code and the banner, which come before the nodes of a file.
// The zero value is what makeobj writes today.
type fileHead struct {
	code   uint32
	banner string
}

func parseFileHead(directive string) (h fileHead, err error) {
	number, quoted, _ := strings.Cut(strings.TrimPrefix(directive, fileWord+" "), " ")
	code, codeErr := strconv.ParseUint(number, 10, 32)
	banner, bannerErr := strconv.Unquote(quoted)
	if codeErr != nil || bannerErr != nil || code < node.Code1001 || code > node.Code1003 || strings.Contains(banner, "\x1a") {
		return h, fault.New(fault.BadEntry, "the head of a file is a code of %d to %d and a text", node.Code1001, node.Code1003)
	}
	return fileHead{uint32(code), banner}, nil
}

// FileDirective returns the directive that gives the compiled file the same head as f, ""
// if the target writes this head anyway.
func FileDirective(f *node.File, target object.Target) string {
	if f.Code == node.Code1003 && string(f.Banner) == target.Banner() {
		return ""
	}
	return fmt.Sprintf("%s %d %s", fileWord, f.Code, strconv.Quote(string(f.Banner)))
}

// file returns a file with this head and the given objects.
func (h fileHead) file(objects ...*node.Node) *node.File {
	f := node.New(objects...)
	if h != (fileHead{}) {
		f.Code, f.Banner = h.code, []byte(h.banner)
	}
	return f
}
