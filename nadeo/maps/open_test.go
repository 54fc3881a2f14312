package maps_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/nadeo"
	"pakbox/nadeo/maps"
)

// A file that is not there, and one of another class, are errors that name it.
func TestOpenWrong(t *testing.T) {
	var e *fault.Error
	if _, err := maps.Open(context.Background(), "none.Map.Gbx"); !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &e) || e.Path != "none.Map.Gbx" {
		t.Errorf("a missing map: %v", err)
	}
	const replay = "../../samples/trackmania/Sample.Replay.Gbx"
	if _, err := maps.Open(context.Background(), replay); !errors.As(err, &e) || e.Path != replay {
		t.Errorf("a replay as a map: %v", err)
	}
}

// Save keeps the permissions of the file that it replaces, and errors name the
// file. A map that cannot be coded leaves the old file as it was.
func TestSave(t *testing.T) {
	m, err := maps.New(maps.Options{Game: nadeo.ManiaPlanet4, Environment: "Valley", Mood: "Night", Name: "Saved", Author: nadeo.Player{Login: "ada"}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "Saved.Map.Gbx")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	again, err := maps.Open(t.Context(), path)
	if err != nil || again.Name() != "Saved" {
		t.Fatalf(`again.Name() = %q, err = %v; want no error, again.Name() = "Saved"`, again.Name(), err)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf(`info.Mode() = %v, err = %v; want no error, (runtime.GOOS = "windows" or info.Mode().Perm() = 0o600)`, info.Mode(), err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	broken := &maps.Map{File: &gbx.File{Header: m.File.Header, Body: m.File.Body}} // no registry
	var e *fault.Error
	if err := broken.Save(path); !errors.As(err, &e) || e.Path != path {
		t.Errorf("a file without a registry: %v", err)
	}
	after, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the old file has changed: %v", err)
	}
	if err := m.Save(filepath.Join(path, "x.Map.Gbx")); !errors.As(err, &e) {
		t.Errorf("a folder that is a file: %v", err)
	}
}
