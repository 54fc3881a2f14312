package answer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/itchyny/gojq"

	"pakbox/archive"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
)

// queried are the results of a jq expression.
type queried struct {
	Results []json.RawMessage `json:"results" doc:"results in order" method:"result"`
	Cut     bool              `json:"cut" doc:"whether there are more results"`
}

type queryParams struct {
	Q string `json:"q" arg:"" doc:"expression in jq's language"`
	// Each, if not nil, receives the results one by one, and the answer has none.
	Each func(result any) error `json:"-"`
}

// FileQuery is the question for the results of a jq expression over a file.
var FileQuery = question.New(&room, "query", "results of a jq expression over the document of dump", func(ctx context.Context, at *question.At, p queryParams) (*queried, error) {
	parsed, err := gojq.Parse(p.Q)
	if err != nil {
		return nil, fault.Usagef("the expression is not jq: %v", err)
	}
	parts := wantedBy(parsed)
	ctx, code, w, stop, err := compileQuery(ctx, at, p.Q, parsed)
	if err != nil {
		return nil, fault.Usagef("the expression is not jq: %v", err)
	}
	defer stop()
	out := &queried{Results: []json.RawMessage{}}
	if p.Each == nil {
		p.Each = func(v any) error {
			if out.Cut = at.Bounded() && len(out.Results) == maxResults; out.Cut {
				return errEnough
			}
			line, err := gojq.Marshal(v)
			out.Results = append(out.Results, line)
			return err
		}
	}
	err = withDumper(ctx, at, func(d archive.Dumper) error {
		var b bytes.Buffer
		if err := writeDump(bounded(at, &b), at.Path, d, parts); err != nil {
			return err
		}
		dec := json.NewDecoder(&b)
		dec.UseNumber()
		var document any
		if err := dec.Decode(&document); err != nil {
			return err
		}
		w.begin()
		return runQuery(ctx, code, document, p.Each)
	})
	if err == errEnough {
		err = nil
	}
	return out, err
})

// errEnough ends a query whose answer has reached its limit.
var errEnough = fault.New(fault.Limit, "there are more results")

// compileQuery compiles an expression. For the HTTP service it adds checks, and the
// returned context ends when the expression takes too much memory.
func compileQuery(ctx context.Context, at *question.At, text string, parsed *gojq.Query) (context.Context, *gojq.Code, *watch, func(), error) {
	if !at.Bounded() {
		code, err := gojq.Compile(parsed)
		return ctx, code, nil, func() {}, err
	}
	ctx, w, stop := watched(ctx)
	code, err := guarded(text, w)
	return ctx, code, w, stop, err
}

func runQuery(ctx context.Context, code *gojq.Code, document any, each func(any) error) error {
	for results := code.RunWithContext(ctx, document); ; {
		v, ok := results.Next()
		if !ok {
			return nil
		}
		if err, failed := v.(error); failed {
			if halt, ok := err.(*gojq.HaltError); ok && halt.Value() == nil {
				return nil
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if errors.Is(err, errMemory) {
				return err
			}
			return fault.Usagef("the expression does not fit the document: %v", err)
		}
		if err := each(v); err != nil {
			return err
		}
	}
}

// bounded limits how much the HTTP service may write.
func bounded(at *question.At, w io.Writer) io.Writer {
	if !at.Bounded() {
		return w
	}
	return &limited{w, maxDocument}
}

// limited refuses to write a document whose values take too much memory.
type limited struct {
	w    io.Writer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	values := bytes.Count(p, []byte(",")) + bytes.Count(p, []byte("[")) + bytes.Count(p, []byte("{"))
	if l.left -= len(p) + valueBytes*values; l.left < 0 {
		return 0, fault.New(fault.Limit, "the file's values are too many to ask about here: use the command")
	}
	return l.w.Write(p)
}
