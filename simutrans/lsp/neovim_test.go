package lsp_test

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/internal/testkit/peer"
	"pakbox/simutrans/lsp"
)

// TestMain lets an editor start this test as the server.
func TestMain(m *testing.M) {
	if os.Getenv("SERVE_LSP") != "" {
		if err := lsp.Serve(context.Background(), os.Stdin, os.Stdout, lsp.Options{}); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// editing is what Neovim does: it opens a source, waits for the findings, asks,
// renames, formats and writes the files.
const editing = `
local server, folder = os.getenv('SERVER'), os.getenv('FOLDER')
local out = {}
local function say(...) table.insert(out, table.concat({...}, ' ')) end
vim.cmd('edit ' .. folder .. '/truck.dat')
local client = vim.lsp.start_client({ name = 'pakbox', cmd = { server }, cmd_env = { SERVE_LSP = '1' }, root_dir = folder })
vim.lsp.buf_attach_client(0, client)
vim.wait(5000, function() return #vim.diagnostic.get(0) > 0 end)
for _, d in ipairs(vim.diagnostic.get(0)) do say('finding', d.lnum, d.source, d.message) end
local function ask(method, line, character, more)
  local params = { textDocument = vim.lsp.util.make_text_document_params(), position = { line = line, character = character } }
  for k, v in pairs(more or {}) do params[k] = v end
  local answers = vim.lsp.buf_request_sync(0, method, params, 5000)
  return answers[client].result
end
for _, item in ipairs(ask('textDocument/completion', 3, 0)) do
  if item.label == 'power' then say('completion', item.label, item.documentation.value) end
end
say('hover', ask('textDocument/hover', 3, 2).contents.value)
say('definition', ask('textDocument/definition', 5, 22)[1].uri)
vim.lsp.util.apply_workspace_edit(ask('textDocument/rename', 1, 6, { newName = 'Lorry' }), 'utf-16')
vim.lsp.util.apply_text_edits(ask('textDocument/formatting', 0, 0), 0, 'utf-16')
vim.cmd('wall')
vim.fn.writefile(out, folder .. '/said')
vim.cmd('qall!')
`

// TestNeovim is the server under a real client.
func TestNeovim(t *testing.T) {
	nvim := peer.Program(t, "nvim", "neovim")
	c := start(t, map[string]string{"truck.dat": strings.Replace(truck, "speed=80", "Speed = 80\nwieght=3", 1), "more/trailer.dat": trailer, "edit.lua": editing})
	cmd := exec.Command(nvim, "--headless", "-u", "NONE", "-i", "NONE", "-c", "luafile "+filepath.Join(c.dir, "edit.lua"))
	cmd.Env = append(os.Environ(), "SERVER="+os.Args[0], "FOLDER="+c.dir, "XDG_STATE_HOME="+t.TempDir(), "XDG_CACHE_HOME="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(c.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	messages := read("said")
	for _, want := range []string{
		"finding 4 pakbox wieght: nothing reads this key (did you mean weight?)",
		"completion power The power of the engine; 0 for a vehicle without one.",
		"The highest speed.", "definition " + c.uri("more/trailer.dat"),
	} {
		if !strings.Contains(messages, want) {
			t.Errorf("no %q in\n%s", want, messages)
		}
	}
	if got := read("truck.dat"); !strings.Contains(got, "name=Lorry\nwaytype=road\nspeed=80\n") {
		t.Errorf("the source is\n%s", got)
	}
	if got := read("more/trailer.dat"); !strings.Contains(got, "constraint[prev][0]=Lorry\n") {
		t.Errorf("the other source is\n%s", got)
	}
}

// FuzzServe: no message makes the server panic.
func FuzzServe(f *testing.F) {
	f.Add("textDocument/completion", truck, 3, 2)
	f.Add("textDocument/hover", "obj=\xff\nname=é<\n-", 1, 7)
	f.Add("textDocument/rename", "obj=way\nname=a\nimage[-]=s.0.0", 2, 3)
	f.Fuzz(func(t *testing.T, method, text string, line, character int) {
		var in strings.Builder
		for _, m := range []map[string]any{
			{"method": "textDocument/didOpen", "params": map[string]any{"textDocument": map[string]any{"uri": "file:///none/a.dat", "text": text}}},
			{"id": 1, "method": method, "params": map[string]any{"textDocument": map[string]any{"uri": "file:///none/a.dat"}, "position": map[string]any{"line": line, "character": character}, "newName": "b"}},
		} {
			frame(t, &in, m)
		}
		if err := lsp.Serve(context.Background(), strings.NewReader(in.String()), io.Discard, lsp.Options{}); err != nil {
			t.Fatal(err)
		}
	})
}
