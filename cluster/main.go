// Cluster makes an index of files as an Apache Beam pipeline: it lists the files
// below --input, makes the rows of each with package index, and writes them as
// Parquet files into --output, a file for each table and shard. The same files
// give the same bytes wherever it runs, and they are those of
// 'pakbox index --shard I/N --parquet DIR'.
//
// Without more flags it runs in its own process. docs/cluster.md has the flags
// for other runners.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs" // gs://
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
)

func main() {
	var o options
	flag.StringVar(&o.Input, "input", "", "index the files below this folder, which all workers must reach")
	flag.StringVar(&o.Output, "output", "", "write the tables into this folder, which all workers must reach")
	flag.IntVar(&o.Shards, "shards", 16, "write so many files for each table; the rows of one shard must fit in memory")
	flag.BoolVar(&o.Check, "check", false, "store what replay check says")
	flag.BoolVar(&o.Lint, "lint", false, "store what map lint finds")
	flag.BoolVar(&o.Verify, "verify", false, "store what verify finds")
	flag.Parse()
	beam.Init() // a worker does not come back from here
	if err := run(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	if o.Input == "" || o.Output == "" || o.Shards < 1 {
		return errors.New("it takes --input DIR, --output DIR, and --shards of at least 1")
	}
	p, s := beam.NewPipelineWithRoot()
	build(s, o)
	return beamx.Run(ctx, p)
}
