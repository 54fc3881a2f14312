package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"pakbox/cmd/internal/answer"
	"pakbox/internal/testkit/peer"
)

// TestMCP: the official client of the Model Context Protocol lists the tools, asks
// questions, and reads a file in an archive.
func TestMCP(t *testing.T) {
	node := peer.Program(t, "node", "nodejs")
	client := peer.NPM(t, "@modelcontextprotocol/sdk@1.32.2")
	samples, err := filepath.Abs("../../samples")
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The test binary acts as pakbox if its file is called pakbox.
	program := filepath.Join(t.TempDir(), "pakbox")
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(client, "talk.mjs")
	if err := os.WriteFile(script, []byte(mcpTalk), 0o666); err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(t.TempDir(), "own")
	if err := os.CopyFS(own, os.DirFS(filepath.Join(samples, "trackmania"))); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, script, program, samples, own)
	for _, q := range answer.Questions() {
		if !q.Change {
			cmd.Args = append(cmd.Args, q.Name)
		}
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

const mcpTalk = `
import assert from "node:assert/strict"
import { readdirSync } from "node:fs"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
const [program, samples, own, ...questions] = process.argv.slice(2)
const client = new Client({ name: "test", version: "1" })
await client.connect(new StdioClientTransport({ command: program, args: ["mcp", samples] }))
assert.match(client.getInstructions(), /samples/)
const { tools } = await client.listTools()
assert.deepEqual(tools.map(t => t.name).sort(), questions.map(q => q.replaceAll(".", "_")).sort())
for (const t of tools) assert.ok(t.annotations.readOnlyHint && t.inputSchema.type === "object" && t.description.length > 10, t.name)

const map = "samples/trackmania/Sample.Map.Gbx"
const call = async (name, args) => await client.callTool({ name, arguments: args })
let r = await call("info", { path: map })
assert.equal(r.structuredContent.medals.author, 9950)
assert.equal(JSON.parse(r.content[0].text).uid, "pakbox_sample_map_000000000")

// A list is cut, and the rest can be had.
r = await call("map_blocks", { path: map, max_rows: 3 })
assert.equal(r.structuredContent.blocks.length, 3)
assert.match(r.structuredContent.cut, /blocks: rows 0 to 3 of 10; the rest: from_row 3/)
r = await call("map_blocks", { path: map, from_row: 9 })
assert.equal(r.structuredContent.blocks.length, 1)

// An error is an answer with a kind.
r = await call("info", { path: "samples/../../etc/passwd" })
assert.ok(r.isError && JSON.parse(r.content[0].text).error.kind === "not_found", JSON.stringify(r))
r = await call("ls", { path: map, patern: "*" })
assert.ok(r.isError && /did you mean pattern/.test(r.content[0].text), JSON.stringify(r))

// A picture is an image.
r = await call("map_picture", { path: map })
assert.equal(r.content[0].mimeType, "image/png")
assert.equal(Buffer.from(r.content[0].data, "base64").subarray(1, 4).toString(), "PNG")

const file = await client.readResource({ uri: "pakbox:///" + map + "/thumbnail.jpg" })
assert.equal(file.contents[0].mimeType, "image/jpeg")
assert.equal(Buffer.from(file.contents[0].blob, "base64").subarray(0, 2).toString("hex"), "ffd8")
const text = await client.readResource({ uri: "pakbox:///samples/hello.vpk/readme.txt" })
assert.match(text.contents[0].text, /You have just extracted/)
await client.close()

// With --write a change is shown first, then made, and the old file is kept.
const writer = new Client({ name: "test", version: "1" })
await writer.connect(new StdioClientTransport({ command: program, args: ["mcp", "--write", own] }))
const wanted = { path: "own/Sample.Map.Gbx", name: "Another name" }
const change = async (args) => await writer.callTool({ name: "map_rename", arguments: args })
const nameOf = async () => (await writer.callTool({ name: "info", arguments: { path: wanted.path } })).structuredContent.name
r = await change({ ...wanted, confirm: true })
assert.ok(r.isError && /no preview yet/.test(r.content[0].text), JSON.stringify(r))
r = await change(wanted)
assert.ok(r.structuredContent.dry_run && r.structuredContent.values.length > 0, JSON.stringify(r))
assert.notEqual(await nameOf(), wanted.name)
r = await change({ ...wanted, confirm: true })
assert.ok(!r.isError, JSON.stringify(r))
assert.equal(await nameOf(), wanted.name)
r = await change({ ...wanted, name: "x", path: "own/../Sample.Map.Gbx" })
assert.ok(r.isError, JSON.stringify(r))
assert.equal(readdirSync(own).filter((n) => n.startsWith("Sample.Map.Gbx")).length, 2)
await writer.close()
`
