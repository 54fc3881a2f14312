package eterpack_test

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pakbox/archive"
	"pakbox/metin2/eterpack"
)

// A pack is a pair of files; either of them opens both.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	stage, err := archive.NewStage(filepath.Join(dir, "locale.eix"), false)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer stage.Abort()
	text := strings.Repeat("skill ", 20)
	items := []archive.Item{{Name: "locale/skilltable.txt", Size: int64(len(text)), Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(text)), nil
	}}}
	if err := (eterpack.Format{}).Create(ctx, stage, items, archive.CreateOptions{}); err != nil {
		fmt.Println(err)
		return
	}
	if err := stage.Commit(); err != nil {
		fmt.Println(err)
		return
	}

	in, closer, err := archive.OpenFile(filepath.Join(dir, "locale.epk"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer closer.Close()
	a, err := eterpack.Open(ctx, in, archive.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer a.Close()
	got, err := fs.ReadFile(a, "LOCALE/SkillTable.txt") // the client ignores case
	fmt.Println(string(got) == text, err)
	// Output: true <nil>
}
