package parquet_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pakbox/fact"
	"pakbox/index"
	"pakbox/index/parquet"
	"pakbox/index/scan"
	"pakbox/index/sqlite"
	"pakbox/internal/testkit/corpus"
	"pakbox/internal/testkit/peer"
)

// answer is the answer of DuckDB, another reader of Parquet files, to a question.
type answer struct {
	columns []string
	rows    iter.Seq[[]string]
}

// duckdb asks DuckDB questions in a folder. The answers come one after the other, and each
// has to be read before the next.
func duckdb(t *testing.T, dir string, questions ...string) iter.Seq2[int, answer] {
	t.Helper()
	node, modules := peer.Program(t, "node", "nodejs"), peer.NPM(t, "@duckdb/node-api@1.5.6-r.1")
	program, err := os.ReadFile("testdata/ask.mjs")
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(modules, "ask.mjs") // beside its modules
	if err := os.WriteFile(script, program, 0o666); err != nil {
		t.Fatal(err)
	}
	list, err := json.Marshal(questions)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, script, dir, string(list))
	var trouble bytes.Buffer
	cmd.Stderr = &trouble
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := json.NewDecoder(out)
	line := func() (row []string) {
		if err := lines.Decode(&row); err != nil {
			t.Fatalf("%v, %v\n%s", err, cmd.Wait(), &trouble)
		}
		return row
	}
	return func(yield func(int, answer) bool) {
		for i := range questions {
			rows := func(yield func([]string) bool) {
				for row := line(); row != nil; row = line() {
					if !yield(row) {
						return
					}
				}
			}
			if !yield(i, answer{line(), rows}) {
				return
			}
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v\n%s", err, &trouble)
		}
	}
}

// DuckDB finds in the file of testdata what TestGolden wrote there: every type, with nulls,
// lists, a name that is not UTF-8, three groups, the version of the schema and statistics.
func TestGoldenInDuckDB(t *testing.T) {
	want := []string{
		"7 -3 0.5 true a null 9 [1 null 3] 30313233343536373839616263646566 1580638830500000 us null null null null null null",
		`0 0 0 false b\xffé 62ffc3a9 null [null] ` + strings.Repeat("00", 16) + strings.Repeat(" null", 7),
		"0 0 0 false  null null [] " + strings.Repeat("00", 16) + strings.Repeat(" null", 7),
		"8 0 0 false  null null [] " + strings.Repeat("00", 16) + strings.Repeat(" null", 7),
	}
	for n := range 20_100 {
		maybe := "null"
		if n%20 < 10 {
			maybe = fmt.Sprint(n)
		}
		want = append(want, fmt.Sprintf("%d 0 %d %v  null %s [] %s%s", n*n%300, n, n%3 == 0, maybe, strings.Repeat("00", 16), strings.Repeat(" null", 7)))
	}
	wants := [][]string{want, {"0 3 0 7", "1 1 8 8", "2 20100 0 289"}, {fmt.Sprint(index.Version)}}
	for i, a := range duckdb(t, "testdata", "from 'types.parquet'",
		"select row_group_id, row_group_num_rows, stats_min_value, stats_max_value from parquet_metadata('types.parquet') where path_in_schema = 'number' order by 1",
		"select decode(value) from parquet_kv_metadata('types.parquet') where decode(key) = 'pakbox.schema_version'") {
		if got := strings.Join(a.columns, " "); i == 0 && got != "number small real yes text text_raw maybe list hash moment none1 none2 none3 none4 none5 none6" {
			t.Errorf("columns %s", got)
		}
		n := 0
		for row := range a.rows {
			if got := strings.Join(row, " "); n < len(wants[i]) && got != wants[i][n] {
				t.Fatalf("row %d is\n%s, want\n%s", n, got, wants[i][n])
			}
			n++
		}
		if n != len(wants[i]) {
			t.Errorf("%d rows, want %d", n, len(wants[i]))
		}
	}
}

// DuckDB finds the same columns and the same values in every table of the index. The first
// has more rows than a group holds; the file of TestGolden has more than a page holds.
func TestEveryTableInDuckDB(t *testing.T) {
	dir := t.TempDir()
	rows := func(table *index.Table) iter.Seq2[[]any, error] {
		many := 1_000
		if table == index.Tables()[0] {
			many = 125_000
		}
		return func(yield func([]any, error) bool) {
			for i := range many {
				row := make([]any, len(table.Columns()))
				for k, c := range table.Columns() {
					row[k] = valueOf(c, i*7+k)
				}
				if !yield(row, nil) {
					return
				}
			}
		}
	}
	if err := export(dir, 0, 1, rows); err != nil {
		t.Fatal(err)
	}
	compareTables(t, dir, rows)
}

func valueOf(c index.Column, seed int) any {
	if c.Null && seed%3 == 0 {
		return nil
	}
	switch c.Type {
	case index.Integer:
		if c.Kind == fact.Moment {
			return int64(seed) * 1_000_000_007
		}
		return int64(seed%5000) * 1_000_000_000_000_007
	case index.Real:
		return float64(seed) / 3
	case index.Boolean:
		return seed%2 == 0
	case index.Text:
		return fmt.Sprintf("é%d", seed%70_000)
	case index.Bytes:
		data := make([]byte, c.Size)
		for i := range data {
			data[i] = byte(seed + i)
		}
		return data
	}
	list := make([]*int64, seed%4)
	for i := range list {
		if (seed+i)%3 != 0 {
			list[i] = number(int64(seed+i) * 1_000_000_000_000_007)
		}
	}
	return list
}

// compareTables compares what DuckDB reads in a folder with the rows that were written.
func compareTables(t *testing.T, dir string, rows func(*index.Table) iter.Seq2[[]any, error]) {
	t.Helper()
	var questions []string
	for _, table := range index.Tables() {
		questions = append(questions, "from '"+table.Name+".parquet'")
	}
	for i, a := range duckdb(t, dir, questions...) {
		table := index.Tables()[i]
		next, stop := iter.Pull2(rows(table))
		n := 0
		for got := range a.rows {
			row, err, more := next()
			if err != nil || !more {
				t.Fatalf("%s: row %d is %v, want no more, %v", table.Name, n, got, err)
			}
			for _, c := range table.Columns() {
				value := row[0]
				if row = row[1:]; !same(c, value, got[0]) && !(c.Raw && got[1] == fmt.Sprintf("%x", value)) {
					t.Fatalf("%s: %s of row %d is %s, want %v", table.Name, c.Name, n, got[0], value)
				}
				if got = got[1:]; c.Raw {
					got = got[1:]
				}
			}
			n++
		}
		_, _, more := next()
		stop()
		// The places of all blocks of real maps are too many: index tests them with samples.
		if more || n == 0 && table.Name != "map_places" {
			t.Errorf("%s: %d rows, and more are there: %v", table.Name, n, more)
		}
	}
}

// same reports whether DuckDB read a value as it was written.
func same(c index.Column, value any, got string) bool {
	switch v := value.(type) {
	case nil:
		return got == "null"
	case string: // the decoder of JavaScript leaves out a mark of the byte order
		return got == strings.TrimPrefix(v, "\ufeff")
	case []byte:
		return got == fmt.Sprintf("%x", v)
	case float64:
		is, err := strconv.ParseFloat(got, 64)
		return err == nil && is == v
	case []*int64:
		texts := make([]string, len(v))
		for i, n := range v {
			if texts[i] = "null"; n != nil {
				texts[i] = fmt.Sprint(*n)
			}
		}
		return got == "["+strings.Join(texts, " ")+"]"
	case int64:
		if c.Kind == fact.Moment && c.Nano { // DuckDB's moments have microseconds
			return got == fmt.Sprint(v/1000, " us")
		}
		if c.Kind == fact.Moment {
			return got == fmt.Sprint(v*1000, " us")
		}
	}
	return got == fmt.Sprint(value)
}

// Every row of an index of the real files is in the Parquet files, in the same order, and
// the same rows give the same bytes. DuckDB answers the questions of docs/index.md.
func TestRealFilesInDuckDB(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "index.sqlite")
	db, err := sqlite.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = scan.Run(ctx, db, []string{corpus.Dir(t, "gbx"), corpus.Dir(t, "simutrans"), corpus.Dir(t, "vpk42"), corpus.Dir(t, "nadeopak"), corpus.Dir(t, "eterpack")},
		scan.Options{Indexer: index.Indexer{Check: true, Lint: true, Verify: true}})
	db.Close()
	if err != nil {
		t.Fatal(err)
	}
	ask, err := sqlite.OpenReadOnly(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer ask.Close()
	rows := sqlite.Tables(ctx, ask)
	dir, again := t.TempDir(), t.TempDir()
	for _, to := range []string{dir, again} {
		if err := parquet.Write(ctx, parquet.Disk(to), parquet.NewManifest(index.Fingerprint{}, 0, 1), rows); err != nil {
			t.Fatal(err)
		}
	}
	for _, table := range index.Tables() {
		name := parquet.FileName(table.Name, 0, 1)
		one, err := os.ReadFile(filepath.Join(dir, name))
		two, err2 := os.ReadFile(filepath.Join(again, name))
		if err != nil || err2 != nil || !bytes.Equal(one, two) {
			t.Errorf("%s: the same rows gave other bytes, or none: %v, %v", table.Name, err, err2)
		}
	}
	compareTables(t, dir, rows)

	page, err := os.ReadFile("../../docs/index.md")
	if err != nil {
		t.Fatal(err)
	}
	_, shown, _ := strings.Cut(string(page), "## Ten questions to Parquet files")
	_, shown, _ = strings.Cut(shown, "```sql")
	shown, _, _ = strings.Cut(shown, "```")
	questions := slices.DeleteFunc(strings.Split(strings.TrimSpace(shown), ";"), func(q string) bool { return q == "" })
	if len(questions) != 10 {
		t.Errorf("%d questions", len(questions))
	}
	for i, a := range duckdb(t, dir, questions...) {
		n := 0
		for range a.rows {
			n++
		}
		if n == 0 {
			t.Errorf("no answer to%s", questions[i])
		}
	}
}
