package main

import (
	"context"
	"iter"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"pakbox/index"
)

// options say what to index. They travel to the workers.
type options struct {
	Input, Output       string
	Shards              int
	Check, Lint, Verify bool
}

// A worker that does not know the functions cannot run them.
func init() {
	register.DoFn3x1[context.Context, string, func(string), error](&listFn{})
	register.DoFn3x1[context.Context, string, func(int64, []byte), error](&indexFn{})
	register.DoFn3x1[context.Context, int64, func(*[]byte) bool, error](&writeFn{})
	register.Function1x2(nothing)
	register.Emitter1[string]()
	register.Emitter2[int64, []byte]()
	register.Iter1[[]byte]()
}

// build makes the pipeline: list, spread over the workers, index, gather by
// shard, write. Every shard gets a row of nothing, so that each has its files.
func build(s beam.Scope, o options) {
	files := beam.ParDo(s.Scope("List"), &listFn{}, beam.Create(s, o.Input))
	rows := beam.ParDo(s.Scope("Index"), &indexFn{o}, beam.Reshuffle(s, files))
	shards := make([]int64, o.Shards)
	for i := range shards {
		shards[i] = int64(i)
	}
	empty := beam.ParDo(s.Scope("EveryShard"), nothing, beam.CreateList(s, shards))
	beam.ParDo0(s.Scope("Write"), &writeFn{o}, beam.GroupByKey(s, beam.Flatten(s, rows, empty)))
}

// nothing is a shard without rows.
func nothing(shard int64) (int64, []byte) { return shard, nil }

// listFn lists the files below a folder.
type listFn struct{}

func (*listFn) ProcessElement(ctx context.Context, root string, emit func(string)) error {
	return storageOf(root).list(ctx, root, emit)
}

// indexFn makes the rows of a file. One that cannot be read is a row that says
// so: an error here would end the whole work.
type indexFn struct{ O options }

func (f *indexFn) ProcessElement(ctx context.Context, path string, emit func(int64, []byte)) error {
	x := &index.Indexer{Check: f.O.Check, Lint: f.O.Lint, Verify: f.O.Verify}
	rows, err := storageOf(path).rows(ctx, x, path)
	if err != nil || rows == nil {
		return err
	}
	data, err := rows.MarshalBinary()
	if err != nil {
		return err
	}
	emit(int64(index.Shard(path, f.O.Shards)), data)
	return nil
}

// writeFn writes the files of a shard. It may run twice, also at the same time:
// the files are the same, and each is there as a whole or not at all.
type writeFn struct{ O options }

func (f *writeFn) ProcessElement(ctx context.Context, shard int64, next func(*[]byte) bool) error {
	all := &index.Rows{}
	var data []byte
	for next(&data) {
		if len(data) == 0 {
			continue
		}
		var rows index.Rows
		if err := rows.UnmarshalBinary(data); err != nil {
			return err
		}
		all.Append(&rows)
	}
	all.Sort()
	return storageOf(f.O.Output).write(ctx, f.O.Output, int(shard), f.O.Shards, tablesOf(all))
}

// tablesOf goes over the rows of each table.
func tablesOf(all *index.Rows) func(*index.Table) iter.Seq2[[]any, error] {
	return func(t *index.Table) iter.Seq2[[]any, error] {
		return func(yield func([]any, error) bool) {
			for i := range all.Len(t) {
				if !yield(all.Row(t, i), nil) {
					return
				}
			}
		}
	}
}
