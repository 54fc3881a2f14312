package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"pakbox"
	"pakbox/archive"
	"pakbox/fault"
	"pakbox/index"
	"pakbox/index/parquet"
	"pakbox/index/scan"
)

// options say what to index. They are sent to the workers, with the contents of the keys
// file and the passphrase file, which workers need not be able to reach.
type options struct {
	Input, Output       string
	Shards              int
	From, To            int // the shards to write: From up to, but not including, To
	Check, Lint, Verify bool
	Contents, Places    bool
	Incremental         bool
	Keys                []byte
	Passphrase          string
	CodePage            string
}

// opening returns the options for opening files.
func (o *options) opening() (a archive.Options, err error) {
	a.CodePage = o.CodePage
	if len(o.Keys) > 0 {
		a.Keys, err = pakbox.Formats().ReadKeys(o.Keys)
	}
	if o.Passphrase != "" {
		a.Passphrase = func() (string, error) { return o.Passphrase, nil }
	}
	return a, err
}

// Workers can only run registered functions. Beam calls these by reflection: its generic
// wrappers take the compiler a minute and 2 GB, and save only microseconds per file.
func init() {
	for _, fn := range []reflect.Type{reflect.TypeFor[listFn](), reflect.TypeFor[shardFn](), reflect.TypeFor[compareFn](), reflect.TypeFor[indexFn](), reflect.TypeFor[writeFn](), reflect.TypeFor[finishFn]()} {
		beam.RegisterDoFn(fn)
	}
	beam.RegisterDoFn(nothing)
}

// build makes the pipeline: list the files, spread them over the workers, index them,
// gather the rows by shard, write the shards, and write the manifest. Every shard gets an
// empty row, so that shards without files are written too.
func build(s beam.Scope, o options) {
	files, manifest := beam.ParDo2(s.Scope("List"), &listFn{o}, beam.Create(s, o.Input))
	var all []beam.PCollection
	if o.Incremental {
		var old beam.PCollection
		files, old = beam.ParDo2(s.Scope("Compare"), &compareFn{o}, beam.GroupByKey(s, beam.ParDo(s.Scope("Shard"), &shardFn{o.Shards}, files)))
		all = append(all, old)
	}
	all = append(all, beam.ParDo(s.Scope("Index"), &indexFn{O: o}, beam.Reshuffle(s, files)))
	var shards []int64
	for i := o.From; i < o.To; i++ {
		shards = append(shards, int64(i))
	}
	all = append(all, beam.ParDo(s.Scope("EveryShard"), nothing, beam.CreateList(s, shards)))
	whole := beam.SideInput{Input: manifest}
	written := beam.ParDo(s.Scope("Write"), &writeFn{o}, beam.GroupByKey(s, beam.Flatten(s, all...)), whole)
	beam.ParDo0(s.Scope("Finish"), &finishFn{o}, beam.GroupByKey(s, written), whole)
}

// nothing is the empty row of a shard.
func nothing(shard int64) (int64, []byte) { return shard, nil }

// shardFn finds the shard of a file.
type shardFn struct{ Shards int }

func (f *shardFn) ProcessElement(of scan.ListEntry) (int64, scan.ListEntry) {
	return int64(index.Shard(of.Path, f.Shards)), of
}

// listFn lists the files below a folder, and begins the manifest.
type listFn struct{ O options }

func (f *listFn) ProcessElement(ctx context.Context, root string, emit func(scan.ListEntry), begin func([]byte)) error {
	var listing index.Fingerprint
	var problems []string
	err := storageOf(root).list(ctx, root, func(one scan.ListEntry) {
		listing.Add(one.Path, one.Size)
		if shard := index.Shard(one.Path, f.O.Shards); shard >= f.O.From && shard < f.O.To {
			emit(one)
		}
	}, func(_ string, err error) { problems = append(problems, fault.System(err).Error()) })
	switch {
	case err != nil:
		return err
	case listing.Files == 0 && len(problems) > 0:
		return errors.New(problems[0])
	case listing.Files == 0:
		return fmt.Errorf("%s: no file found below it", root)
	}
	m := parquet.NewManifest(listing, 0, f.O.Shards)
	m.Problems = problems
	data, err := json.Marshal(m)
	begin(data)
	return err
}

// indexFn makes the rows of a file. A file that cannot be read becomes a row with the
// error: returning the error would stop the whole pipeline, as it does if the store is lost.
type indexFn struct {
	O options

	once    sync.Once
	opening archive.Options
	failed  error
}

func (f *indexFn) ProcessElement(ctx context.Context, of scan.ListEntry, emit func(int64, []byte)) error {
	f.once.Do(func() { f.opening, f.failed = f.O.opening() })
	if f.failed != nil {
		return f.failed
	}
	x := &index.Indexer{Options: f.opening, Check: f.O.Check, Lint: f.O.Lint, Verify: f.O.Verify, Contents: f.O.Contents, Places: f.O.Places}
	rows, seen, err := storageOf(of.Path).rows(ctx, x, of)
	if err != nil || rows == nil {
		return err
	}
	m := made{Path: of.Path, Seen: seen}
	if m.rows, err = rows.MarshalBinary(); err != nil {
		return err
	}
	data, err := m.encode()
	if err != nil {
		return err
	}
	emit(int64(index.Shard(of.Path, f.O.Shards)), data)
	return nil
}

// writeFn writes the files of a shard. Beam may run it twice, even at the same time: both
// runs write the same bytes, and each file appears complete or not at all.
type writeFn struct{ O options }

func (f *writeFn) ProcessElement(ctx context.Context, shard int64, next func(*[]byte) bool, manifest []byte, emit func(int64, int64)) error {
	all := &index.Rows{}
	var m parquet.Manifest
	if err := json.Unmarshal(manifest, &m); err != nil {
		return err
	}
	m.Part = int(shard)
	var list []made
	var data []byte
	for next(&data) {
		if len(data) == 0 {
			continue
		}
		var one made
		var rows index.Rows
		if err := one.decode(data); err != nil {
			return err
		}
		if err := rows.UnmarshalBinary(one.rows); err != nil {
			return err
		}
		all.Append(&rows)
		if f.O.Incremental {
			list = append(list, one)
		}
		if one.Old {
			m.Kept++
		}
	}
	all.Sort()
	if f.O.Incremental {
		if err := f.O.keep(ctx, m.Part, list); err != nil {
			return err
		}
	}
	if err := parquet.Write(ctx, storageOf(f.O.Output).folder(f.O.Output), m, tablesOf(all)); err != nil {
		return err
	}
	emit(0, shard)
	return nil
}

// finishFn writes the manifest when all shards are written.
type finishFn struct{ O options }

func (f *finishFn) ProcessElement(ctx context.Context, _ int64, _ func(*int64) bool, manifest []byte) error {
	var m parquet.Manifest
	if err := json.Unmarshal(manifest, &m); err != nil {
		return err
	}
	missing, err := parquet.Complete(ctx, storageOf(f.O.Output).folder(f.O.Output), m)
	if err == nil && len(missing) > 0 && f.O.To-f.O.From == f.O.Shards {
		err = fmt.Errorf("%s: shards %d are missing", f.O.Output, missing)
	}
	return err
}

// tablesOf iterates over the rows of each table.
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
