package archive_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"pakbox/archive"
	"pakbox/archive/ziparchive"
)

// textItem is a file that goes into an archive.
func textItem(name, text string) archive.Item {
	return archive.Item{Name: name, Size: int64(len(text)), Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(text)), nil
	}}
}

// A registry finds the format of a file by its content, and follows paths that
// lead through archives.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	// Commit puts the whole archive in its place, or nothing.
	path := filepath.Join(dir, "texts") // no extension: content decides
	stage, err := archive.NewStage(path, false)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer stage.Abort()
	items := []archive.Item{textItem("de/hello.txt", "Hallo"), textItem("en/hello.txt", "Hello")}
	if err := (ziparchive.Format{}).Create(ctx, stage, items, archive.CreateOptions{}); err != nil {
		fmt.Println(err)
		return
	}
	if err := stage.Commit(); err != nil {
		fmt.Println(err)
		return
	}

	formats := archive.Registry{ziparchive.Format{}}
	place, err := formats.Locate(ctx, path+"/de/hello.txt", archive.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer place.Close()
	report, err := place.Verify(ctx, archive.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(place.Format(), place.Inner, report.OK())
	for _, e := range place.Entries() {
		fmt.Println(e.Name, e.Size)
	}
	// Output:
	// zip de/hello.txt true
	// de/hello.txt 5
	// en/hello.txt 5
}
