package talk

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"sync"

	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
)

// maxLine limits the length of a line, so that endless input does not take endless
// memory.
const maxLine = 64 << 20

// maxHeld is how many lines may wait and be worked on. A line counts once more for each of
// its MiB.
const maxHeld = 256

// Lines answers questions that arrive as lines of JSON.
type Lines struct {
	Opener *source.Opener
	// Run runs a command and returns its exit code.
	Run func(ctx context.Context, args []string, stdout, stderr io.Writer) int

	mu      sync.Mutex // guards out and running
	out     io.Writer
	running map[string]*context.CancelFunc // the last question of each id
}

// request is one line: a question, a command, or the cancellation of either.
type request struct {
	ID     json.RawMessage            `json:"id"`
	Ask    string                     `json:"ask"`
	Path   string                     `json:"path"`
	With   map[string]json.RawMessage `json:"with"`
	Run    []string                   `json:"run"`
	Cancel json.RawMessage            `json:"cancel"`
}

// Serve answers each line of in with a line of out, until in ends. Each answer is written
// as soon as it is ready, so the order may differ. Commands run one at a time, in the order
// of their lines.
func (l *Lines) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	l.out, l.running = out, map[string]*context.CancelFunc{}
	held, places := make(chan struct{}, maxHeld), make(chan struct{}, runtime.GOMAXPROCS(0))
	before := make(chan struct{}) // closed when the command before has ended
	close(before)
	var working sync.WaitGroup
	defer working.Wait()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	for lines.Scan() && ctx.Err() == nil {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var r request
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			if err := l.fail(nil, "", fault.Usagef("the line is not a question: %v", err)); err != nil {
				stop(err)
			}
			continue
		}
		if r.Cancel != nil {
			l.cancel(r.Cancel)
			continue
		}
		cost := 1 + len(lines.Bytes())>>20
		if !hold(ctx, held, cost) {
			break
		}
		own, end := l.begin(ctx, r.ID)
		work := func() error { return l.question(own, &r, places) }
		if len(r.Run) > 0 {
			turn, next := before, make(chan struct{})
			before = next
			work = func() error { return l.command(own, &r, turn, next) }
		}
		working.Go(func() {
			if err := work(); err != nil {
				stop(err)
			}
			end()
			for range cost {
				<-held
			}
		})
	}
	working.Wait()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return lines.Err()
}

// hold waits until a line of some cost may be held. Otherwise lines do not wait for earlier
// ones, so that a line that cancels a question is always read.
func hold(ctx context.Context, held chan<- struct{}, cost int) bool {
	for range cost {
		select {
		case held <- struct{}{}:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// begin returns the context of a question, and a function for its end. Another question
// with the same id, or without one, goes on.
func (l *Lines) begin(ctx context.Context, id json.RawMessage) (own context.Context, end func()) {
	own, stop := context.WithCancel(ctx)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running[string(id)] = &stop
	return own, func() {
		stop()
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.running[string(id)] == &stop {
			delete(l.running, string(id))
		}
	}
}

// cancel stops a question. If it is already answered, nothing happens.
func (l *Lines) cancel(id json.RawMessage) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if stop := l.running[string(id)]; stop != nil {
		(*stop)()
	}
}

// command runs the command of a line when it is its turn, and then it is the turn of the
// next. An error means that the answer could not be written.
func (l *Lines) command(ctx context.Context, r *request, turn <-chan struct{}, next chan<- struct{}) error {
	defer func() { <-turn; close(next) }()
	select {
	case <-turn:
	case <-ctx.Done():
		return l.fail(r.ID, "", ctx.Err())
	}
	stdout, stderr := bytes.NewBuffer([]byte{}), new(bytes.Buffer)
	code := l.Run(ctx, r.Run, stdout, stderr)
	return l.write(r.ID, "done", ran{code, stdout.Bytes(), stderr.String()})
}

// question answers the question of a line in one of some places. An error means that the
// answer could not be written.
func (l *Lines) question(ctx context.Context, r *request, places chan struct{}) error {
	select {
	case places <- struct{}{}:
		defer func() { <-places }()
	case <-ctx.Done():
		return l.fail(r.ID, r.Path, ctx.Err())
	}
	q, err := Find(r.Ask)
	if err != nil {
		return l.fail(r.ID, r.Path, err)
	}
	if q.Change {
		done, err := Change(ctx, question.At{Path: r.Path, Opener: l.Opener}, q, r.With)
		if err != nil {
			return l.fail(r.ID, r.Path, err)
		}
		return l.write(r.ID, "answer", done)
	}
	reply, err := Ask(ctx, question.At{Path: r.Path, Opener: l.Opener}, q, r.With)
	if err != nil {
		return l.fail(r.ID, r.Path, err)
	}
	if f, ok := reply.Answer.(*question.File); ok {
		return l.write(r.ID, "file", sent{f.Name, f.Type, f.Data})
	}
	return l.write(r.ID, "answer", reply)
}

// sent is an answer that is a file.
type sent struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Data []byte `json:"data"`
}

// ran is the result of a command.
type ran struct {
	Code   int    `json:"code"`
	Stdout []byte `json:"stdout"`
	Stderr string `json:"stderr"`
}

func (l *Lines) fail(id json.RawMessage, path string, err error) error {
	return l.write(id, "error", question.ErrorAbout(err, path))
}

// write writes one line: an object with the id of the question and the result.
func (l *Lines) write(id json.RawMessage, what string, v any) error {
	var b bytes.Buffer
	if id == nil {
		id = json.RawMessage("null")
	}
	data, err := encode(v)
	if err != nil { // for example NaN, which JSON does not have
		return l.fail(id, "", fault.Usagef("the answer has a value without a form in JSON: %v", err))
	}
	fmt.Fprintf(&b, `{"id":%s,"%s":%s}`+"\n", id, what, data)
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err = l.out.Write(b.Bytes())
	return err
}

func encode(v any) ([]byte, error) {
	if m, ok := v.(json.Marshaler); ok { // package json would parse the JSON again
		return m.MarshalJSON()
	}
	return question.Marshal(v)
}
