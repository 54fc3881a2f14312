package object_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

var update = flag.Bool("update", false, "write testdata anew")

// The objects of small sources: every field, the nodes below, and the problems
// for the author. A line of the file that begins with > has the target and the source;
// makeobj's own output is compared elsewhere.
func TestWritten(t *testing.T) {
	const file = "testdata/written.txt"
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, part := range strings.Split("\n"+string(want), "\n> ")[1:] {
		line, before, _ := strings.Cut(part, "\n")
		target, text, _ := strings.Cut(line, " ")
		made := source(t, target, strings.ReplaceAll(text, "; ", "\n")+"\n")
		var got strings.Builder
		for _, o := range made.Objects {
			if o.Node == nil {
				continue
			}
			d, err := object.Decode(o.Node)
			if err != nil {
				t.Errorf("%s: %v", line, err)
				continue
			}
			for _, f := range d.Fields() {
				fmt.Fprintf(&got, "%s=%s ", f.Name, f.Text)
			}
			got.WriteString("\n" + shape(o.Node) + "\n")
		}
		for _, p := range made.Problems {
			got.WriteString(strings.TrimPrefix(p.String(), "x.dat:") + "\n")
		}
		if strings.TrimRight(before, "\n") != strings.TrimRight(got.String(), "\n") && !*update {
			t.Errorf("> %s\n%swant\n%s", line, got.String(), before)
		}
		all.WriteString("> " + line + "\n" + strings.TrimRight(got.String(), "\n") + "\n")
	}
	if *update {
		if err := os.WriteFile(file, []byte(all.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// shape names the nodes below a node, with the texts of those that are text.
func shape(n *node.Node) string {
	text := n.Type.String()
	if n.Type == node.TEXT {
		return fmt.Sprintf("%q", strings.TrimRight(string(n.Body), "\x00"))
	}
	var children []string
	for _, c := range n.Children {
		children = append(children, shape(c))
	}
	if len(children) > 0 {
		text += "(" + strings.Join(children, " ") + ")"
	}
	return text
}
