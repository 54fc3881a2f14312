package parquet_test

import (
	"bytes"
	"fmt"

	"pakbox/index"
	"pakbox/index/parquet"
)

// A table of one's own as a Parquet file.
func ExampleWriteTable() {
	table := index.NewTable("times", "best times", func() [][]index.Column {
		return [][]index.Column{{{Name: "map", Type: index.Text}, {Name: "ms", Type: index.Integer}}}
	})
	rows := func(yield func([]any, error) bool) {
		_ = yield([]any{"A01-Race", int64(24680)}, nil) && yield([]any{"A02-Race", int64(18920)}, nil)
	}
	var file bytes.Buffer
	err := parquet.WriteTable(&file, table, rows)
	fmt.Printf("%s %v\n", file.Bytes()[:4], err)
	// Output: PAR1 <nil>
}
