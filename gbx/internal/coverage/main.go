// Coverage shows how much of real files the chunk sheets understand. It is the tool to write sheets
// with:
//
//	go run pakbox/gbx/internal/coverage [-v] [-s] [-class 03043] [-chunk 0304301F] [file or folder …]
//	go run pakbox/gbx/internal/coverage -x 128 -chunk 0304301F file
//	go run pakbox/gbx/internal/coverage -trace -chunk 0304301F file
//	go run pakbox/gbx/internal/coverage -unnamed 20
//
// For each file with a gap it prints the opaque parts, and the parts that are not encoded to the
// same bytes; at the end it sums up by chunk. Without files it reads the whole corpus. With -v it
// also prints the files without gaps, with -x the first bytes of each gap, with -trace every value
// of the chunk up to the error, and with -unnamed the chunks with the most bytes of unknown meaning.
package main

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
)

var (
	class   = flag.String("class", "", "only files whose main class ID begins with this, in its latest form")
	chunk   = flag.String("chunk", "", "only gaps in the chunk whose ID begins with this")
	verbose = flag.Bool("v", false, "print every file")
	hexLen  = flag.Int("x", 0, "print so many bytes of each gap")
	trace   = flag.Bool("trace", false, "print the values of the chunk given with -chunk")
	sums    = flag.Bool("s", false, "print only the sums")
	without = flag.Int("unnamed", 0, "print so many chunks with values that have no name")
)

func main() {
	flag.Parse()
	roots := flag.Args()
	if len(roots) == 0 {
		roots = []string{filepath.Join(corpus.Root(), "gbx"), filepath.Join(corpus.Root(), "gbx-hard")}
	}
	t := &totals{gaps: map[string]*gap{}, classes: map[string]*classTotal{}, unnamed: unnamed{chunks: map[classid.ID]*named{}}}
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && (path == root || strings.EqualFold(filepath.Ext(path), ".gbx")) {
				t.file(path)
			}
			return err
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, "coverage:", err)
			os.Exit(1)
		}
	}
	if *without > 0 {
		t.unnamed.print(*without)
		return
	}
	t.print()
}

// gap is a chunk ID that is not understood in some files.
type gap struct {
	key   string
	files int
	count int
	bytes int64
	first string
}

type classTotal struct {
	files, complete, identical, recoded int
	body, decoded                       int64
}

type totals struct {
	gaps    map[string]*gap
	classes map[string]*classTotal
	unnamed unnamed
}

func (t *totals) file(path string) {
	data, err := os.ReadFile(path)
	if err != nil {
		fmt.Println(path, err)
		return
	}
	var visitor gbx.Visitor
	if *trace {
		fmt.Println(path)
		visitor = &tracer{chunk: strings.ToUpper(*chunk)}
	}
	f, err := gbx.Trace(data, engine.Registry(), visitor)
	if err != nil {
		fmt.Println(path, "ERROR", err)
		return
	}
	id := f.Class.Latest()
	if !strings.HasPrefix(id.String(), strings.ToUpper(*class)) {
		return
	}
	if *without > 0 {
		if err := f.Walk(&t.unnamed); err != nil {
			fmt.Println(path, "ERROR", err)
		}
		return
	}
	c := f.Coverage()
	saved, err := f.Encode()
	identical := err == nil && bytes.Equal(saved, data)
	name := fmt.Sprintf("%v %s", id, engine.Registry().ClassName(id))
	ct := t.classes[name]
	if ct == nil {
		ct = &classTotal{}
		t.classes[name] = ct
	}
	ct.files++
	ct.body += c.BodyBytes
	ct.decoded += c.DecodedBytes
	if identical {
		ct.identical++
	}
	if len(c.Inexact) == 0 {
		ct.recoded++
	}
	if len(c.Opaque) == 0 {
		ct.complete++
	}
	lines := t.collect(path, c, f.BodyBytes())
	if !identical {
		lines = append(lines, fmt.Sprintf("  NOT IDENTICAL %v", err))
	}
	if *sums || len(lines) == 0 && !*verbose {
		return
	}
	fmt.Printf("%s: %d of %d bytes\n", path, c.DecodedBytes, c.BodyBytes)
	for _, l := range lines {
		fmt.Println(l)
	}
}

func (t *totals) collect(path string, c gbx.Coverage, body []byte) []string {
	var lines []string
	seen := map[string]bool{}
	add := func(id, key string, bytes int64, line string) {
		if !strings.HasPrefix(id, strings.ToUpper(*chunk)) {
			return
		}
		lines = append(lines, line)
		g := t.gaps[key]
		if g == nil {
			g = &gap{key: key, first: path + ": " + strings.TrimSpace(line)}
			t.gaps[key] = g
		}
		g.count++
		g.bytes += bytes
		if !seen[key] {
			g.files++
			seen[key] = true
		}
	}
	for _, o := range c.Opaque {
		where := "body"
		if o.Header {
			where = "header"
		}
		id := o.Chunk.Latest().String()
		kind := "opaque"
		if o.Cause == gbx.UnknownTail {
			kind = "STOP"
		} else if o.Cause != gbx.UnknownChunk {
			kind = "FAILED"
		}
		add(id, id+" "+kind+" "+where, o.Bytes,
			fmt.Sprintf("  %-6s %v in %s, %s 0x%x, %d bytes: %s", kind, o.Chunk, engine.Registry().ClassName(o.Class), where, o.Offset, o.Bytes, o.Reason))
		if n := min(o.Bytes, int64(*hexLen)); n > 0 && !o.Header && strings.HasPrefix(id, strings.ToUpper(*chunk)) {
			lines = append(lines, hex.Dump(body[o.Offset:o.Offset+n]))
		}
	}
	for _, i := range c.Inexact {
		id := i.Chunk.Latest().String()
		add(id, id+" INEXACT", 0, fmt.Sprintf("  INEXACT %v at 0x%x: %s", i.Chunk, i.Offset, i.Reason))
	}
	return lines
}

func (t *totals) print() {
	gaps := slices.SortedFunc(maps.Values(t.gaps), func(a, b *gap) int {
		return cmp.Or(cmp.Compare(b.files, a.files), cmp.Compare(a.key, b.key))
	})
	if len(gaps) > 0 {
		fmt.Printf("\n%-28s %6s %6s %10s  first\n", "gap", "files", "count", "bytes")
		for _, g := range gaps {
			fmt.Printf("%-28s %6d %6d %10d  %s\n", g.key, g.files, g.count, g.bytes, g.first)
		}
	}
	fmt.Printf("\n%-45s %6s %9s %9s %9s %9s %7s\n", "class", "files", "identical", "recoded", "complete", "body", "decoded")
	for _, name := range slices.Sorted(maps.Keys(t.classes)) {
		c := t.classes[name]
		fmt.Printf("%-45s %6d %9d %9d %9d %9d %6.2f%%\n", name, c.files, c.identical, c.recoded, c.complete, c.body, 100*float64(c.decoded)/float64(max(1, c.body)))
	}
}
