package main

import (
	"compress/flate"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"
)

// What is packed is the whole text, and smaller.
func TestPack(t *testing.T) {
	t.Chdir(t.TempDir())
	text := strings.Repeat("0x03043000 mapName\n", 1000)
	if err := os.WriteFile("members.txt", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	main()
	f, err := os.Open("members.deflate")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := io.ReadAll(flate.NewReader(f))
	if err != nil || string(got) != text {
		t.Errorf("%d of %d bytes, %v", len(got), len(text), err)
	}
	if info, err := f.Stat(); err != nil || info.Size() > int64(len(text)/10) {
		t.Errorf("%v %v", info.Size(), err)
	}
}

func TestCannotPack(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := pack("members.txt", "out"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a text that is not there: %v", err)
	}
	if _, err := os.Stat("out"); err == nil {
		t.Error("something was written")
	}
	if err := os.WriteFile("members.txt", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := pack("members.txt", "missing/out"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}
