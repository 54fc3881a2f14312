package lsp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/simutrans/lsp"
)

// client speaks the protocol to a server, over pipes as an editor does.
type client struct {
	t    *testing.T
	in   io.WriteCloser
	out  *bufio.Reader
	dir  string
	next int
	done chan error
}

// start serves a folder with sources and a picture s.png of 8 cells.
func start(t *testing.T, files map[string]string) *client {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(dir, name), []byte(text))
	}
	m := image.NewNRGBA(image.Rect(0, 0, 512, 64))
	for i := range m.Pix {
		m.Pix[i] = byte(i*7) | 1
	}
	m.Set(0, 0, color.NRGBA{255, 0, 0, 255})
	f, err := os.Create(filepath.Join(dir, "s.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, m); err != nil {
		t.Fatal(err)
	}
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	c := &client{t: t, in: toServer, out: bufio.NewReader(fromServer), dir: dir, done: make(chan error, 1)}
	go func() {
		c.done <- lsp.Serve(context.Background(), in, out, lsp.Options{})
		out.Close()
	}()
	var result struct {
		Capabilities map[string]any
	}
	c.request("initialize", map[string]any{"rootUri": c.uri("")}, &result)
	if result.Capabilities["hoverProvider"] != true {
		t.Fatalf(`result = %v; want result.Capabilities["hoverProvider"] = true`, result)
	}
	c.notify("initialized", map[string]any{})
	t.Cleanup(func() {
		c.request("shutdown", nil, nil)
		c.notify("exit", nil)
		if err := <-c.done; err != nil {
			t.Error(err)
		}
	})
	return c
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func (c *client) uri(name string) string {
	return "file://" + filepath.ToSlash(filepath.Join(c.dir, name))
}

func (c *client) send(v map[string]any) { frame(c.t, c.in, v) }

// frame writes a message with its header.
func frame(t testing.TB, w io.Writer, v map[string]any) {
	t.Helper()
	v["jsonrpc"] = "2.0"
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintf(w, "Content-Length: %d\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n%s", len(data), data); err != nil {
		t.Fatal(err)
	}
}

func (c *client) notify(method string, params any) {
	c.t.Helper()
	c.send(map[string]any{"method": method, "params": params})
}

// receive reads the next message of the server.
func (c *client) receive() (m struct {
	ID     *int
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
}) {
	c.t.Helper()
	var length int
	if _, err := fmt.Fscanf(c.out, "Content-Length: %d\r\n\r\n", &length); err != nil {
		c.t.Fatal(err)
	}
	data := make([]byte, length)
	if _, err := io.ReadFull(c.out, data); err != nil {
		c.t.Fatal(err)
	}
	if err := json.Unmarshal(data, &m); err != nil {
		c.t.Fatal(err)
	}
	return m
}

// request asks and waits for the answer, whose error it returns.
func (c *client) request(method string, params, result any) string {
	c.t.Helper()
	c.next++
	c.send(map[string]any{"id": c.next, "method": method, "params": params})
	for {
		m := c.receive()
		if m.ID == nil || *m.ID != c.next {
			continue // findings about a document
		}
		if m.Error != nil {
			return m.Error.Message
		}
		if result != nil {
			if err := json.Unmarshal(m.Result, result); err != nil {
				c.t.Fatalf("%s: %v in %s", method, err, m.Result)
			}
		}
		return ""
	}
}

// open opens a document, and returns the findings about it.
func (c *client) open(name, text string) []string {
	c.t.Helper()
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": c.uri(name), "languageId": "simutrans", "version": 1, "text": text}})
	return c.findings()
}

func (c *client) findings() (list []string) {
	c.t.Helper()
	for {
		m := c.receive()
		if m.Method != "textDocument/publishDiagnostics" {
			continue
		}
		var params struct {
			Diagnostics []struct {
				Range    struct{ Start, End struct{ Line, Character int } }
				Severity int
				Code     string
				Message  string
			}
		}
		if err := json.Unmarshal(m.Params, &params); err != nil {
			c.t.Fatal(err)
		}
		for _, d := range params.Diagnostics {
			list = append(list, fmt.Sprintf("%d:%d-%d %d %s %s", d.Range.Start.Line, d.Range.Start.Character, d.Range.End.Character, d.Severity, d.Code, d.Message))
		}
		return list
	}
}

func (c *client) at(name string, line, character int) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": c.uri(name)}, "position": map[string]any{"line": line, "character": character}}
}

const (
	truck   = "obj=vehicle\nname=Truck\nwaytype=road\nspeed=80\nfreight=Coal\nconstraint[next][0]=Trailer\nemptyimage[s,w,sw,se]=s.0.<$0>\n"
	trailer = "obj=vehicle\nname=Trailer\nwaytype=road\nconstraint[prev][0]=Truck\nconstraint[prev][1]=none\nemptyimage[s,w,sw,se]=s.0.<$0>\n---\nobj=good\nname=Coal\n"
)

func TestFindingsFollowTheText(t *testing.T) {
	c := start(t, map[string]string{"truck.dat": truck})
	if got := c.open("truck.dat", truck); len(got) != 0 {
		t.Errorf("got = %q; want empty got", got)
	}
	c.notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": c.uri("truck.dat"), "version": 2},
		"contentChanges": []any{map[string]any{"text": strings.Replace(truck, "speed=80", " speed=80\r\nwieght=3 😀\r\nwaytipe=raod", 1)}},
	})
	want := []string{
		"3:0-9 2 syntax speed: the line begins with a blank, so it is a comment and sets nothing (begin it with the key, or with #)",
		"4:0-11 2 unused_key wieght: nothing reads this key (did you mean weight?)",
		"5:0-12 2 unused_key waytipe: nothing reads this key",
	}
	if got := c.findings(); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	c.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": c.uri("truck.dat")}})
	if got := c.findings(); len(got) != 0 {
		t.Errorf("after closing: %q", got)
	}
}

func TestCompletion(t *testing.T) {
	c := start(t, map[string]string{"truck.dat": truck, "more/trailer.dat": trailer})
	c.open("new.dat", "obj=vehicle\nname=x\nwayt\nwaytype=\nfreight=\nconstraint[prev][0]=T\nemptyimage[s]=\n---\nobj=tree\nclimates=tundra,\nobj=")
	type item struct {
		Label, Detail string
		Documentation struct{ Value string }
		TextEdit      struct {
			NewText string
			Range   struct{ Start, End struct{ Line, Character int } }
		}
	}
	for _, test := range []struct {
		line, character int
		want            string // label, start and end of the edit
		about           string
		others          []string
	}{
		{2, 4, "payload 0-4", "0 to 65535 How much it carries.", []string{"power", "speed", "emptyimage[s,w,sw,se,n,e,ne,nw]"}},
		{3, 8, "tram_track 8-8", "", []string{"road", "water"}},
		{4, 8, "Coal 8-8", "", []string{"None"}},
		{5, 21, "Trailer 20-21", "", []string{"Truck", "none"}},
		{6, 14, "s.0.0 14-14", "", nil},
		{9, 16, "arctic 16-16", "", []string{"desert"}},
		{10, 4, "bridge 4-4", " A bridge of one way type, with its ramps and pillars.", []string{"vehicle"}},
	} {
		var items []item
		c.request("textDocument/completion", c.at("new.dat", test.line, test.character), &items)
		labels := map[string]item{}
		for _, i := range items {
			labels[i.Label] = i
		}
		label, _, _ := strings.Cut(test.want, " ")
		i := labels[label]
		got := fmt.Sprintf("%s %d-%d", i.Label, i.TextEdit.Range.Start.Character, i.TextEdit.Range.End.Character)
		if got != test.want || test.about != "" && i.Detail+" "+i.Documentation.Value != test.about {
			t.Errorf("%d:%d: %q, %q %q of %d", test.line, test.character, got, i.Detail, i.Documentation.Value, len(items))
		}
		for _, other := range test.others {
			if labels[other].Label == "" {
				t.Errorf("%d:%d: no %s", test.line, test.character, other)
			}
		}
	}
	// A key that is set is not offered again.
	var items []item
	c.request("textDocument/completion", c.at("new.dat", 2, 2), &items)
	if slices.ContainsFunc(items, func(i item) bool { return i.Label == "name" }) {
		t.Error("name is offered twice")
	}
}

func TestHover(t *testing.T) {
	c := start(t, map[string]string{"truck.dat": truck, "trailer.dat": trailer})
	c.open("truck.dat", truck)
	for _, test := range []struct {
		line, character int
		want            string
	}{
		{3, 2, "**speed** 0 to 65535, km/h\n\nThe highest speed."},
		{2, 9, "**waytype** \n\nThe way that it runs on.\n\nair, decoration,"},
		{5, 25, "vehicle Trailer: trailer.dat:2"},
		{4, 10, "good Coal: trailer.dat:9"},
		{6, 25, "![image](data:image/png;base64,iVBOR"},
		{0, 6, "A vehicle: a car, a wagon, a ship or an aircraft."},
	} {
		var got struct{ Contents struct{ Value string } }
		c.request("textDocument/hover", c.at("truck.dat", test.line, test.character), &got)
		if !strings.Contains(got.Contents.Value, test.want) {
			t.Errorf("%d:%d: %.300q, want %q", test.line, test.character, got.Contents.Value, test.want)
		}
	}
}

func TestDefinitionReferencesAndRename(t *testing.T) {
	c := start(t, map[string]string{"truck.dat": truck, "more/trailer.dat": trailer})
	c.open("truck.dat", truck)
	var places []struct {
		URI   string
		Range struct{ Start struct{ Line, Character int } }
	}
	c.request("textDocument/definition", c.at("truck.dat", 5, 22), &places)
	if len(places) != 1 || places[0].URI != c.uri("more/trailer.dat") || places[0].Range.Start.Line != 1 || places[0].Range.Start.Character != 5 {
		t.Errorf(`places = %+v; want places of length 1, places[0].URI = c.uri("more/trailer.dat"), places[0].Range.Start.Line = 1, places[0].Range.Start.Character = 5`, places)
	}
	c.request("textDocument/definition", c.at("truck.dat", 6, 25), &places)
	if len(places) != 1 || places[0].URI != c.uri("s.png") {
		t.Errorf(`places = %+v; want places of length 1, places[0].URI = c.uri("s.png")`, places)
	}
	c.request("textDocument/references", c.at("truck.dat", 1, 6), &places)
	if len(places) != 2 {
		t.Errorf("places = %+v; want places of length 2", places)
	}
	rename := c.at("truck.dat", 1, 6)
	rename["newName"] = "Lorry"
	var edit struct {
		Changes map[string][]struct {
			NewText string
			Range   struct{ Start, End struct{ Line, Character int } }
		}
	}
	c.request("textDocument/rename", rename, &edit)
	a, b := edit.Changes[c.uri("truck.dat")], edit.Changes[c.uri("more/trailer.dat")]
	if len(a) != 1 || len(b) != 1 || b[0].Range.Start.Line != 3 || b[0].Range.Start.Character != 20 || b[0].Range.End.Character != 25 || b[0].NewText != "Lorry" {
		t.Errorf(`edit = %+v; want a of length 1, b of length 1, b[0].Range.Start.Line = 3, b[0].Range.Start.Character = 20, b[0].Range.End.Character = 25, b[0].NewText = "Lorry"`, edit)
	}
	if message := c.request("textDocument/prepareRename", c.at("truck.dat", 3, 7), nil); message == "" {
		t.Error("a speed can be renamed")
	}
	rename["newName"] = "a\nb"
	if message := c.request("textDocument/rename", rename, nil); message == "" {
		t.Error("a name with two lines")
	}
}

func TestFormatting(t *testing.T) {
	c := start(t, nil)
	c.open("a.dat", "Obj=good\nNAME =x\n\n\n\nValue = 3 ")
	var edits []struct {
		NewText string
		Range   struct{ End struct{ Line, Character int } }
	}
	c.request("textDocument/formatting", map[string]any{"textDocument": map[string]any{"uri": c.uri("a.dat")}}, &edits)
	if len(edits) != 1 || edits[0].NewText != "obj=good\nname=x\n\nvalue=3\n" || edits[0].Range.End.Line != 5 || edits[0].Range.End.Character != 10 {
		t.Errorf("edits = %+v; want edits of length 1, edits[0].NewText = \"obj=good\\nname=x\\n\\nvalue=3\\n\", edits[0].Range.End.Line = 5, edits[0].Range.End.Character = 10", edits)
	}
}

// TestFilesThatChange: another program writes sources.
func TestFilesThatChange(t *testing.T) {
	c := start(t, map[string]string{"truck.dat": truck})
	c.open("truck.dat", truck)
	write(t, filepath.Join(c.dir, "trailer.dat"), []byte(trailer))
	c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": c.uri("trailer.dat"), "type": 1}}})
	var places []any
	c.request("textDocument/definition", c.at("truck.dat", 5, 22), &places)
	if len(places) != 1 {
		t.Errorf("places = %v; want places of length 1", places)
	}
}

func TestWrongRequests(t *testing.T) {
	c := start(t, nil)
	for _, test := range []struct {
		method string
		params any
		want   string
	}{
		{"textDocument/hover", c.at("closed.dat", 0, 0), "the document is not open"},
		{"textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": "untitled:1"}}, "the document is not a file"},
		{"textDocument/fold", c.at("closed.dat", 0, 0), "unknown method textDocument/fold"},
		{"textDocument/hover", []int{1}, "json: cannot unmarshal"},
		{"initialize", map[string]any{"initializationOptions": map[string]any{"target": "59"}}, `unknown target "59"`},
	} {
		if got := c.request(test.method, test.params, nil); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %q, want %q", test.method, got, test.want)
		}
	}
	c.open("a.dat", "obj=good\nname=x\n")
	for _, p := range [][2]int{{-1, 0}, {99, 99}, {0, -5}, {1, 1000}} {
		for _, method := range []string{"completion", "hover", "definition", "rename"} {
			c.request("textDocument/"+method, c.at("a.dat", p[0], p[1]), nil)
		}
	}
}

// TestStreamsThatAreNoProtocol end the server with an error, or in peace.
func TestStreamsThatAreNoProtocol(t *testing.T) {
	for stream, ends := range map[string]bool{
		"": true, "Content-Length: 5\r\n\r\nhello": true, "Content-Length: x\r\n\r\n": false, "Content-Length: 99999999999\r\n\r\n": false,
		"Content-Length: -1\r\n\r\n": false, "Content-Length: 50\r\n\r\n{}": false, "hello\r\n\r\n": false, "Content-Length: 2\r\n\r\n{}": true,
	} {
		if err := lsp.Serve(context.Background(), strings.NewReader(stream), io.Discard, lsp.Options{}); (err == nil) != ends {
			t.Errorf("%q: err = %v; want success = %v", stream, err, ends)
		}
	}
}
