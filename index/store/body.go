package store

import (
	"context"
	"errors"
	"io"
	"time"

	"pakbox/fault"
)

// leastBytes must come in the time of [Store.Patience], so that a store that sends a byte
// now and then is given up too.
const leastBytes = 4096

// errStalled is why a request was cancelled.
var errStalled = errors.New("stalled")

// body is the body of an answer that must not stall.
type body struct {
	io.ReadCloser
	ctx      context.Context
	cancel   context.CancelCauseFunc
	path     string
	patience time.Duration
	timer    *time.Timer
	since    int // bytes since the timer began
}

// watched returns a body that ends with an error of the kind [fault.Access] if it stalls.
// cancel cancels the request of ctx.
func (s *Store) watched(ctx context.Context, cancel context.CancelCauseFunc, path string, of io.ReadCloser) *body {
	return &body{of, ctx, cancel, path, s.Patience, time.AfterFunc(s.Patience, func() { cancel(errStalled) }), 0}
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.since += n; b.since >= leastBytes {
		b.since = 0
		b.timer.Reset(b.patience)
	}
	if err != nil && err != io.EOF && context.Cause(b.ctx) == errStalled {
		err = fault.InFile(fault.New(fault.Access, "the store sent less than %d bytes in %v", leastBytes, b.patience), b.path)
	}
	return n, err
}

func (b *body) Close() error {
	b.timer.Stop()
	err := b.ReadCloser.Close()
	b.cancel(nil)
	return err
}
