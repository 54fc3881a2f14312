package lsp

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// Columns count UTF-16 units: é is one of two bytes, 😀 is two of four.
func TestColumns(t *testing.T) {
	const line = "aé😀b"
	for bytes, units := range map[int]int{0: 0, 1: 1, 3: 2, 7: 4, 8: 5, 20: 5} {
		if got := column(line, bytes); got != units {
			t.Errorf("column of byte %d: %d, want %d", bytes, got, units)
		}
		if got := offset(line, units); got != min(bytes, len(line)) {
			t.Errorf("byte of column %d: %d, want %d", units, got, bytes)
		}
	}
	if offset(line, -1) != 0 || offset(line, 99) != len(line) || column("\xff", 1) != 1 || valid("a\xffb") != "a\ufffdb" {
		t.Error("ends of lines and wrong bytes")
	}
	if got := fmt.Sprint(span(3, line, 1, 7)); got != fmt.Sprint(textRange{position{3, 1}, position{3, 4}}) {
		t.Errorf("got = %v; want fmt.Sprint(textRange{position{3, 1}, position{3, 4}})", got)
	}
	for path, uri := range map[string]string{"/a b/ü.dat": "file:///a%20b/%C3%BC.dat", "/x#y.dat": "file:///x%23y.dat"} {
		if uriOf(path) != uri || pathOf(uri) != filepath.FromSlash(path) {
			t.Errorf("uriOf(path) = %s, pathOf(uri) = %s; want uriOf(path) = %s, pathOf(uri) = filepath.FromSlash(path)", uriOf(path), pathOf(uri), uri)
		}
	}
	if uriOf("c:/a") != "file:///c:/a" || pathOf("http://a/b") != "" || pathOf("file://%zz") != "" || pathOf("untitled:a") != "" {
		t.Error("other URIs")
	}
}

// A message has a length that is sensible, and is JSON. The case of its header does not
// matter, nor do other headers.
func TestRead(t *testing.T) {
	read := func(text string) (message, error) {
		return (&conn{in: bufio.NewReader(strings.NewReader(text))}).read()
	}
	for text, want := range map[string]string{"Content-Length: 14\r\n\r\n{\"method\":\"a\"}": "a", "X: y\ncontent-length:14\n\n{\"method\":\"b\"}more": "b"} {
		if m, err := read(text); err != nil || m.Method != want {
			t.Errorf("%q: m = %+v, err = %v; want no error, m.Method = %v", text, m, err, want)
		}
	}
	for text, want := range map[string]string{
		"": "EOF", "Content-Length: 14\r\n\r\n{}": "unexpected EOF", "\r\n{}": "Content-Length is missing or negative", "Content-Length: -5\r\n\r\n": "Content-Length is missing or negative",
		fmt.Sprintf("Content-Length: %d\r\n\r\n", maxMessage+1): fmt.Sprintf("message length %d exceeds", maxMessage+1), "Content-Length: x\r\n\r\n": "invalid syntax", "Content-Length: 0\r\n\r\n": "unexpected end of JSON input",
	} {
		if _, err := read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	var parse *rpcError
	if _, err := read("Content-Length: 2\r\n\r\n[]"); !errors.As(err, &parse) || parse.Code != parseError {
		t.Errorf("no object: %v", err)
	}
	var out strings.Builder
	c := &conn{out: &out}
	if err := c.reply(json.RawMessage("7"), []int{1}, nil); err != nil {
		t.Fatal(err)
	}
	if err := c.reply(json.RawMessage("8"), nil, &rpcError{-1, "no"}); err != nil {
		t.Fatal(err)
	}
	if err := c.notify("m", nil); err != nil {
		t.Fatal(err)
	}
	want := ""
	for _, body := range []string{`{"jsonrpc":"2.0","id":7,"result":[1]}`, `{"jsonrpc":"2.0","id":8,"error":{"code":-1,"message":"no"}}`, `{"jsonrpc":"2.0","method":"m","params":null}`} {
		want += fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
	}
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	if c.write(func() {}) == nil {
		t.Error("a function was written")
	}
	c.out = closed{}
	if c.notify("m", nil) == nil {
		t.Error("a closed connection takes messages")
	}
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

const two = "obj=vehicle\r\nname=Truck\r\nfreight=Coal\n# note\n----\nobj=good\nname=Coal\n---\nspeed=3\n"

func standard(t *testing.T) object.Target {
	t.Helper()
	target, err := object.LookupTarget("60.6")
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// A line belongs to the object between the dashes; a place is in the key up to the "=".
func TestPlaces(t *testing.T) {
	target := standard(t)
	s := newSource("a.dat", two)
	for line, want := range map[int]node.Type{0: node.VHCL, 3: node.VHCL, 5: node.GOOD, 6: node.GOOD, 8: 0, 99: 0} {
		if got := s.typeAt(line); got != want {
			t.Errorf("line %d is of %v, want %v", line, got, want)
		}
	}
	if s.line(-1) != "" || s.line(99) != "" || s.line(0) != "obj=vehicle" || s.line(9) != "" || s.text() != strings.ReplaceAll(two, "\r", "") {
		t.Errorf("s.lines = %q; want s.line(-1) = \"\", s.line(99) = \"\", s.line(0) = \"obj=vehicle\", s.line(9) = \"\", s.text() = strings.ReplaceAll(two, \"\\r\", \"\")", s.lines)
	}
	if s.whole(1).End.Character != 10 || s.valueRange(1).Start.Character != 5 || s.valueRange(1).End.Character != 10 || s.valueRange(3).Start.Character != 0 {
		t.Errorf("s.whole(1) = %+v s.valueRange(1) = %+v; want s.whole(1).End.Character = 10, s.valueRange(1).Start.Character = 5, s.valueRange(1).End.Character = 10, s.valueRange(3).Start.Character = 0", s.whole(1), s.valueRange(1))
	}
	for at, inKey := range map[int]bool{0: true, 7: true, 8: false, 12: false} {
		if p := s.find(position{2, at}, target); p.inKey != inKey || p.key != "freight" || p.value != "Coal" || !p.known || p.typ != node.VHCL || p.number != 2 || p.at != at {
			t.Errorf("column %d: %+v", at, p)
		}
	}
	if p := s.find(position{3, 2}, target); !p.inKey || p.known {
		t.Errorf("a comment: %+v", p)
	}
	if list, o := s.entries(2); len(list) != 1 || o == nil || list[0].Key != "freight" {
		t.Errorf(`list = %v; want list of length 1, o other than nil, list[0].Key = "freight"`, list)
	}
	if list, o := s.entries(3); list != nil || o != nil {
		t.Errorf("a comment: %v", list)
	}
	for i, want := range map[int]string{1: "Truck", 2: "Coal", 6: "Coal"} {
		typ, name, ok := s.find(position{i, 9}, target).named()
		if !ok || name != want || typ != map[string]node.Type{"Truck": node.VHCL, "Coal": node.GOOD}[want] {
			t.Errorf("line %d names %v %s", i, typ, name)
		}
	}
	for _, line := range []string{"name=", "name=a<$0>", "speed=3"} {
		if _, name, ok := newSource("a", "obj=vehicle\n"+line).find(position{1, 9}, target).named(); ok {
			t.Errorf("%s names %s", line, name)
		}
	}
	if _, _, ok := newSource("a", "name=b").find(position{0, 5}, target).named(); ok {
		t.Error("an object without a type has a name")
	}
}

// The uses of a name are the lines that write it out, of the right type, once for a line.
// Names come from sources and from a pakset. A source that is open stays as it is.
func TestProject(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.dat"), filepath.Join(dir, "b.dat")
	for path, text := range map[string]string{a: two, b: "obj=vehicle\nname=Coal\nconstraint[next][0-1]=Truck\nfreight=Coal\n---\nobj=good\nname=Wood\n"} {
		t.Run(path, func(t *testing.T) {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		})
	}
	p := newProject()
	p.load([]string{dir, filepath.Join(dir, "none")})
	p.names[node.GOOD] = map[string]bool{"Oil": true}
	target := standard(t)
	list := func(typ node.Type, name string) (out []string) {
		for _, u := range p.uses(typ, name, target) {
			out = append(out, fmt.Sprint(filepath.Base(u.path), u.line, u.isDefining))
		}
		return out
	}
	for name, want := range map[string]string{"Coal": "[a.dat2false a.dat6true b.dat3false]", "Wood": "[b.dat6true]", "Oil": "[]"} {
		if got := strings.ReplaceAll(fmt.Sprint(list(node.GOOD, name)), " false", "false"); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if got := strings.ReplaceAll(fmt.Sprint(list(node.VHCL, "Truck")), " ", ""); got != "[a.dat1trueb.dat2false]" {
		t.Errorf("Truck: %s", got)
	}
	if got := p.objectNames(node.GOOD); !slices.Equal(got, []string{"Coal", "Oil", "Wood"}) || len(p.names[node.GOOD]) != 1 {
		t.Errorf("goods %v", got)
	}
	if got := p.objectNames(node.VHCL); !slices.Equal(got, []string{"Coal", "Truck"}) {
		t.Errorf("vehicles %v", got)
	}
	p.sources[a].isOpen = true
	for _, path := range []string{a, b} {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		p.reload(path)
	}
	if p.sources[a] == nil || p.sources[b] != nil {
		t.Errorf("%d sources", len(p.sources))
	}
	if err := os.WriteFile(b, []byte("obj=good\nname=Ore\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if p.reload(b); !slices.Equal(p.objectNames(node.GOOD), []string{"Coal", "Oil", "Ore"}) {
		t.Errorf(`p.objectNames(node.GOOD) = %v; want p.objectNames(node.GOOD) equal to []string{"Coal", "Oil", "Ore"}`, p.objectNames(node.GOOD))
	}
}

// A pakset gives the names of its objects; other files are omitted.
func TestPaksetNames(t *testing.T) {
	dir := t.TempDir()
	root := &node.Node{Type: node.ROOT, Children: []*node.Node{{Type: node.GOOD, Children: []*node.Node{node.NewText("Oil")}}, {Type: node.GOOD, Children: []*node.Node{node.NewText("Ore")}}}}
	pak, err := node.New(root.Children...).Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"a.pak": pak, "b.pak": []byte("no pak"), "c.txt": nil} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
				t.Fatal(err)
			}
		})
	}
	p := newProject()
	if p.loadPakset([]string{dir}); !slices.Equal(p.objectNames(node.GOOD), []string{"Oil", "Ore"}) {
		t.Errorf(`p.names = %v; want p.objectNames(node.GOOD) equal to []string{"Oil", "Ore"}`, p.names)
	}
}

// The line about a key lists its values.
func TestDetail(t *testing.T) {
	k := object.Key{Range: "0 to 5", Unit: "km/h", Default: "1", Refers: node.GOOD, IsImage: true}
	if got := detail(k); got != "0 to 5, km/h, default 1, name of a "+node.GOOD.Name()+", image: file.row.column" {
		t.Errorf(`got = %v; want "0 to 5, km/h, default 1, name of a " + node.GOOD.Name() + ", image: file.row.column"`, got)
	}
	if got := detail(object.Key{}); got != "" {
		t.Errorf(`got = %v; want ""`, got)
	}
}
