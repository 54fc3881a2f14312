package main

import (
	"encoding/binary"
	"os"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf16"

	"pakbox/nadeo/nadeotest/mapsample"
)

// Shells and editors of Windows write UTF-16. Every text that people give is read in it.
func TestTextsInUTF16(t *testing.T) {
	_, _, program := clientFiles(t)
	t.Chdir(t.TempDir())
	sample, err := mapsample.Map()
	if err != nil {
		t.Fatal(err)
	}
	save := func(name, text string) {
		var data []byte
		for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
			data = binary.LittleEndian.AppendUint16(data, unit)
		}
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("A.Map.Gbx", sample, 0o666); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (string, error) {
		out, err := exec.Command(program, args...).CombinedOutput()
		return string(out), err
	}
	document, err := exec.Command(program, "dump", "--json", "A.Map.Gbx").Output()
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := exec.Command(program, "map", "blocks", "--csv", "A.Map.Gbx").Output()
	if err != nil {
		t.Fatal(err)
	}
	save("a.json", string(document))
	save("blocks.csv", strings.ReplaceAll(string(blocks), ",", ";"))
	save("turn.recipe", "turn by=1\n")
	save("files.txt", "A.Map.Gbx\r\n")
	save("facts.json", `{"uid": "x", "rank": 1}`)
	save("word.txt", "secret\r\n")
	if err := os.WriteFile("plain.txt", []byte("secret\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"create", "--from-json", "a.json", "B.Map.Gbx"},
		{"diff", "A.Map.Gbx", "B.Map.Gbx"},
		{"map", "blocks", "--set", "blocks.csv", "A.Map.Gbx"},
		{"map", "edit", "turn.recipe", "A.Map.Gbx", "-o", "T.Map.Gbx"},
		{"index", "--files-from", "files.txt", "-o", "x.sqlite"},
		{"find", "x.sqlite", "kind=map"},
		{"index", "-o", "x.sqlite", "--join", "facts.json", "--on", "uid"},
		{"create", "--encrypt", "--passphrase-file", "word.txt", "a.vpk", "plain.txt"},
		{"cat", "--passphrase-file", "plain.txt", "a.vpk/plain.txt"},
	} {
		if out, err := run(args...); err != nil {
			t.Errorf("pakbox %v: %v\n%s", args, err, out)
		}
	}
	// Without the mark, a list of files would name the root of the disk.
	if err := os.WriteFile("bare.txt", []byte("/\x00t\x00m\x00p\x00"), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := run("index", "--files-from", "bare.txt", "-o", "y.sqlite"); err == nil || !strings.Contains(out, "looks like UTF-16") {
		t.Errorf("a list in UTF-16 without a mark: %v\n%s", err, out)
	}
}
