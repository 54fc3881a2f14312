package vpk42_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"

	"pakbox/archive"
	"pakbox/metin2/vpk42"
)

// An archive is written from items and read as a file system.
func Example() {
	text := []byte("content content content content")
	items := []archive.Item{{
		Name: "locale/readme.txt",
		Size: int64(len(text)),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil },
	}}
	ctx := context.Background()
	file := &memFile{} // or an *os.File
	err := vpk42.Write(ctx, file, items, vpk42.WriteOptions{Version: 2, Algorithm: vpk42.LZ4, Level: 9})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, err := vpk42.Open(ctx, archive.Input{ReaderAt: file, Size: int64(len(file.data))}, archive.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	content, err := fs.ReadFile(a, "LOCALE/README.TXT")
	fmt.Println(string(content), err)
	fmt.Println(a.Table()[0].StoredSize, "of", a.Table()[0].OriginalSize, "bytes")
	// Output:
	// content content content content <nil>
	// 21 of 31 bytes
}
