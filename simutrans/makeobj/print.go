package makeobj

import (
	"fmt"
	"strconv"

	"pakbox/simutrans/node"
)

// list prints the objects of a file.
func list(out []byte, path string, file *node.File) ([]byte, error) {
	out = fmt.Appendf(out, "Contents of file %s (pak version %d):\n", path, file.Code)
	out = append(out, "type              name                            nodes  size\n"...)
	out = append(out, "----------------  ------------------------------  -----  ----------\n"...)
	for _, o := range file.Root.Children {
		name := ""
		// makeobj shows no name if another node comes before it.
		if first := o.Child(0); first != nil {
			name = first.Text()
		}
		size := o.BodyBytes() - int64(len(o.Body))
		out = fmt.Appendf(out, "%-16s  %-30s  %5d  %10d\n", o.Type.Name(), name, len(o.Children), size)
	}
	return out, nil
}

// dump prints the nodes of a file.
func dump(out []byte, path string, file *node.File) ([]byte, error) {
	out = fmt.Appendf(out, "File %s (version %d):\n", path, file.Code)
	return dumpNode(out, file.Root, 0, 0), nil
}

// dumpNode uses no format strings, because a pakset has half a million nodes.
func dumpNode(out []byte, n *node.Node, index, depth int) []byte {
	for range 3 * (depth + 1) {
		out = append(out, ' ')
	}
	out = padded(out, strconv.Itoa(index), 3, '0')
	out = append(out, ' ')
	out = padded(out, n.Type.String(), 4, ' ')
	out = append(out, "-node ("...)
	out = append(out, n.Type.Name()...)
	out = append(out, ") "...)
	out = padded(out, strconv.Itoa(len(n.Body)), 5, ' ')
	out = append(out, " bytes"...)
	switch n.Type {
	case node.TEXT:
		out = append(append(append(out, " '"...), n.Text()...), '\'')
	case node.XREF:
		if x, ok := n.Xref(); ok {
			need := "optional"
			if x.Fatal {
				need = "required"
			}
			out = fmt.Appendf(out, " -> %4s-node (%s) '%s'", x.Type, need, x.Name)
		}
	}
	out = append(out, '\n')
	for i, c := range n.Children {
		out = dumpNode(out, c, i, depth+1)
	}
	return out
}

// padded appends a word, filled on the left up to a width.
func padded(out []byte, word string, width int, fill byte) []byte {
	for range width - len(word) {
		out = append(out, fill)
	}
	return append(out, word...)
}
