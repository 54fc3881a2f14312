package makeobj

import (
	"bufio"
	"fmt"
	"strings"

	"pakbox/simutrans/node"
)

// list prints the objects of a file.
func (f *Front) list(w *bufio.Writer, path string, file *node.File) error {
	fmt.Fprintf(w, "Contents of file %s (pak version %d):\n", path, file.Code)
	w.WriteString("type              name                            nodes  size\n")
	w.WriteString("----------------  ------------------------------  -----  ----------\n")
	for _, o := range file.Root.Children {
		name := ""
		// makeobj shows no name where another node stands before it.
		if first := o.Child(0); first != nil {
			name = first.Text()
		}
		size := o.BodyBytes() - int64(len(o.Body))
		fmt.Fprintf(w, "%-16s  %-30s  %5d  %10d\n", o.Type.Name(), name, len(o.Children), size)
	}
	return nil
}

// dump prints the nodes of a file.
func (f *Front) dump(w *bufio.Writer, path string, file *node.File) error {
	fmt.Fprintf(w, "File %s (version %d):\n", path, file.Code)
	dumpNode(w, file.Root, 0, 0)
	return nil
}

const indents = "                                                                "

func dumpNode(w *bufio.Writer, n *node.Node, index, depth int) {
	w.WriteString(indents[:min(3*(depth+1), len(indents))])
	fmt.Fprintf(w, "%03d %4s-node (%s) %5d bytes", index, letters(n.Type), n.Type.Name(), len(n.Body))
	switch n.Type {
	case node.TEXT:
		w.WriteString(" '" + n.Text() + "'")
	case node.XREF:
		if x, ok := n.Xref(); ok {
			need := "optional"
			if x.Fatal {
				need = "required"
			}
			fmt.Fprintf(w, " -> %4s-node (%s) '%s'", letters(x.Type), need, x.Name)
		}
	}
	w.WriteByte('\n')
	for i, c := range n.Children {
		dumpNode(w, c, i, depth+1)
	}
}

// letters are a type's four letters without the NULs that fill it up.
func letters(t node.Type) string { return strings.TrimRight(t.String(), "\x00") }
