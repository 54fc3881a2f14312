package ask_test

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

// Find searches an index with conditions in plain words. It finds the map, and
// its copy in the replay.
func ExampleIndex_Find() {
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
	_, err = scan.Run(ctx, db, []string{"../../samples/trackmania"}, scan.Options{})
	if err := errors.Join(err, db.Close()); err != nil {
		log.Fatal(err)
	}
	x, err := ask.Open(ctx, file)
	if err != nil {
		log.Fatal(err)
	}
	defer x.Close()
	found, _, err := x.Find(ctx, ask.Search{Words: []string{"kind=map"}, Fields: []string{"name", "env"}})
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
	// Output:
	// $06fSample $fffmap Stadium
	// $06fSample $fffmap Stadium
}
