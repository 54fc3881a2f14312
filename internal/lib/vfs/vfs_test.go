package vfs_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pakbox/internal/lib/vfs"
	"pakbox/internal/lib/wire"
)

// An open folder does what one of the system does.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	var list []fs.DirEntry
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
		list = append(list, vfs.FileInfo{Base: name})
	}
	names := func(list []fs.DirEntry) (names []string) {
		for _, e := range list {
			names = append(names, e.Name())
		}
		return names
	}
	for _, steps := range [][]int{{-1, -1}, {0, 0}, {2, 2, 2, 2}, {1, -1, 1}, {5, 1}, {9, 9}} {
		system, err := os.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		own := vfs.OpenFolder(vfs.FileInfo{Base: "x", Dir: true}, list)
		var all []string
		for _, n := range steps {
			want, wantErr := system.ReadDir(n)
			got, err := own.ReadDir(n)
			if len(got) != len(want) || err != wantErr {
				t.Errorf("%v: %d entries, %v; the system has %d, %v", steps, len(got), err, len(want), wantErr)
			}
			all = append(all, names(got)...)
		}
		if want := names(list); !slices.Equal(all, want) {
			t.Errorf("%v: all = %q; want all equal to %q", steps, all, want)
		}
		if _, err := own.Read(make([]byte, 1)); !errors.Is(err, vfs.ErrIsDir) || !strings.Contains(err.Error(), "x") {
			t.Errorf("a folder is read: %v", err)
		}
		if info, err := own.Stat(); err != nil || !info.IsDir() || own.Close() != nil {
			t.Errorf("info = %v, err = %v; want no error, info.IsDir() = true, own.Close() = nil", info, err)
		}
		system.Close()
	}
}

func TestFileInfo(t *testing.T) {
	at := time.Date(2009, 5, 31, 1, 2, 3, 0, time.UTC)
	file := vfs.FileInfo{Base: "a", Length: 5, Modified: at}
	if info, err := file.Info(); err != nil || info.Mode() != 0o444 || info.Size() != 5 || info.ModTime() != at || info.IsDir() || info.Name() != "a" || info.Sys() != nil || file.Type() != 0 || file.String() != "- a" {
		t.Errorf("info = %v, err = %v", info, err)
	}
	folder := vfs.FileInfo{Base: "d", Dir: true}
	if folder.Mode() != fs.ModeDir|0o555 || folder.Type() != fs.ModeDir || !folder.IsDir() || folder.String() != "d d/" {
		t.Errorf(`folder.Mode() = %v folder = %v; want folder.Mode() = fs.ModeDir | 0o555, folder.Type() = fs.ModeDir, folder.IsDir() = true, folder.String() = "d d/"`, folder.Mode(), folder)
	}
}

type readCloser struct {
	io.Reader
	closed *bool
}

func (r readCloser) Close() error { *r.closed = true; return nil }

type content struct {
	wire.Content
	readCloser
}

// A file can be read anywhere if its content can.
func TestOpen(t *testing.T) {
	data, closed := []byte("0123456789"), false
	stream := readCloser{bytes.NewReader(data), &closed}
	info := vfs.FileInfo{Base: "f", Length: 10}
	plain := vfs.Open(info, stream)
	if _, ok := plain.(io.ReaderAt); ok {
		t.Error("a stream can be read anywhere")
	}
	if got, err := io.ReadAll(plain); err != nil || string(got) != string(data) {
		t.Errorf("got = %q, err = %v; want no error, got = %q", got, err, string(data))
	}
	if got, err := plain.Stat(); err != nil || got != info || plain.Close() != nil || !closed {
		t.Errorf("%v, %v, closed: %v", got, err, closed)
	}
	random := vfs.Open(info, content{data, stream}).(io.ReaderAt)
	part := make([]byte, 3)
	if n, err := random.ReadAt(part, 4); n != 3 || err != nil || string(part) != "456" {
		t.Errorf(`part = %q, err = %v; want n = 3, no error, part = "456"`, part, err)
	}
	if got := wire.Whole(random, 10); !bytes.Equal(got, data) {
		t.Errorf("got = %q; want got equal to data", got)
	}
}
