package index_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/index"
	"pakbox/index/ask"
	"pakbox/index/scan"
	"pakbox/index/sqlite"
)

var update = flag.Bool("update", false, "write the tables and answers into docs/index.md")

// docs/index.md has the tables as they are, and the answers that an index of
// samples/ gives.
func TestDocs(t *testing.T) {
	page, err := filepath.Abs("../../../../docs/index.md")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Dir(filepath.Dir(page)))
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "index.sqlite")
	db, err := sqlite.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := scan.Run(ctx, db, []string{"samples"}, scan.Options{}); err != nil {
		t.Fatal(err)
	}
	db.Close()
	x, err := ask.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	want := withTables(withAnswers(t, x, string(data)))
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want != string(data) {
		t.Error("docs/index.md differs from the output of an index: go test ./cmd/internal/cli/index -run TestDocs -update")
	}
}

// withAnswers is a page with the answer behind each question in SQL of its section.
func withAnswers(t *testing.T, x *ask.Index, page string) string {
	t.Helper()
	at := strings.Index(page, "## Ten questions")
	out, rest := page[:at], page[at:]
	end := strings.Index(rest, "\n## ") + 1
	rest, behind := rest[:end], rest[end:]
	questions := 0
	for {
		before, after, ok := strings.Cut(rest, "```sql\n")
		if !ok {
			break
		}
		query, after, _ := strings.Cut(after, "\n```\n")
		out += before + "```sql\n" + query + "\n```\n\n" + answerTable(t, x, query) + "\n"
		rest = ""
		if _, next, ok := strings.Cut("\n"+strings.TrimLeft(after, "\n"), "\n#"); ok { // the old answer ends at the next heading
			rest = "#" + next
		}
		questions++
	}
	if questions != 10 {
		t.Errorf("%d questions", questions)
	}
	return out + rest + behind
}

// answerTable is an answer in Markdown.
func answerTable(t *testing.T, x *ask.Index, query string) string {
	t.Helper()
	found, err := x.SQL(context.Background(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| %s |\n|%s\n", strings.Join(found.Columns, " | "), strings.Repeat(" --- |", len(found.Columns)))
	for row, err := range found.Rows(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range row {
			if v == nil {
				v = "null"
			}
			fmt.Fprintf(&b, "| %s ", strings.NewReplacer("|", `\|`, "\n", " ").Replace(fmt.Sprint(v)))
		}
		b.WriteString("|\n")
	}
	return b.String()
}

// withTables is a page with the tables of the index.
func withTables(page string) string {
	const begin, end = "<!-- tables -->\n", "<!-- end of tables -->\n"
	before, _, _ := strings.Cut(page, begin)
	var b strings.Builder
	b.WriteString("| table | |\n| --- | --- |\n")
	for _, t := range index.Tables() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", t.Name, strings.ReplaceAll(t.Doc, "|", `\|`))
	}
	return before + begin + b.String() + end
}
