package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"pakbox/index"
	"pakbox/index/scan"
	"pakbox/index/sqlite"
)

// All iterates over the rows of a table of an index.
func ExampleAll() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "index.sqlite")
	db, err := sqlite.Open(ctx, file)
	if err != nil {
		log.Fatal(err)
	}
	_, err = scan.Run(ctx, db, []string{"../../samples/hello.vpk"}, scan.Options{})
	if err := errors.Join(err, db.Close()); err != nil {
		log.Fatal(err)
	}
	read, err := sqlite.OpenReadOnly(ctx, file)
	if err != nil {
		log.Fatal(err)
	}
	defer read.Close()
	entries, _ := index.TableNamed("entries")
	n := 0
	for _, err := range sqlite.All(ctx, read, entries) {
		if err != nil {
			log.Fatal(err)
		}
		n++
	}
	fmt.Println(n, "entries")
	// Output: 4 entries
}
