package kit

import (
	"bufio"
	"context"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/question"
	"pakbox/fact"
	"pakbox/fault"
)

type wordParams struct {
	Named string   `json:"named" arg:""`
	Large bool     `json:"large" request:""`
	Upper bool     `json:"upper" short:"u" doc:"in capitals"`
	With  string   `json:"with" short:"w" value:"TEXT" doc:"put TEXT after each TEXT"`
	Ghost choice   `json:"ghost" value:"N" doc:"only N"`
	Most  int      `json:"most" doc:"no more than that"`
	Scale float64  `json:"scale" short:"s" value:"N" doc:"N times as large"`
	Leave []string `json:"leave" doc:"leave these out"`
}

// choice is a text with a type of its own, like many parameters.
type choice string

// wordsAnswer is an answer of the test: the words in a name.
type wordsAnswer struct {
	Count int      `json:"count"`
	Words []string `json:"words"`
}

func (s *wordsAnswer) Found() bool { return slices.Contains(s.Words, "odd") }

func (s *wordsAnswer) Rows(file string) iter.Seq[fact.Record] {
	return func(yield func(fact.Record) bool) {
		for _, w := range s.Words {
			if !yield(fact.Cells(wordFacts, file, w, nil)) {
				return
			}
		}
	}
}

var wordFacts = []*fact.Fact{question.FileFact, {Name: "word", Kind: fact.Text}, {Name: "none", Kind: fact.Text}}

// together is an answer of several parts.
type together struct{ all []any }

func (t *together) Parts() []any { return t.all }

var questions question.Room

var words = question.New(&questions, "test.words", "The words of a name.", func(_ context.Context, at *question.At, p wordParams) (*wordsAnswer, error) {
	if strings.HasPrefix(at.Path, "bad") {
		return nil, fault.New(fault.Corrupt, "%s is bad", at.Path)
	}
	list := strings.Split(at.Path+p.With, "-")
	return &wordsAnswer{len(list), list}, nil
})

var parts = question.New(&questions, "test.parts", "Two parts.", func(context.Context, *question.At, question.NoParams) (*together, error) {
	return &together{[]any{&wordsAnswer{Count: 1}, &wordsAnswer{Count: 2}}}, nil
})

var picture = question.New(&questions, "test.picture", "A file.", func(_ context.Context, at *question.At, p wordParams) (*question.File, error) {
	return &question.File{Name: "x.txt", Data: []byte("of " + at.Path), Say: &wordsAnswer{Count: 3}}, nil
})

// The flags of a command are the parameters of its question; what is set before is what
// they are without a flag.
func TestFlagsOfQuestion(t *testing.T) {
	cmd := &cobra.Command{Use: "words"}
	p := wordParams{Most: 7}
	Flags(cmd, words, &p)
	flags := cmd.Flags()
	if err := flags.Parse([]string{"-u", "-w", "a", "--ghost", "2", "-s", "0.5", "--leave", "x,y", "--leave", "z"}); err != nil {
		t.Fatal(err)
	}
	if !p.Upper || p.With != "a" || p.Ghost != "2" || p.Scale != 0.5 || p.Most != 7 || strings.Join(p.Leave, "|") != "x,y|z" {
		t.Errorf(`p = %+v; want p.Upper = true, p.With = "a", p.Ghost = "2", p.Scale = 0.5, p.Most = 7, strings.Join(p.Leave, "|") = "x,y|z"`, p)
	}
	if err := flags.Parse([]string{"--most", "3"}); err != nil || p.Most != 3 {
		t.Errorf("err = %v, p = %+v; want no error, p.Most = 3", err, p)
	}
	if flags.Lookup("named") != nil || flags.Lookup("large") != nil || flags.Lookup("most").DefValue != "7" {
		t.Error("an argument became a flag, or the help lacks the default value")
	}
	// The word for the value is marked once, for the help.
	if got := flags.Lookup("with").Usage; got != "put `TEXT` after each TEXT" {
		t.Errorf("got = %v; want \"put `TEXT` after each TEXT\"", got)
	}
	if got := flags.Lookup("upper").Usage; got != "in capitals" {
		t.Errorf(`got = %v; want "in capitals"`, got)
	}
}

// A parameter whose type no flag can have is a mistake that every start of the command
// shows, not a flag that is missing.
func TestFlagOfUnknownType(t *testing.T) {
	type timed struct {
		At map[string]int `json:"at"`
	}
	q := question.New(&questions, "test.timed", "A map.", func(context.Context, *question.At, timed) (*wordsAnswer, error) { return nil, nil })
	defer func() {
		if recover() == nil {
			t.Error("the parameter makes no flag, and nobody notices")
		}
	}()
	p := q.NewParams()
	Flags(&cobra.Command{}, q, &p)
}

// asker is a run of the command "test words" with these files in a new folder.
func asker(t *testing.T, files ...string) (a *App, cmd *cobra.Command, output func() (stdout, stderr string)) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, name := range files {
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	a, stdout, stderr := testRun(t)
	root, test := &cobra.Command{Use: "pakbox"}, &cobra.Command{Use: "test"}
	cmd = &cobra.Command{Use: "words FILE..."}
	root.AddCommand(test)
	test.AddCommand(cmd)
	return a, cmd, func() (string, string) {
		a.Out.Flush()
		return stdout.String(), stderr.String()
	}
}

func printWords(a *App, name string, s *wordsAnswer) error {
	_, err := a.Out.WriteString(name + ": " + strings.Join(s.Words, " ") + "\n")
	return err
}

// Each file is asked about, in its order; what is found and what fails decides the exit
// code, and a line at the end counts them.
func TestAsk(t *testing.T) {
	for _, c := range []struct {
		args           string
		json           bool
		stdout, stderr string
		code           int
	}{
		{args: "a-b", stdout: "a-b: a b!\n"},
		{args: "a-b x", stdout: "a-b: a b!\nx: x!\n", stderr: "pakbox: 2 files looked at\n"},
		{args: "odd-b bad x", stdout: "odd-b: odd b!\nx: x!\n", stderr: "pakbox: bad is bad\npakbox: 3 files looked at, 1 with odd words, 1 failed\n", code: 1},
		{args: "odd-b", json: true, stdout: `{"schema":"pakbox.test.words/1","path":"odd-b","format":null,"count":2,"words":["odd","b!"]}` + "\n", code: 1},
		{args: "bad", json: true, stdout: `"kind":"corrupt"`, stderr: "pakbox: bad is bad\n", code: 1},
	} {
		a, cmd, output := asker(t, "a-b", "x", "odd-b", "bad")
		a.JSON = c.json
		if err := Ask(a, cmd, Many{}, strings.Fields(c.args), "with odd words", words, wordParams{With: "!"}, printWords); err != nil {
			t.Error(err)
		}
		stdout, stderr := output()
		same := stdout == c.stdout
		if strings.HasPrefix(c.stdout, `"`) {
			same = strings.Contains(stdout, c.stdout) && strings.Contains(stdout, `"schema":"pakbox.test.words/1","path":"bad"`)
		}
		if !same || stderr != c.stderr || a.Code != c.code {
			t.Errorf("%s: %q, %q, %d; want %q, %q, %d", c.args, stdout, stderr, a.Code, c.stdout, c.stderr, c.code)
		}
	}
	a, _, output := asker(t)
	a.JSON = true
	if err := AskOne(a, "x", parts, question.NoParams{}, nil); err != nil {
		t.Error(err)
	}
	if got, _ := output(); strings.Count(got, "\n") != 2 || !strings.Contains(got, `"count":1`) || !strings.Contains(got, `"count":2`) {
		t.Errorf("each part is a line: %q", got)
	}
}

// Answers that are lists are rows, if flags ask for that: CSV at once, a table at the end.
func TestAskRows(t *testing.T) {
	for _, c := range []struct {
		columns        Columns
		args           string
		usual          []string
		json           bool
		stdout, stderr string
		code           int
	}{
		{columns: Columns{}, args: "a-b", stdout: "a-b: a b\n"},
		{columns: Columns{csv: true}, args: "a-b x", stdout: "file,word,none\na-b,a,\na-b,b,\nx,x,\n", stderr: "pakbox: 2 files looked at\n"},
		{columns: Columns{csv: true, where: []string{"word=b"}}, args: "a-b x", stdout: "file,word,none\na-b,b,\n", stderr: "pakbox: 2 files looked at\n"},
		{columns: Columns{table: true}, args: "a-b odd", stdout: "FILE  WORD\na-b   a\na-b   b\nodd   odd\n", stderr: "pakbox: 2 files looked at, 1 odd\n", code: 1},
		{columns: Columns{csv: true, sort: []string{"-word"}}, args: "a-b x", stdout: "file,word\nx,x\na-b,b\na-b,a\n", stderr: "pakbox: 2 files looked at\n"},
		{columns: Columns{table: true}, usual: []string{"word"}, args: "a-b", stdout: "WORD\na\nb\n"},
		{columns: Columns{csv: true}, usual: []string{"word"}, args: "a-b", stdout: "file,word\na-b,a\na-b,b\n"},
		{columns: Columns{fields: []string{"word"}}, json: true, args: "bad a", stdout: `{"word":"a"}` + "\n", stderr: "pakbox: bad is bad\n", code: 1},
		{columns: Columns{table: true, where: []string{"word=c"}}, args: "a-b", stderr: "pakbox: nothing to list\n"},
	} {
		a, cmd, output := asker(t, "a-b", "x", "odd", "bad", "a")
		a.JSON = c.json
		facts := wordFacts
		if c.usual != nil {
			facts = nil
		}
		if err := AskRows(a, cmd, Many{}, strings.Fields(c.args), "odd", words, wordParams{}, &c.columns, facts, printWords, c.usual...); err != nil {
			t.Error(err)
		}
		stdout, stderr := output()
		if c.json { // the object of the failure stands before
			_, stdout, _ = strings.Cut(stdout, "}}\n")
		}
		if stdout != c.stdout || stderr != c.stderr || a.Code != c.code {
			t.Errorf("%+v of %s: %q, %q, %d; want %q, %q, %d", c.columns, c.args, stdout, stderr, a.Code, c.stdout, c.stderr, c.code)
		}
	}
	// A wrong flag is reported before any file is read.
	for _, c := range []Columns{{csv: true, fields: []string{"wrod"}}, {where: []string{"nothing"}}} {
		a, cmd, output := asker(t, "a")
		err := AskRows(a, cmd, Many{}, []string{"a"}, "odd", words, wordParams{}, &c, wordFacts, printWords)
		if stdout, stderr := output(); !question.IsUsage(err) || stdout+stderr != "" {
			t.Errorf(`%v: stdout = %q, stderr = %q; want question.IsUsage(err) = true, stdout + stderr = ""`, err, stdout, stderr)
		}
	}
	a, cmd, _ := asker(t, "a")
	if err := AskRows(a, cmd, Many{}, []string{"a"}, "odd", words, wordParams{}, &Columns{sort: []string{"none", "wrod"}}, wordFacts, printWords, "word"); err == nil || question.Hints(err)[0] != "did you mean word?" {
		t.Errorf(`err = %v, question.Hints(err) = %q; want an error, question.Hints(err)[0] = "did you mean word?"`, err, question.Hints(err))
	}
}

// An answer that is a file is written where the flags say, one for each input.
func TestMakeFile(t *testing.T) {
	a, cmd, output := asker(t, "a", "b")
	if err := MakeFile(a, cmd, Many{}, Output{Out: "{name}.made"}, ".txt", "drawing", []string{"a", "b"}, picture, wordParams{}); err != nil {
		t.Fatal(err)
	}
	made, _ := os.ReadFile("b.made")
	if stdout, stderr := output(); string(made) != "of b" || stdout != "" || stderr != "pakbox: wrote a.made, 4 bytes\npakbox: wrote b.made, 4 bytes\npakbox: 2 files read\n" {
		t.Errorf("made = %q, stdout = %q, stderr = %q; want made = \"of b\", stdout = \"\", stderr = \"pakbox: wrote a.made, 4 bytes\\npakbox: wrote b.made, 4 bytes\\npakbox: 2 files read\\n\"", made, stdout, stderr)
	}
	a, cmd, output = asker(t, "a")
	a.JSON = true
	if err := MakeFile(a, cmd, Many{}, Output{Dir: "out"}, ".txt", "drawing", []string{"a"}, picture, wordParams{}); err != nil {
		t.Fatal(err)
	}
	if stdout, _ := output(); !strings.HasPrefix(stdout, `{"schema":"pakbox.test.words/1","path":"a","format":`) || !strings.Contains(stdout, `"output":"out/a.txt","size":4,"sha256":`) || !strings.HasSuffix(stdout, `,"count":3,"words":null}`+"\n") {
		t.Errorf("stdout = %q", stdout)
	}
	if err := MakeFile(a, cmd, Many{}, Output{}, ".txt", "drawing", []string{"a", "a"}, picture, wordParams{}); !question.IsUsage(err) {
		t.Errorf("err = %v; want question.IsUsage(err) = true", err)
	}
}

// columned is a list whose columns depend on its file, and which writes CSV itself.
type columned struct{ wordsAnswer }

func (c *columned) Columns() (all []*fact.Fact, usual []string) {
	if c.Count == 1 {
		return nil, []string{"word"}
	}
	return wordFacts, []string{"word"}
}

func (c *columned) WriteRows(w *bufio.Writer, file string) error {
	_, err := fmt.Fprintf(w, "%s,%q\n", file, c.Words)
	return err
}

var columnedWords = question.New(&questions, "test.columned", "The words of a name.", func(ctx context.Context, at *question.At, p wordParams) (*columned, error) {
	s, err := words.Ask(ctx, at, p)
	if err != nil {
		return nil, err
	}
	return &columned{*s}, nil
})

// The columns come from the answer: the head is printed once, before the rows of the first
// file that has some, whichever file is read first.
func TestAskRowsOfTabled(t *testing.T) {
	for name, c := range map[string]struct {
		columns Columns
		args    string
		stdout  string
	}{
		"CSV written by the answer":      {Columns{csv: true}, "a-b a-b", "file,word,none\na-b,[\"a\" \"b\"]\na-b,[\"a\" \"b\"]\n"},
		"CSV of some fields":             {Columns{csv: true, fields: []string{"word"}}, "bad a-b", "word\na\nb\n"},
		"CSV without columns before":     {Columns{csv: true}, "x", "file,word\nx,x\n"},
		"no file could be read":          {Columns{csv: true}, "bad bad", ""},
		"usual columns of one file":      {Columns{table: true}, "a-b", "WORD\na\nb\n"},
		"a column of paths, if it helps": {Columns{table: true}, "a-b x", "WORD\na\nb\nx\n"},
	} {
		t.Run(name, func(t *testing.T) {
			a, _, output := asker(t, "a-b", "x", "bad")
			asking := Asking[wordParams, *columned]{Question: columnedWords, Columns: &c.columns, Always: true, Params: func(Input) wordParams { return wordParams{} }}
			many := Many{Jobs: 2}
			if _, err := asking.Each(a, many, "test.columned", "reading", func() []Input { return a.Inputs(many, "test.columned", strings.Fields(c.args)) }); err != nil && c.stdout != "" {
				t.Errorf(`err = %v; want no error or c.stdout = ""`, err)
			}
			if stdout, _ := output(); stdout != c.stdout {
				t.Errorf("%s = %q, want %q", c.args, stdout, c.stdout)
			}
		})
	}
}

// The follow-up of an answer also happens if the answer is printed as JSON.
func TestAskingUses(t *testing.T) {
	for _, json := range []bool{false, true} {
		a, cmd, _ := asker(t, "a-b")
		a.JSON = json
		used := 0
		asking := Asking[wordParams, *wordsAnswer]{Question: words, Print: printWords, Use: func(_ *App, _ string, s *wordsAnswer) error {
			used += s.Count
			return nil
		}}
		if err := asking.Run(a, cmd, Many{}, []string{"a-b"}, "", wordParams{}); err != nil || used != 2 {
			t.Errorf("with JSON %v: used %d words, want 2; %v", json, used, err)
		}
	}
}
