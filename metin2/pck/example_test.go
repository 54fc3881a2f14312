package pck_test

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pakbox/archive"
	"pakbox/metin2/pck"
)

// A pack is written from items, and read as a file system.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	stage, err := archive.NewStage(filepath.Join(dir, "locale.pck"), false)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer stage.Abort()
	text := strings.Repeat("skill ", 20)
	items := []archive.Item{{Name: "locale/skilltable.txt", Size: int64(len(text)), Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(text)), nil
	}}}
	if err := (pck.Format{}).Create(ctx, stage, items, archive.CreateOptions{}); err != nil {
		fmt.Println(err)
		return
	}
	if err := stage.Commit(); err != nil {
		fmt.Println(err)
		return
	}

	in, closer, err := archive.OpenFile(filepath.Join(dir, "locale.pck"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer closer.Close()
	a, err := pck.Open(ctx, in, archive.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	got, err := fs.ReadFile(a, "LOCALE/SkillTable.txt") // the client ignores case
	fmt.Println(string(got) == text, err)
	// Output: true <nil>
}
