package talk_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"pakbox"
	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/cmd/internal/talk"
	"pakbox/fact"
	"pakbox/fault"
)

// The end of one question must not end another, not even one with the same id or without one.
func TestSameID(t *testing.T) {
	for _, id := range []string{`"id":7,`, ""} {
		synctest.Test(t, func(t *testing.T) {
			questions, ask := io.Pipe()
			goOn := make(chan bool)
			var second error
			l := &talk.Lines{Opener: source.NewOpener(pakbox.Formats())}
			l.Run = func(ctx context.Context, args []string, _, _ io.Writer) int {
				if args[0] == "first" {
					<-goOn
					return 1
				}
				synctest.Wait() // until the first question has ended
				second = ctx.Err()
				return 2
			}
			served := make(chan error, 1)
			go func() { served <- l.Serve(t.Context(), questions, io.Discard) }()
			io.WriteString(ask, `{`+id+`"run":["first"]}`+"\n")
			synctest.Wait()
			io.WriteString(ask, `{`+id+`"run":["second"]}`+"\n")
			close(goOn)
			ask.Close()
			if err := <-served; err != nil || second != nil {
				t.Errorf("ids %q: %v; the second question was stopped with the first: %v", id, err, second)
			}
		})
	}
}

// A finished question is forgotten, and its context ends. Its id then belongs to
// the next question, which can be cancelled.
func TestOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		questions, ask := io.Pipe()
		goOn, over := make(chan bool), make(chan bool)
		var first context.Context
		var stopped bool
		l := &talk.Lines{Opener: source.NewOpener(pakbox.Formats())}
		l.Run = func(ctx context.Context, args []string, _, _ io.Writer) int {
			if args[0] == "first" {
				first = ctx
				<-goOn
				return 1
			}
			synctest.Wait()
			if first.Err() == nil {
				t.Error("the context of the first question was not cancelled")
			}
			go io.WriteString(ask, `{"cancel":7}`+"\n")
			synctest.Wait()
			stopped = ctx.Err() != nil
			close(over)
			return 2
		}
		served := make(chan error, 1)
		go func() { served <- l.Serve(t.Context(), questions, io.Discard) }()
		io.WriteString(ask, `{"id":7,"run":["first"]}`+"\n")
		synctest.Wait()
		io.WriteString(ask, `{"id":7,"run":["second"]}`+"\n")
		close(goOn)
		<-over
		ask.Close()
		if err := <-served; err != nil || !stopped {
			t.Errorf("%v; the second question was stopped: %t", err, stopped)
		}
	})
}

// The output of a command is returned unchanged: stdout as bytes, messages as text.
func TestCommand(t *testing.T) {
	l := &talk.Lines{Opener: source.NewOpener(pakbox.Formats()), Run: func(_ context.Context, args []string, stdout, stderr io.Writer) int {
		io.WriteString(stdout, "\x00\xff")
		io.WriteString(stderr, strings.Join(args, "|"))
		return 3
	}}
	var out strings.Builder
	if err := l.Serve(t.Context(), strings.NewReader(`{"id":{"a":1},"run":["ls","a b"]}`), &out); err != nil {
		t.Fatal(err)
	}
	if want := `{"id":{"a":1},"done":{"code":3,"stdout":"AP8=","stderr":"ls|a b"}}` + "\n"; out.String() != want {
		t.Errorf("%s, want %s", out.String(), want)
	}
	l.Run = func(context.Context, []string, io.Writer, io.Writer) int { return 0 }
	if err := l.Serve(t.Context(), strings.NewReader(`{"run":["x"]}`), &full{0}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a closed output: %v", err)
	}
}

// A session that is cancelled returns the error; lines that were read before are dropped.
func TestTalkEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out strings.Builder
	l := &talk.Lines{Opener: source.NewOpener(pakbox.Formats())}
	if err := l.Serve(ctx, strings.NewReader(strings.Repeat(`{"id":1,"ask":"none"}`+"\n", 3)), &out); !errors.Is(err, context.Canceled) || out.Len() != 0 {
		t.Errorf("err = %v, out.String() = %q; want err matching context.Canceled, out.Len() = 0", err, out.String())
	}
	broken := errors.New("broken")
	if err := l.Serve(t.Context(), io.MultiReader(strings.NewReader("\n"), failing{broken}), &out); !errors.Is(err, broken) {
		t.Errorf("an unreadable line: %v", err)
	}
}

type failing struct{ error }

func (f failing) Read([]byte) (int, error) { return 0, f.error }

// A question leaves no temporary file, and does not ask for a passphrase.
func TestAskLeavesNothing(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	o := source.NewOpener(pakbox.Formats())
	defer o.CleanUp()
	data, err := os.ReadFile("../../../samples/hello.vpk")
	if err != nil {
		t.Fatal(err)
	}
	ls, err := talk.Find("ls")
	if err != nil {
		t.Fatal(err)
	}
	o.Stdin = bytes.NewReader(data) // is copied to a temporary file
	asked := true
	o.Passphrase = func(r source.Request) (string, error) { asked = r.MayAsk; return "", nil }
	if reply, err := talk.Ask(t.Context(), question.At{Path: "-", Opener: o}, ls, nil); err != nil || reply == nil {
		t.Errorf("err = %v; want no error, reply other than nil", err)
	}
	if opts, err := o.WithoutAsking().Options("x"); err != nil {
		t.Error(err)
	} else if opts.Passphrase(); asked {
		t.Error("a question may prompt for a passphrase")
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left = %v, err = %v; want no error, len(left) at most 0", left, err)
	}
}

// An error in a nested file names that file, with the offset in it.
func TestPlaceOfProblem(t *testing.T) {
	p := question.ErrorAbout(fault.InFile(fault.At(fault.Corrupt, 9, "field", "bad"), "inner"), "outer")
	if p.File != "inner" || p.Offset == nil || *p.Offset != 9 || p.Kind != "corrupt" {
		t.Errorf(`p = %+v *p = %+v; want p.File = "inner", p.Offset other than nil, *p.Offset = 9, p.Kind = "corrupt"`, p, *p)
	}
	p = question.ErrorAbout(fault.Usagef("x").Hint("one").Hint("two"), "")
	if p.File != "" || !slices.Equal(p.Hints, []string{"one", "two"}) || p.Kind != "usage" {
		t.Errorf(`p = %+v; want p.File = "", p.Hints equal to []string{"one", "two"}, p.Kind = "usage"`, p)
	}
	if talk.KindOf(reflect.TypeFor[float32]()) != "number" || talk.KindOf(reflect.TypeFor[uint8]()) != "integer" {
		t.Error("wrong kinds of numbers")
	}
	if got := answer.Subjects(pakbox.Formats()); len(got) < 5 || slices.ContainsFunc(got, func(s *fact.Subject) bool { return s == nil }) {
		t.Errorf("%d subjects found", len(got))
	}
}
