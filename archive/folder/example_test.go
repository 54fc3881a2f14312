package folder_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"pakbox/archive/folder"
)

// A folder is an archive like any other, which is how every verb works on it.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "readme.txt"), []byte("hello"), 0o666); err != nil {
		fmt.Println(err)
		return
	}
	a, err := folder.Format{}.OpenDir(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := fs.ReadFile(a, "readme.txt")
	fmt.Println(string(text), err)
	// Output: hello <nil>
}
