package mcp_test

import (
	"archive/zip"
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pakbox"
	"pakbox/archive"
	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/page"
	"pakbox/cmd/internal/talk/mcp"
)

// An assistant is a client that waits for each answer.
type assistant struct {
	t     *testing.T
	say   io.Writer
	lines *bufio.Scanner
	next  int
}

// result is the result of a tool, a list or a resource.
type result struct {
	IsError bool
	Content []struct {
		Type, Text, MIMEType string
		Data                 []byte
		Resource             struct{ URI, MIMEType, Blob string }
	}
	StructuredContent map[string]json.RawMessage
	Tools             []struct {
		Name, Description string
		InputSchema       struct {
			Properties map[string]json.RawMessage
			Required   []string
		}
		Annotations struct{ ReadOnlyHint, DestructiveHint bool }
	}
	Contents []struct{ URI, MIMEType, Text, Blob string }
}

// meet serves a folder to an assistant until the test ends.
func meet(t *testing.T, folder string, write bool) *assistant {
	t.Helper()
	files, err := page.NewFiles([]string{folder})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { files.Close() })
	keys := func() (archive.Keys, error) { return archive.Keys{}, nil }
	return talkTo(t, mcp.New("test", files, []string{filepath.Base(folder)}, pakbox.Formats(), keys, write))
}

// talkTo begins to talk to a server, until the test ends.
func talkTo(t *testing.T, s *mcp.Server) *assistant {
	t.Helper()
	in, say := io.Pipe()
	hear, out := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- s.Serve(context.Background(), in, out) }()
	t.Cleanup(func() {
		say.Close()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	lines := bufio.NewScanner(hear)
	lines.Buffer(nil, 16<<20)
	a := &assistant{t, say, lines, 1}
	a.ask("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
	io.WriteString(say, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	return a
}

// ask returns the answer to a request, or its error.
func (a *assistant) ask(method, params string) (r result, failed string) {
	a.t.Helper()
	a.next++
	fmt.Fprintf(a.say, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", a.next, method, params)
	for a.lines.Scan() {
		var l struct {
			ID     int
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		if err := json.Unmarshal(a.lines.Bytes(), &l); err != nil {
			a.t.Fatalf("%s: %v", a.lines.Text(), err)
		}
		if l.ID != a.next {
			continue
		}
		if l.Error != nil {
			return r, l.Error.Message
		}
		if err := json.Unmarshal(l.Result, &r); err != nil {
			a.t.Fatalf("%s: %v", l.Result, err)
		}
		return r, ""
	}
	a.t.Fatalf("%s has no answer", method)
	return r, ""
}

// call calls a tool and returns its text too.
func (a *assistant) call(tool, arguments string) (r result, text string) {
	a.t.Helper()
	r, failed := a.ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments))
	if failed != "" {
		return r, "failed: " + failed
	}
	for _, c := range r.Content {
		text += c.Text
	}
	return r, text
}

const samples = "../../../../samples"

// Every question is a read-only tool, and declares its parameters.
func TestTools(t *testing.T) {
	for _, write := range []bool{false, true} {
		r, _ := meet(t, samples, write).ask("tools/list", `{}`)
		tools := map[string]int{}
		for i, tool := range r.Tools {
			tools[tool.Name] = i
			if strings.Contains(tool.Name, ".") || tool.Description == "" {
				t.Errorf(`tool = %+v; want tool.Name without ".", tool.Description not empty`, tool)
			}
		}
		for _, q := range answer.Questions() {
			if q.Change {
				if _, ok := tools[mcp.ToolName(q)]; ok != write {
					t.Errorf("%s is a tool: %v, want %v", q.Name, ok, write)
				}
				continue
			}
			i, ok := tools[mcp.ToolName(q)]
			if !ok {
				t.Errorf("%s is not a tool", q.Name)
				continue
			}
			schema := r.Tools[i].InputSchema
			for _, p := range q.Parameters() {
				if _, told := schema.Properties[p.Name]; told == p.Local {
					t.Errorf("%s: parameter %s is declared: %v", q.Name, p.Name, told)
				}
			}
			if slices.Contains(schema.Required, "path") == q.NoFile || schema.Properties["path"] == nil || schema.Properties["from_row"] == nil {
				t.Errorf(`%s: schema = %+v; want slices.Contains(schema.Required, "path") other than %v, schema.Properties["path"] other than nil, schema.Properties["from_row"] other than nil`, q.Name, schema, q.NoFile)
			}
		}
		if ls := r.Tools[tools["ls"]].Description; !strings.Contains(ls, " Answers: ") || !strings.Contains(ls, "entries") {
			t.Errorf("ls: %s", ls)
		}
		for name, params := range map[string]string{"set": "values", "map_rename": "name", "map_medals_set": "author gold silver bronze", "map_meta_set": "set"} {
			i, ok := tools[name]
			if ok != write {
				t.Errorf("%s is a tool: %v", name, ok)
			}
			if !ok {
				continue
			}
			tool := r.Tools[i]
			want := append(strings.Fields(params), "path", "confirm")
			for _, p := range want {
				if tool.InputSchema.Properties[p] == nil {
					t.Errorf("%s does not declare its parameter %s", name, p)
				}
			}
			if len(tool.InputSchema.Properties) != len(want) || !slices.Contains(tool.InputSchema.Required, "path") || slices.Contains(tool.InputSchema.Required, "confirm") || !tool.Annotations.DestructiveHint || tool.Annotations.ReadOnlyHint {
				t.Errorf("%s: tool = %+v", name, tool)
			}
		}
	}
}

// Answers are texts, pictures and files; an error has its message and position.
func TestCalls(t *testing.T) {
	a := meet(t, samples, false)
	r, text := a.call("info", `{"path":"samples/hello.vpk"}`)
	if r.IsError || string(r.StructuredContent["format"]) != `"vpk42"` || !strings.Contains(text, `"schema":"pakbox.info/1"`) {
		t.Errorf("r.IsError = %v, text = %s; want r.IsError = false, r.StructuredContent[\"format\"] = `\"vpk42\"`, text with `\"schema\":\"pakbox.info/1\"`", r.IsError, text)
	}
	r, _ = a.call("map_thumbnail", `{"path":"samples/trackmania/Sample.Map.Gbx"}`)
	if r.IsError || r.Content[0].Type != "image" || r.Content[0].MIMEType != "image/jpeg" || len(r.Content[0].Data) < 100 {
		t.Errorf("the picture of a map: %+v", r)
	}
	for call, want := range map[string]string{
		`info {"path":"samples/none"}`: "not_found", `info {"path":"elsewhere/hello.vpk"}`: "not_found", `info {"path":"../secret"}`: "error", `info {}`: "error", `info {"path":7}`: "error", `info []`: "error",
		`ls {"path":"samples/hello.vpk","pattrn":"x"}`: "did you mean pattern?", `ls {"path":"samples/hello.vpk","pattern":{}}`: "neither text, number", `ls {"path":"samples/hello.vpk","max_rows":"x"}`: "error",
	} {
		tool, arguments, _ := strings.Cut(call, " ")
		if r, text := a.call(tool, arguments); !r.IsError && !strings.HasPrefix(text, "failed: ") || !strings.Contains(text, want) && want != "error" {
			t.Errorf(`%s: text = %s; want (r.IsError = true or text beginning with "failed: "), (text with %q or "error" = %v)`, call, text, want, want)
		}
	}
	if _, text := a.call("map_rename", `{"path":"samples/trackmania/Sample.Map.Gbx","name":"x"}`); !strings.HasPrefix(text, "failed: ") {
		t.Errorf("a change on a read-only server: %s", text)
	}
}

// A long list is cut, and the answer explains how to get the rest. All parts together are the
// complete list, for every size of parts.
func TestRows(t *testing.T) {
	folder := t.TempDir()
	f, err := os.Create(filepath.Join(folder, "many.zip"))
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for i := range 450 {
		if _, err := z.Create(fmt.Sprintf("file %03d", i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	a := meet(t, folder, false)
	path := filepath.Base(folder) + "/many.zip"
	ask := func(more string) (rows []json.RawMessage, cut string) {
		t.Helper()
		r, text := a.call("ls", fmt.Sprintf(`{"path":%q%s}`, path, more))
		if r.IsError || json.Unmarshal(r.StructuredContent["entries"], &rows) != nil || len(text) > 60<<10 {
			t.Fatalf(`%s: text = %.300s; want r.IsError = false, json.Unmarshal(r.StructuredContent["entries"], &rows) = nil, len(text) at most 60 << 10`, more, text)
		}
		json.Unmarshal(r.StructuredContent["cut"], &cut)
		return rows, cut
	}
	var all []string
	for from := 0; len(all) < 450; {
		rows, cut := ask(fmt.Sprintf(`,"from_row":%d`, from))
		if len(rows) == 0 || len(rows) > 200 || !strings.Contains(cut, fmt.Sprintf("entries: rows %d to %d of 450", from, from+len(rows))) {
			t.Fatalf("from %d: %d rows, %q", from, len(rows), cut)
		}
		for _, row := range rows {
			all = append(all, string(row))
		}
		if _, rest, more := strings.Cut(cut, "; the rest: from_row "); more == (len(all) == 450) {
			t.Errorf("%d rows are known: %q", len(all), cut)
		} else if more {
			from, _ = strconv.Atoi(rest)
		}
	}
	if len(all) != 450 || !slices.IsSorted(all) || len(slices.Compact(all)) != 450 {
		t.Errorf("%d rows together", len(all))
	}
	for more, want := range map[string]int{`,"max_rows":7`: 7, `,"max_rows":7,"from_row":448`: 2, `,"from_row":450`: 0, `,"from_row":9999`: 0, `,"max_rows":1`: 1, `,"from_row":-1`: -1, `,"from_row":-5,"max_rows":3`: -1} {
		if want < 0 {
			if r, text := a.call("ls", fmt.Sprintf(`{"path":%q%s}`, path, more)); !r.IsError && !strings.HasPrefix(text, "failed: ") {
				t.Errorf(`%s: text = %.100s; want r.IsError = true or text beginning with "failed: "`, more, text)
			}
			continue
		}
		if rows, _ := ask(more); len(rows) != want {
			t.Errorf("%s: %d rows, want %d", more, len(rows), want)
		}
	}
	if rows, cut := ask(`,"pattern":"file 00*"`); len(rows) != 10 || cut != "" {
		t.Errorf("short list: %d rows, %q", len(rows), cut)
	}
}

// Content is sent as text if its name has the extension of one, and as bytes otherwise.
func TestResources(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"a.txt": "hello", "b.bin": "\x00\xff", "large.bin": strings.Repeat("x", 8<<20+1), "fits.bin": strings.Repeat("x", 8<<20)} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
	a := meet(t, folder, false)
	at := "pakbox:///" + filepath.Base(folder) + "/"
	r, failed := a.ask("resources/read", fmt.Sprintf(`{"uri":%q}`, at+"a.txt"))
	if failed != "" || r.Contents[0].Text != "hello" || r.Contents[0].Blob != "" || !strings.HasPrefix(r.Contents[0].MIMEType, "text/plain") {
		t.Errorf(`r = %+v, failed = %s; want failed = "", r.Contents[0].Text = "hello", r.Contents[0].Blob = "", r.Contents[0].MIMEType beginning with "text/plain"`, r, failed)
	}
	r, failed = a.ask("resources/read", fmt.Sprintf(`{"uri":%q}`, at+"b.bin"))
	if failed != "" || r.Contents[0].Text != "" || r.Contents[0].Blob != base64.StdEncoding.EncodeToString([]byte("\x00\xff")) {
		t.Errorf("r = %+v, failed = %s; want failed = \"\", r.Contents[0].Text = \"\", r.Contents[0].Blob = base64.StdEncoding.EncodeToString([]byte(\"\\x00\\xff\"))", r, failed)
	}
	if r, failed = a.ask("resources/read", fmt.Sprintf(`{"uri":%q}`, at+"fits.bin")); failed != "" || len(r.Contents[0].Blob) < 8<<20 {
		t.Errorf("of the largest size: %s", failed)
	}
	for name, want := range map[string]string{"large.bin": "limit of 8388608 bytes", "none": "not found", "../x": ""} {
		if _, failed := a.ask("resources/read", fmt.Sprintf(`{"uri":%q}`, at+name)); failed == "" || !strings.Contains(strings.ToLower(failed), want) {
			t.Errorf(`%s: failed = %q; want failed not empty, strings.ToLower(failed) with %q`, name, failed, want)
		}
	}
}

// A change is made only after the same call has previewed it, once, and the old file stays
// beside the new one.
func TestChanges(t *testing.T) {
	folder := t.TempDir()
	data, err := os.ReadFile(filepath.Join(samples, "trackmania", "Sample.Map.Gbx"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "m.Map.Gbx")
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	a := meet(t, folder, true)
	call := func(name, more string) (bool, string) {
		r, text := a.call("map_rename", fmt.Sprintf(`{"path":%q,"name":%q%s}`, filepath.Base(folder)+"/m.Map.Gbx", name, more))
		return !r.IsError, text
	}
	same := func() bool { now, _ := os.ReadFile(file); return string(now) == string(data) }
	if ok, text := call("New", `,"confirm":true`); ok || !strings.Contains(text, "no preview yet") || !same() {
		t.Errorf("made without a preview: %s", text)
	}
	if ok, text := call("New", ""); !ok || !same() {
		t.Errorf("shown: %s", text)
	}
	if ok, _ := call("Other", `,"confirm":true`); ok || !same() {
		t.Error("a change was made without its own preview")
	}
	if ok, text := call("New", `,"confirm":true`); !ok || same() {
		t.Errorf("confirmed: %s", text)
	}
	if kept, err := os.ReadFile(file + ".bak"); err != nil || string(kept) != string(data) {
		t.Errorf("the old file is not kept: %v", err)
	}
	if ok, _ := call("New", `,"confirm":true`); ok {
		t.Error("one preview allowed two changes")
	}
	r, text := a.call("info", fmt.Sprintf(`{"path":%q}`, filepath.Base(folder)+"/m.Map.Gbx"))
	if string(r.StructuredContent["name"]) != `"New"` {
		t.Errorf("the name is %s: %.200s", r.StructuredContent["name"], text)
	}
	if ok, text := func() (bool, string) {
		r, text := a.call("map_rename", `{"path":"none/m.Map.Gbx","name":"x"}`)
		return !r.IsError, text
	}(); ok || !strings.Contains(text, `"error"`) {
		t.Errorf("without a file: %s", text)
	}
	left, _ := os.ReadDir(folder)
	if len(left) != 2 {
		t.Errorf("left = %v; want left of length 2", left)
	}
}

// Questions about a folder state its name in the conversation, never its path on the disk.
// One link that leads out of the folder must not stop a question about all its files.
func TestFolderWithLink(t *testing.T) {
	folder := t.TempDir()
	replay, err := os.ReadFile(filepath.Join(samples, "trackmania", "Sample.Replay.Gbx"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "a.Replay.Gbx"), replay, 0o666); err != nil {
		t.Fatal(err)
	}
	base := filepath.Base(folder)
	if runtime.GOOS != "windows" { // making a link needs a privilege there
		if err := os.Symlink("/etc/passwd", filepath.Join(folder, "out.Replay.Gbx")); err != nil {
			t.Fatal(err)
		}
	}
	a := meet(t, folder, false)
	r, failed := a.ask("tools/call", fmt.Sprintf(`{"name":"grep","arguments":{"path":%q,"text":"a"}}`, base))
	if text := fmt.Sprint(r, failed); !strings.Contains(text, "is a folder") || strings.Contains(text, folder) {
		t.Errorf("grep of the folder = %s, want the error that it is a folder", text)
	}
	r, failed = a.ask("tools/call", fmt.Sprintf(`{"name":"replay_board","arguments":{"path":%q}}`, base))
	if text := fmt.Sprint(r, failed); failed != "" || r.IsError || !strings.Contains(text, "a.Replay.Gbx") && !strings.Contains(text, "drivers") && !strings.Contains(text, "login") {
		t.Errorf("replay_board of the folder = %s, want the run in a.Replay.Gbx", text)
	}
}

// The preview of a change must list the files of a folder that is put into an archive.
func TestPutFolder(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(samples, "hello.vpk"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "a.vpk"), data, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "sub", "new.txt"), []byte("new"), 0o666); err != nil {
		t.Fatal(err)
	}
	base := filepath.Base(folder)
	r, failed := meet(t, folder, true).ask("tools/call", fmt.Sprintf(`{"name":"put","arguments":{"path":%q,"from":[%q]}}`, base+"/a.vpk", base+"/sub"))
	if text := fmt.Sprint(r, failed); failed != "" || !strings.Contains(text, "sub/new.txt") {
		t.Errorf("put of a folder = %s, want the file sub/new.txt", text)
	}
}
