package index_test

import (
	"context"
	"fmt"

	"pakbox/archive"
	"pakbox/index"
)

// The row of a map. Package scan does this for whole folders, and sqlite stores the rows.
func ExampleIndexer_File() {
	const path = "../samples/trackmania/Sample.Map.Gbx"
	in, file, err := archive.OpenFile(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	rows, err := new(index.Indexer).File(context.Background(), index.Source{Input: in, Path: path})
	if err != nil {
		fmt.Println(err)
		return
	}
	maps, _ := index.TableNamed("maps")
	fmt.Println(rows.Len(maps), rows.Get(maps, 0, "name"), rows.Get(maps, 0, "block_count"))
	// Output: 1 $06fSample $fffmap 10
}
