package scan_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"pakbox/index"
	"pakbox/index/scan"
	"pakbox/index/sqlite"
	"pakbox/internal/testkit/corpus"
)

func TestTry(t *testing.T) {
	root := filepath.Dir(corpus.Dir(t, "gbx"))
	file := filepath.Join(t.TempDir(), "x.sqlite")
	for range 3 {
		start := time.Now()
		db, err := sqlite.Open(context.Background(), file)
		if err != nil {
			t.Fatal(err)
		}
		r, err := scan.Run(context.Background(), db, []string{root}, scan.Options{Indexer: index.Indexer{}})
		t.Logf("%+v %v", r, err)
		db.Close()
		t.Log(time.Since(start))
	}
}
