package talk_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"pakbox"
	"pakbox/cmd/internal/source"
	"pakbox/cmd/internal/talk"
	"pakbox/nadeo/maps"
)

// line is a line of the output.
type line struct {
	ID     json.RawMessage
	Answer json.RawMessage
	Error  *struct{ Kind string }
	File   *struct{ Data []byte }
	Done   *struct{ Code int }
}

// A cancelled question ends, and later questions are answered.
func TestCancel(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // a command must not take the slot of a question
	questions, ask := io.Pipe()
	answers, say := io.Pipe()
	started := make(chan bool)
	l := &talk.Lines{Opener: source.NewOpener(pakbox.Formats()), Run: func(ctx context.Context, _ []string, _, _ io.Writer) int {
		close(started)
		<-ctx.Done()
		return 130
	}}
	served := make(chan error, 1)
	go func() { served <- l.Serve(t.Context(), questions, say); say.Close() }()
	io.WriteString(ask, `{"id":1,"run":["serve"]}`+"\n")
	<-started
	io.WriteString(ask, `{"id":2,"ask":"info","path":"../../../samples/hello.vpk"}`+"\n")
	lines := bufio.NewReader(answers)
	if got, _ := lines.ReadString('\n'); !strings.HasPrefix(got, `{"id":2,"answer":`) {
		t.Errorf("while a command runs: %s", got)
	}
	io.WriteString(ask, `{"cancel":1}`+"\n")
	if got, _ := lines.ReadString('\n'); got != `{"id":1,"done":{"code":130,"stdout":"","stderr":""}}`+"\n" {
		t.Errorf("the command that was cancelled: %s", got)
	}
	ask.Close()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// Commands run in the order of their lines. Even while many wait, a line that cancels one of
// them is read and answered at once.
func TestOrder(t *testing.T) {
	questions, ask := io.Pipe()
	answers, say := io.Pipe()
	goOn := make(chan bool)
	l := &talk.Lines{Opener: source.NewOpener(pakbox.Formats()), Run: func(_ context.Context, args []string, stdout, _ io.Writer) int {
		<-goOn
		return len(args[0])
	}}
	served := make(chan error, 1)
	go func() { served <- l.Serve(t.Context(), questions, say) }()
	for i := range 20 {
		fmt.Fprintf(ask, `{"id":%d,"run":[%q]}`+"\n", i, strings.Repeat("x", i))
	}
	lines := bufio.NewReader(answers)
	next := func(want string) {
		t.Helper()
		if got, _ := lines.ReadString('\n'); !strings.HasPrefix(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
	io.WriteString(ask, `{"cancel":7}`+"\n")
	next(`{"id":7,"error":{`)
	close(goOn)
	for i := range 20 {
		if i != 7 {
			next(fmt.Sprintf(`{"id":%d,"done":{"code":%d,`, i, i))
		}
	}
	ask.Close()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// The number of held lines is limited until one of them is answered.
func TestHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		questions, ask := io.Pipe()
		goOn := make(chan bool)
		l := &talk.Lines{Opener: source.NewOpener(pakbox.Formats()), Run: func(context.Context, []string, io.Writer, io.Writer) int {
			<-goOn
			return 0
		}}
		var out bytes.Buffer
		served := make(chan error, 1)
		go func() { served <- l.Serve(t.Context(), questions, &out) }()
		taken := 0
		go func() {
			fmt.Fprintf(ask, `{"run":[%q]}`+"\n", strings.Repeat("x", 10<<20)) // counts as 11 lines
			for taken = 1; taken < 400; taken++ {
				io.WriteString(ask, `{"run":["x"]}`+"\n")
			}
			ask.Close()
		}()
		synctest.Wait()
		if want := 1 + 256 - 11 + 1; taken != want { // the last is read, but not held
			t.Errorf("%d lines were taken, want %d", taken, want)
		}
		close(goOn)
		if err := <-served; err != nil || strings.Count(out.String(), "done") != 400 {
			t.Errorf("%v, %d answers", err, strings.Count(out.String(), "done"))
		}
	})
}

// FuzzLines: for any input, each answer is a line of JSON.
func FuzzLines(f *testing.F) {
	f.Add(`{"id":1,"ask":"ls","path":"../../../samples/hello.vpk","with":{"pattern":["*"]}}`)
	f.Add(`{"id":{"a":[]},"ask":"map.blocks","path":"../../../samples/trackmania/Sample.Map.Gbx","with":{"count":true}}`)
	f.Add("{\"cancel\":1}\n[]\n\n\"\"")
	f.Fuzz(func(t *testing.T, in string) {
		if strings.Contains(in, "run") {
			return
		}
		var out bytes.Buffer
		l := &talk.Lines{Opener: source.NewOpener(pakbox.Formats())}
		if err := l.Serve(t.Context(), strings.NewReader(in), &out); err != nil {
			t.Fatal(err)
		}
		for text := range strings.Lines(out.String()) {
			if !json.Valid([]byte(text)) {
				t.Fatalf("%q is answered %q", in, text)
			}
		}
	})
}

// A change can be previewed, saved elsewhere, and saved in place with a backup.
func TestChanges(t *testing.T) {
	dir := t.TempDir()
	data, err := os.ReadFile("../../../samples/trackmania/Sample.Map.Gbx")
	if err != nil {
		t.Fatal(err)
	}
	file, other := filepath.Join(dir, "a.Map.Gbx"), filepath.Join(dir, "b.Map.Gbx")
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	ask := func(with string) string {
		t.Helper()
		var out bytes.Buffer
		in := strings.NewReader(fmt.Sprintf(`{"id":1,"ask":"map.rename","path":%q,"with":%s}`+"\n", file, with))
		if err := (&talk.Lines{Opener: source.NewOpener(pakbox.Formats())}).Serve(t.Context(), in, &out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	nameOf := func(file string) string {
		t.Helper()
		m, err := maps.Open(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		return m.Name()
	}
	old := nameOf(file)
	if got := ask(`{"name":"New","dry_run":true}`); !strings.Contains(got, `"dry_run":true`) || !strings.Contains(got, `"old_name":`) || nameOf(file) != old {
		t.Errorf("dry run: %s; the name is %q", got, nameOf(file))
	}
	if got := ask(fmt.Sprintf(`{"name":"New","output":%q}`, other)); !strings.Contains(got, `"name":"New"`) || nameOf(file) != old || nameOf(other) != "New" {
		t.Errorf("with output: %s; the names are %q and %q", got, nameOf(file), nameOf(other))
	}
	if got := ask(fmt.Sprintf(`{"name":"Newer","output":%q}`, other)); !strings.Contains(got, `"error"`) || nameOf(other) != "New" {
		t.Errorf("an existing output is replaced: %s", got)
	}
	if got := ask(`{"name":"New","backup":true}`); !strings.Contains(got, `"old_size":`) || nameOf(file) != "New" {
		t.Errorf("in place: %s; the name is %q", got, nameOf(file))
	}
	if kept, err := os.ReadFile(file + ".bak"); err != nil || !bytes.Equal(kept, data) {
		t.Errorf("the old file is not kept: %v", err)
	}
	if got := ask(`{"nme":"x"}`); !strings.Contains(got, "did you mean name?") {
		t.Errorf("unknown parameter: %s", got)
	}
}
