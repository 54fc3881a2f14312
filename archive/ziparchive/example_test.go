package ziparchive_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io/fs"

	"pakbox/archive"
	"pakbox/archive/ziparchive"
)

func ExampleOpen() {
	var file bytes.Buffer
	w := zip.NewWriter(&file)
	f, _ := w.Create("docs/readme.txt")
	fmt.Fprint(f, "hello")
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}
	in := archive.Input{ReaderAt: bytes.NewReader(file.Bytes()), Size: int64(file.Len())}
	a, err := ziparchive.Open(context.Background(), in, archive.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := fs.ReadFile(a, "docs/readme.txt")
	fmt.Println(string(text), err)
	// Output: hello <nil>
}
