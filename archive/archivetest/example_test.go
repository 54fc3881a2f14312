package archivetest_test

import (
	"fmt"
	"io"

	"pakbox/archive/archivetest"
)

// Item makes the content of a test's archive. A test of a format has one call of
// archivetest.Run, which uses such items; toy_test.go in this folder is a whole format.
func ExampleItem() {
	item := archivetest.Item("readme.txt", []byte("hello"))
	content, err := item.Open()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer content.Close()
	text, err := io.ReadAll(content)
	fmt.Println(item.Name, item.Size, string(text), err)
	// Output: readme.txt 5 hello <nil>
}
