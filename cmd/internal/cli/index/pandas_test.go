package index_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/index/scan"
	"pakbox/index/sqlite"
	"pakbox/internal/testkit/peer"
)

// notebook runs a program as a notebook does: it prints the value of every line that is an
// expression, as a table in Markdown.
const notebook = `import ast, sys
import pandas as pd

def text(v):
    if isinstance(v, float) and v.is_integer():
        v = int(v)
    return 'null' if pd.isna(v) else str(v).replace('|', '\\|').replace('\n', ' ')

def line(cells):
    return '| ' + ' | '.join(cells) + ' |'

scope = {}
for node in ast.parse(sys.stdin.read()).body:
    if not isinstance(node, ast.Expr):
        exec(compile(ast.Module([node], []), 'page', 'exec'), scope)
        continue
    table = eval(compile(ast.Expression(node.value), 'page', 'eval'), scope)
    print(line(table.columns), '|' + ' --- |' * len(table.columns), *(line(map(text, row)) for row in table.itertuples(index=False)), '', sep='\n')
`

// The pandas forms of the questions in docs/index.md give the answers that stand there.
func TestPandas(t *testing.T) {
	python := peer.Python(t, "pandas")
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(root, "docs/index.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(data), "## Ten questions\n")
	section, code, _ := strings.Cut(section, "```python\n")
	code, _, ok := strings.Cut(code, "```\n")
	if !ok {
		t.Fatal("docs/index.md has no program in Python")
	}
	t.Chdir(root)
	dir := t.TempDir()
	db, err := sqlite.Open(t.Context(), filepath.Join(dir, "samples.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = scan.Run(t.Context(), db, []string{"samples"}, scan.Options{})
	db.Close()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "-c", notebook)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(code)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var questions, want []string
	for _, part := range strings.Split(section, "\n### ")[1:11] {
		question, answer, _ := strings.Cut(part, "\n")
		_, answer, _ = strings.Cut(answer, "\n```\n\n")
		questions, want = append(questions, question), append(want, strings.TrimSpace(answer))
	}
	got := strings.Split(strings.TrimSpace(string(out)), "\n\n")
	if len(got) != 10 {
		t.Fatalf("%d answers:\n%s", len(got), out)
	}
	for i, q := range questions {
		if got[i] != want[i] || !strings.Contains(code, "# "+q+"\n") {
			t.Errorf("%s\n%s\nwant\n%s", q, got[i], want[i])
		}
	}
}
