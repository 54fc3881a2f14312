package oracle

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"pakbox/index"
	ours "pakbox/index/parquet"
	"pakbox/index/scan"
	"pakbox/index/sqlite"
	"pakbox/internal/testkit/corpus"
	"pakbox/internal/testkit/peer"
)

// read gives every row of a file as the other implementation reads it.
func read(t *testing.T, data []byte) (names []string, rows iter.Seq[[]string]) {
	t.Helper()
	table, err := pqarrow.ReadTable(context.Background(), bytes.NewReader(data), parquet.NewReaderProperties(memory.DefaultAllocator), pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range table.Schema().Fields() {
		names = append(names, f.Name)
	}
	return names, func(yield func([]string) bool) {
		columns := make([]iter.Seq[string], table.NumCols())
		for k := range columns {
			columns[k] = values(table.Column(k).Data())
		}
		next := make([]func() (string, bool), len(columns))
		for k, c := range columns {
			var stop func()
			next[k], stop = iter.Pull(c)
			defer stop()
		}
		for range table.NumRows() {
			row := make([]string, len(columns))
			for k := range row {
				row[k], _ = next[k]()
			}
			if !yield(row) {
				return
			}
		}
	}
}

func values(data *arrow.Chunked) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, chunk := range data.Chunks() {
			for i := range chunk.Len() {
				if !yield(found(chunk, i)) {
					return
				}
			}
		}
	}
}

// The file in testdata, which the package's own test writes again byte for byte,
// holds what it should. Every type is there, with nulls, lists, a name that is not
// UTF-8, and two groups.
func TestGolden(t *testing.T) {
	data, err := os.ReadFile("../testdata/types.parquet")
	if err != nil {
		t.Fatal(err)
	}
	names, rows := read(t, data)
	if got := fmt.Sprint(names); got != "[number small real yes text text_raw maybe list hash moment none1 none2 none3 none4 none5 none6]" {
		t.Errorf("columns %s", got)
	}
	var got []string
	n := -4
	for row := range rows {
		if n < 0 {
			got = append(got, fmt.Sprint(row[:10]))
		} else {
			maybe := "null"
			if n%20 < 10 {
				maybe = fmt.Sprint(n)
			}
			if want := fmt.Sprintf("[%d 0 %v %v  null %s]", n*n%300, float64(n), n%3 == 0, maybe); fmt.Sprint(row[:7]) != want {
				t.Fatalf("row %d is %v, want %s", n, row, want)
			}
		}
		n++
	}
	if n != 20_100 {
		t.Errorf("%d rows in the last group", n)
	}
	zeros := "00000000000000000000000000000000"
	want := []string{
		"[7 -3 0.5 true a null 9 [1 null 3 ] 30313233343536373839616263646566 2020-02-02 10:20:30.5 +0000 UTC]",
		`[0 0 0 false b\xffé 62ffc3a9 null [null ] ` + zeros + " null]",
		"[0 0 0 false  null null [] " + zeros + " null]",
		"[8 0 0 false  null null [] " + zeros + " null]",
	}
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Errorf("row %d of %d is not\n%s", i, len(got), want[i])
			if i < len(got) {
				t.Log(got[i])
			}
		}
	}
	f, err := file.NewParquetReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if n := f.NumRowGroups(); n != 3 || f.RowGroup(0).NumRows() != 3 || f.RowGroup(1).NumRows() != 1 {
		t.Errorf("%d groups", n)
	}
	if v := f.MetaData().KeyValueMetadata().FindValue("pakbox.schema_version"); v == nil || *v != fmt.Sprint(index.Version) {
		t.Errorf("the version of the schema is %v", v)
	}
	chunk, err := f.RowGroup(0).MetaData().ColumnChunk(0)
	if err != nil {
		t.Fatal(err)
	}
	stats, err := chunk.Statistics()
	if err != nil || stats == nil || !stats.HasMinMax() || stats.EncodeMax()[0] != 7 || stats.EncodeMin()[0] != 0 {
		t.Errorf("statistics %v, %v", stats, err)
	}
}

// indexed is an index of the real files.
func indexed(t *testing.T) *sql.DB {
	t.Helper()
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "index.sqlite")
	db, err := sqlite.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	o := scan.Options{Indexer: index.Indexer{Check: true, Lint: true, Verify: true}}
	_, err = scan.Run(ctx, db, []string{corpus.Dir(t, "gbx"), corpus.Dir(t, "simutrans"), corpus.Dir(t, "vpk42"), corpus.Dir(t, "nadeopak"), corpus.Dir(t, "eterpack")}, o)
	db.Close()
	if err != nil {
		t.Fatal(err)
	}
	ask, err := sqlite.OpenReadOnly(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ask.Close() })
	return ask
}

// Every row of an index of the real files is in the Parquet files, in the same
// order, and the same rows give the same bytes. DuckDB reads every table, and answers
// the questions of docs/index.md.
func TestParquetEqualsSQLite(t *testing.T) {
	ctx, ask := t.Context(), indexed(t)
	for _, table := range index.Tables() {
		var files [2]bytes.Buffer
		for i := range files {
			if err := ours.WriteTable(&files[i], table, sqlite.All(ctx, ask, table)); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
			t.Errorf("%s: the same rows gave other bytes", table.Name)
		}
		compareRows(t, table, files[0].Bytes(), sqlite.All(ctx, ask, table))
	}
	t.Run("DuckDB", func(t *testing.T) { askDuckDB(t, ask) })
}

// duckdb runs the questions in its second argument, a list in JSON, in the folder that
// is the first one, and prints how many rows each answer has.
const duckdb = `import { DuckDBInstance } from '@duckdb/node-api'
process.chdir(process.argv[2])
const connection = await (await DuckDBInstance.create(':memory:')).connect()
for (const question of JSON.parse(process.argv[3])) {
	const answer = await connection.runAndReadAll(question)
	console.log(answer.currentRowCount)
}
`

func askDuckDB(t *testing.T, ask *sql.DB) {
	modules := peer.NPM(t, "@duckdb/node-api@1.5.6-r.1")
	node := peer.Program(t, "node", "nodejs")
	dir := t.TempDir()
	if err := ours.Write(t.Context(), ours.Disk(dir), ours.NewManifest(index.Listing{}, 0, 1), sqlite.Tables(t.Context(), ask)); err != nil {
		t.Fatal(err)
	}
	var questions, want []string
	for _, table := range index.Tables() {
		var n int
		if err := ask.QueryRow("select count(*) from " + table.Name).Scan(&n); err != nil {
			t.Fatal(err)
		}
		questions, want = append(questions, "select * from '"+table.Name+".parquet'"), append(want, fmt.Sprint(n))
	}
	page, err := os.ReadFile("../../../docs/index.md")
	if err != nil {
		t.Fatal(err)
	}
	_, shown, _ := strings.Cut(string(page), "## Ten questions to Parquet files")
	_, shown, _ = strings.Cut(shown, "```sql")
	shown, _, _ = strings.Cut(shown, "```")
	for q := range strings.SplitSeq(strings.TrimSpace(shown), ";") {
		if q != "" {
			questions = append(questions, q)
		}
	}
	script := filepath.Join(modules, "ask.mjs")
	list, err := json.Marshal(questions)
	if err == nil {
		err = os.WriteFile(script, []byte(duckdb), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(node, script, dir, string(list)).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got := strings.Fields(string(out))
	if len(got) != len(want)+10 || !slices.Equal(got[:len(want)], want) || slices.Contains(got[len(want):], "0") {
		t.Errorf("rows: %q, want %q and ten answers", got, want)
	}
}

// compareRows compares the rows of a file with those that were written. A name that
// is not UTF-8 stands in the column of raw bytes.
func compareRows(t *testing.T, table *index.Table, data []byte, rows iter.Seq2[[]any, error]) {
	_, got := read(t, data)
	next, stop := iter.Pull(got)
	defer stop()
	n := 0
	for row, err := range rows {
		if err != nil {
			t.Fatal(err)
		}
		read, _ := next()
		at := 0
		for k, c := range table.Columns() {
			if at >= len(read) {
				t.Fatalf("%s: row %d is missing", table.Name, n)
			}
			want := textOf(c, row[k])
			if got := read[at]; got != want && !(c.Raw && read[at+1] == fmt.Sprintf("%x", row[k])) {
				t.Fatalf("%s: %s of row %d is %s, want %s", table.Name, c.Name, n, got, want)
			}
			at++
			if c.Raw {
				at++
			}
		}
		n++
	}
	// The places of all blocks of real maps are too many: index tests them with samples.
	if _, more := next(); more || n == 0 && table.Name != "map_places" {
		t.Errorf("%s: %d rows, and more are there: %v", table.Name, n, more)
	}
}
