package pack_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"pakbox/archive"
	"pakbox/archive/folder"
	"pakbox/archive/pack"
	"pakbox/archive/ziparchive"
)

// Create makes an archive of files and folders. The extension decides its format.
func ExampleCreate() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	in := filepath.Join(dir, "in")
	if err := os.Mkdir(in, 0o777); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(in, "readme.txt"), []byte("read me"), 0o666); err != nil {
		log.Fatal(err)
	}
	formats := archive.Registry{ziparchive.Format{}, folder.Format{}}
	made, err := pack.Create(context.Background(), formats, filepath.Join(dir, "a.zip"), []string{in}, pack.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(made.Format, made.Items[0].Name, made.Size())
	// Output: zip readme.txt 7
}
