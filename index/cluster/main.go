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
	"strconv"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs" // gs://
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"pakbox/index/parquet"
)

func main() {
	var o options
	flag.StringVar(&o.Input, "input", "", "index the files below this folder, which all workers must reach")
	flag.StringVar(&o.Output, "output", "", "write the tables into this folder, which all workers must reach")
	flag.IntVar(&o.Shards, "shards", 16, "write so many files for each table; the rows of one shard must fit in memory")
	flag.BoolVar(&o.Check, "check", false, "store the results of replay check")
	flag.BoolVar(&o.Lint, "lint", false, "store what map lint finds")
	flag.BoolVar(&o.Verify, "verify", false, "store what verify finds")
	flag.BoolVar(&o.Contents, "contents", false, "unpack every entry of archives, and store its size and hash")
	flag.BoolVar(&o.Places, "places", false, "store where every block and item of maps stands")
	flag.BoolVar(&o.Incremental, "incremental", false, "read only files that changed since the last run into the same output; the rows of the others are kept there")
	flag.StringVar(&o.CodePage, "code-page", "", "code page of names that are not UTF-8, such as 949")
	only := flag.String("only", "", "write only these of the shards, such as 1-4 or 3: what others write, or have written, stays")
	keys := flag.String("keys", os.Getenv("PAKBOX_KEYS"), "open archives with the keys in this file, which travel to the workers")
	passphrase := flag.String("passphrase-file", "", "open archives with the passphrase in this file, which travels to the workers")
	flag.Parse()
	beam.Init() // in a worker process Init never returns
	err := errors.Join(o.secrets(*keys, *passphrase), o.part(*only))
	if err == nil {
		err = run(context.Background(), o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	if o.Input == "" || o.Output == "" || o.Shards < 1 {
		return errors.New("it takes --input DIR, --output DIR, and --shards of at least 1")
	}
	out := storageOf(o.Output).folder(o.Output)
	if err := parquet.Claim(ctx, out, o.Shards); err != nil {
		return err
	}
	p, s := beam.NewPipelineWithRoot()
	build(s, o)
	if err := beamx.Run(ctx, p); err != nil {
		return err
	}
	m, err := parquet.Read(ctx, out)
	if err != nil && o.To-o.From < o.Shards {
		fmt.Fprintf(os.Stderr, "cluster: shards %d to %d are written; %s follows when all are\n", o.From+1, o.To, parquet.Success)
		return nil
	}
	for _, problem := range m.Problems {
		fmt.Fprintln(os.Stderr, "cluster:", problem)
	}
	if len(m.Problems) > 0 {
		os.Exit(3) // the exit code of index for the same case
	}
	return err
}

// part parses the range of shards to write.
func (o *options) part(only string) error {
	o.To = o.Shards
	if only == "" {
		return nil
	}
	from, to, several := strings.Cut(only, "-")
	if !several {
		to = from
	}
	first, err := strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	if err != nil || err2 != nil || first < 1 || last < first || last > o.Shards {
		return fmt.Errorf("--only takes shards of 1 to %d, such as 1-4", o.Shards)
	}
	o.From, o.To = first-1, last
	return nil
}

// secrets reads the keys file and the passphrase file.
func (o *options) secrets(keys, passphrase string) (err error) {
	if keys != "" {
		if o.Keys, err = os.ReadFile(keys); err != nil {
			return err
		}
	}
	if passphrase != "" {
		data, err := os.ReadFile(passphrase)
		if err != nil {
			return err
		}
		o.Passphrase, _, _ = strings.Cut(string(data), "\n")
	}
	_, err = o.opening() // reports a mistake in the keys file at once
	return err
}
