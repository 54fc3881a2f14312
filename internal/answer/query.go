package answer

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"runtime/metrics"
	"time"

	"github.com/itchyny/gojq"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/hint"
	"pakbox/internal/question"
	"pakbox/internal/wanted"
)

// queried are the results of a jq expression.
type queried struct {
	Results []json.RawMessage `json:"results" doc:"results in order"`
	Cut     bool              `json:"cut" doc:"whether there are more results"`
}

type queryParams struct {
	Q string `json:"q" arg:"" doc:"expression in jq's language"`
	// Each, if it is not nil, gets the results one by one instead of an answer.
	Each func(result any) error `json:"-"`
}

// FileQuery asks for the values of a file with a jq expression.
var FileQuery = question.New("query", "results of a jq expression over the document of dump", func(ctx context.Context, at *question.At, p queryParams) (*queried, error) {
	parsed, code, err := compileQuery(p.Q)
	if err != nil {
		return nil, err
	}
	out := &queried{Results: []json.RawMessage{}}
	if p.Each == nil {
		p.Each = func(v any) error {
			if out.Cut = at.Bounded && len(out.Results) == maxResults; out.Cut {
				return errEnough
			}
			line, err := gojq.Marshal(v)
			out.Results = append(out.Results, line)
			return err
		}
	}
	err = withDumper(ctx, at, func(d archive.Dumper) error {
		var b bytes.Buffer
		if err := writeDump(bounded(at, &b), at.Path, d, wanted.By(parsed)); err != nil {
			return err
		}
		dec := json.NewDecoder(&b)
		dec.UseNumber()
		var document any
		if err := dec.Decode(&document); err != nil {
			return err
		}
		if at.Bounded {
			watched, stop := withinMemory(ctx)
			defer stop()
			ctx = watched
		}
		return runQuery(ctx, code, document, p.Each)
	})
	if err == errEnough {
		err = nil
	}
	return out, err
})

// errEnough ends a query whose answer is full.
var errEnough = fault.New(fault.Limit, "there are more results")

// Limits of a query by a stranger: results, bytes of the document, and bytes of
// memory. Expressions can make values without end.
const (
	maxResults  = 1000
	maxDocument = 256 << 20
	maxGrowth   = 512 << 20
)

func compileQuery(text string) (*gojq.Query, *gojq.Code, error) {
	parsed, err := gojq.Parse(text)
	if err != nil {
		return nil, nil, hint.Usagef("the expression is not jq: %v", err)
	}
	code, err := gojq.Compile(parsed)
	if err != nil {
		return nil, nil, hint.Usagef("the expression is not jq: %v", err)
	}
	return parsed, code, nil
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
			return hint.Usagef("the expression does not fit the document: %v", err)
		}
		if err := each(v); err != nil {
			return err
		}
	}
}

// bounded limits what a stranger's question may write.
func bounded(at *question.At, w io.Writer) io.Writer {
	if !at.Bounded {
		return w
	}
	return &limited{w, maxDocument}
}

// limited refuses to write more than so much.
type limited struct {
	w    io.Writer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, fault.New(fault.Limit, "the file's values are too many to ask about here: use the command")
	}
	return l.w.Write(p)
}

// withinMemory returns a context that ends with a reason when too much memory
// has come into use; stop ends the watch.
func withinMemory(ctx context.Context) (watched context.Context, stop func()) {
	watched, cancel := context.WithCancelCause(ctx)
	before := heapInUse()
	go func() {
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-watched.Done():
				return
			case <-tick.C:
				if heapInUse() > before+maxGrowth {
					cancel(fault.New(fault.Limit, "the question makes more values than fit in memory"))
				}
			}
		}
	}()
	return watched, func() { cancel(nil) }
}

func heapInUse() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
