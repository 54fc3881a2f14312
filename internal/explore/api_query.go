package explore

import (
	"bytes"
	"context"
	"encoding/json"
	"io"

	"github.com/itchyny/gojq"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/answer"
)

// maxResults bounds the answers of one query, maxDocument the document that it
// is asked of.
const (
	maxResults  = 1000
	maxDocument = 256 << 20
)

// query answers a question in jq's language.
func (s *Explorer) query(c *call) (any, error) {
	parsed, err := gojq.Parse(c.param("q"))
	if err != nil {
		return nil, usage("the expression is not jq: %v", err)
	}
	code, err := gojq.Compile(parsed)
	if err != nil {
		return nil, usage("the expression is not jq: %v", err)
	}
	results := []json.RawMessage{}
	cut := false
	name := c.param("path")
	err = answer.WithDumper(c.Context(), s.opener.WithoutAsking(), name, func(d archive.Dumper) error {
		var b bytes.Buffer
		if err := answer.WriteDump(&limited{&b, maxDocument}, name, d, answer.WantedBy(parsed)); err != nil {
			return err
		}
		dec := json.NewDecoder(&b)
		dec.UseNumber()
		var document any
		if err := dec.Decode(&document); err != nil {
			return err
		}
		ctx, stop := withinMemory(c.Context())
		defer stop()
		for it := code.RunWithContext(ctx, document); ; {
			v, ok := it.Next()
			if !ok {
				return nil
			}
			if err, failed := v.(error); failed {
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				return usage("the expression does not fit the document: %v", err)
			}
			if cut = len(results) == maxResults; cut {
				return nil
			}
			line, err := gojq.Marshal(v)
			if err != nil {
				return err
			}
			results = append(results, line)
		}
	})
	if err != nil {
		return nil, err
	}
	return new(answer.Object).Add("results", results).Add("cut", cut), nil
}

// limited refuses to write more than so much.
type limited struct {
	w    io.Writer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, fault.New(fault.Limit, "the file's values are too many to ask about here: use pakbox query")
	}
	return l.w.Write(p)
}
