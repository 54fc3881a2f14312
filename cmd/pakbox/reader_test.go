package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"pakbox/internal/testkit/peer"
)

// builtMap has the values that both readers return for a map.
type builtMap struct {
	UID, Name string
	Blocks    []builtBlock
}

type builtBlock struct {
	Name      string
	Direction int
}

// TestOtherReader: a reader that others wrote, npm's gbx, finds the UID, the name and the
// blocks in maps that pakbox built, mirrored and renamed, for three games.
func TestOtherReader(t *testing.T) {
	node := peer.Program(t, "node", "nodejs")
	reader := peer.NPM(t, "gbx@1.0.0-rc12")
	script := filepath.Join(reader, "read.mjs")
	if err := os.WriteFile(script, []byte(readMap), 0o666); err != nil {
		t.Fatal(err)
	}
	track, err := txtar.ParseFile("testdata/script/track.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range track.Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "pakbox") // the test binary acts as pakbox under this name
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	run := func(name string, args ...string) []byte {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, stderr.Bytes())
		}
		return out
	}
	for _, game := range []struct{ name, recipe, file string }{
		{"tm2020", "track.recipe", "a.Map.Gbx"}, {"mp4", "mp4.recipe", "b.Map.Gbx"}, {"tmf", "tmf.recipe", "c.Challenge.Gbx"},
	} {
		t.Run(game.name, func(t *testing.T) {
			run(program, "map", "create", "--game", game.name, "--env", "Stadium", game.file)
			run(program, "map", "edit", game.recipe, game.file)
			for _, change := range [][]string{nil, {"map", "edit", "mirror.recipe", game.file}, {"map", "rename", game.file, "$f00Ring"}} {
				if change != nil {
					run(program, change...)
				}
				var theirs, ours builtMap
				if err := json.Unmarshal(run(node, script, filepath.Join(dir, game.file)), &theirs); err != nil {
					t.Fatal(err)
				}
				var info struct{ UID, Name string }
				if err := json.Unmarshal(run(program, "info", "--json", game.file), &info); err != nil {
					t.Fatal(err)
				}
				if err := json.Unmarshal(run(program, "map", "blocks", "--json", game.file), &ours); err != nil {
					t.Fatal(err)
				}
				ours.UID, ours.Name = info.UID, info.Name
				if !reflect.DeepEqual(ours, theirs) || len(ours.Blocks) < 60 {
					t.Errorf("%s after %v: pakbox reads\n%+v\ngbx reads\n%+v", game.name, change, ours, theirs)
				}
			}
		})
	}
}

const readMap = `
import { readFileSync } from "node:fs"
import { GBX } from "gbx"
const map = await new GBX(new Uint8Array(readFileSync(process.argv[2])), 0).parse()
process.stdout.write(JSON.stringify({ uid: map.mapInfo.id, name: map.mapName,
  blocks: map.blocks.map(b => ({ name: b.blockName, direction: b.direction })) }), () => process.exit(0))
`
