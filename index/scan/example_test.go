package scan_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"pakbox/index/ask"
	"pakbox/index/scan"
	"pakbox/index/sqlite"
)

// Run reads folders into an index, and package ask asks the index.
func ExampleRun() {
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
	x, err := ask.Open(ctx, file)
	if err != nil {
		log.Fatal(err)
	}
	defer x.Close()
	found, err := x.SQL(ctx, "select name, size from entries order by size desc limit 1")
	if err != nil {
		log.Fatal(err)
	}
	defer found.Close()
	for row, err := range found.Rows(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(row...)
	}
	// Output: locale/en/item_names.txt 1262
}
