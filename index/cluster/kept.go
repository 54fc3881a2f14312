package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"pakbox/index"
	"pakbox/index/scan"
)

// A run with --incremental keeps the rows of each file beside the tables, in a file
// for each shard. The next run takes the rows of files that did not change from
// there. Tools that read tables ignore files whose names begin with _.

// made holds the rows of one file, on their way to the writer of their shard.
type made struct {
	Path string          `json:"path"`
	Seen *scan.ListEntry `json:"seen,omitempty"` // the file as it was read; nil if the next run must read it again
	Old  bool            `json:"old,omitempty"`  // the rows come from the previous run
	rows []byte
}

// encode returns the bytes of a made: the size of its JSON, the JSON, the rows.
func (m *made) encode() ([]byte, error) {
	head, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return slices.Concat(binary.AppendUvarint(nil, uint64(len(head))), head, m.rows), nil
}

var errKept = errors.New("rows that were kept are damaged")

// decode reads the bytes of encode.
func (m *made) decode(data []byte) error {
	head, rest, ok := sized(data)
	if !ok {
		return errKept
	}
	*m = made{rows: rest}
	return json.Unmarshal(head, m)
}

// sized cuts data behind its first part. The size of that part comes first, as a uvarint.
func sized(data []byte) (first, rest []byte, ok bool) {
	size, n := binary.Uvarint(data)
	if n <= 0 || size > uint64(len(data)-n) {
		return nil, nil, false
	}
	return data[n : n+int(size)], data[n+int(size):], true
}

func keptName(shard, shards int) string { return fmt.Sprintf("_ROWS-%05d-of-%05d", shard, shards) }

// maxKept limits the kept rows of a shard after unpacking: like all rows of a shard they
// must fit in memory.
const maxKept = 16 << 30

// sameAsked is the first line of a file of kept rows. Kept rows are used only if this
// line is the same: the same version of pakbox and the same options.
func (o *options) sameAsked() string {
	return fmt.Sprintf("pakbox rows %d check=%t lint=%t verify=%t contents=%t places=%t code-page=%q\n", index.Version, o.Check, o.Lint, o.Verify, o.Contents, o.Places, o.CodePage)
}

// keep writes the rows of a shard for the next run.
func (o *options) keep(ctx context.Context, shard int, list []made) error {
	slices.SortFunc(list, func(a, b made) int { return strings.Compare(a.Path, b.Path) })
	return storageOf(o.Output).folder(o.Output).Put(ctx, keptName(shard, o.Shards), func(w io.Writer) error {
		z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
		if err != nil {
			return err
		}
		_, err = io.WriteString(z, o.sameAsked())
		for i := range list {
			if list[i].Seen == nil || err != nil {
				continue
			}
			list[i].Old = true // the next run reads these rows as old ones
			var data []byte
			if data, err = list[i].encode(); err == nil {
				_, err = z.Write(append(binary.AppendUvarint(nil, uint64(len(data))), data...))
			}
		}
		return errors.Join(err, z.Close())
	})
}

// kept reads the rows that the previous run kept for a shard, by path. A missing or
// damaged file counts as empty: everything is read again.
func (o *options) kept(ctx context.Context, shard int) (map[string]*made, error) {
	data, err := storageOf(o.Output).folder(o.Output).Get(ctx, keptName(shard, o.Shards))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxKept))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	all, err := z.DecodeAll(data, nil)
	rest, ok := bytes.CutPrefix(all, []byte(o.sameAsked()))
	if err != nil || !ok {
		return nil, nil
	}
	list := map[string]*made{}
	for len(rest) > 0 {
		var one []byte
		if one, rest, ok = sized(rest); !ok {
			return nil, nil
		}
		m := &made{}
		if m.decode(one) != nil || new(index.Rows).UnmarshalBinary(m.rows) != nil {
			return nil, nil
		}
		list[m.Path] = m
	}
	return list, nil
}

// compareFn splits the files of a shard: it emits the kept rows of unchanged files, and
// lists the other files to be read.
type compareFn struct{ O options }

func (f *compareFn) ProcessElement(ctx context.Context, shard int64, next func(*scan.ListEntry) bool, read func(scan.ListEntry), emit func(int64, []byte)) error {
	kept, err := f.O.kept(ctx, int(shard))
	if err != nil {
		return err
	}
	var one scan.ListEntry
	for next(&one) {
		old := kept[one.Path]
		if old == nil || *old.Seen != one {
			read(one)
			continue
		}
		data, err := old.encode()
		if err != nil {
			return err
		}
		emit(shard, data)
	}
	return nil
}
