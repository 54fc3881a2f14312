// Package parallel runs independent jobs, and jobs with ordered results. Both stop at the
// first error and when the context ends. No job starts while the running jobs cost more
// than the budget.
package parallel

import (
	"context"
	"iter"
	"math"
	"runtime"
	"sync"
)

// Workers returns n, or one per usable core if n is not positive.
func Workers(n int) int {
	if n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// Each calls work for 0 ≤ i < n on several goroutines.
func Each(ctx context.Context, workers, n int, work func(ctx context.Context, i int) error) error {
	return Ordered(ctx, workers, n, math.MaxInt64,
		func(int) int64 { return 0 },
		func(ctx context.Context, i int) (struct{}, error) { return struct{}{}, work(ctx, i) },
		func(int, struct{}) error { return nil })
}

// Ordered calls work for 0 ≤ i < n on several goroutines and passes the results to sink
// in order, on the calling goroutine. No job starts while the jobs that sink has not
// taken cost more than budget; a single job may cost more. Without a budget only a few
// jobs run ahead. The error is that of the lowest i.
func Ordered[R any](ctx context.Context, workers, n int, budget int64, cost func(i int) int64,
	work func(ctx context.Context, i int) (R, error), sink func(i int, r R) error) error {

	numbers := func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
	return Stream(ctx, min(Workers(workers), n), budget, numbers, cost, work, sink)
}

// Stream is Ordered for an unknown number of jobs. It iterates over jobs on its own
// goroutine.
func Stream[J, R any](ctx context.Context, workers int, budget int64, jobs iter.Seq[J], cost func(J) int64,
	work func(ctx context.Context, job J) (R, error), sink func(job J, r R) error) error {

	type result struct {
		value R
		err   error
	}
	type task struct {
		job  J
		cost int64 // asked once, because work may change the job
		done chan result
	}
	workers = Workers(workers)
	// The window leaves work for others while one worker has a large job. A budget limits
	// the memory of the results; without one, the window limits their number.
	window := 4 * workers
	if budget > 0 {
		window *= 8
	}
	gate := newGate(budget)

	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel() // runs first, because the goroutines that are waited for depend on it
	todo := make(chan task)
	order := make(chan task, window) // jobs whose results sink has not taken
	wg.Go(func() {
		defer close(order)
		defer close(todo)
		for job := range jobs {
			t := task{job, cost(job), make(chan result, 1)}
			select {
			case order <- t:
			case <-ctx.Done():
				return
			}
			if !gate.enter(ctx, t.cost) {
				return
			}
			select {
			case todo <- t:
			case <-ctx.Done():
				return
			}
		}
	})
	for range workers {
		wg.Go(func() {
			for t := range todo {
				v, err := work(ctx, t.job)
				t.done <- result{v, err}
				runtime.Gosched() // gives sink a turn, which would otherwise finish late and alone
			}
		})
	}
	for t := range order {
		select {
		case r := <-t.done:
			if r.err != nil {
				return r.err
			}
			if err := sink(t.job, r.value); err != nil {
				return err
			}
			gate.leave(t.cost)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return ctx.Err()
}

// gate admits jobs while the admitted jobs cost no more than the budget.
type gate struct {
	mu     sync.Mutex
	budget int64
	inside int64
	freed  chan struct{}
}

func newGate(budget int64) *gate { return &gate{budget: budget, freed: make(chan struct{}, 1)} }

// enter waits until the cost fits. A job counts at most as the whole budget, so that it
// fits when it is alone, and sums cannot overflow.
func (g *gate) enter(ctx context.Context, cost int64) bool {
	cost = min(cost, g.budget)
	for {
		g.mu.Lock()
		if g.inside+cost <= g.budget {
			g.inside += cost
			g.mu.Unlock()
			return true
		}
		g.mu.Unlock()
		select {
		case <-g.freed:
		case <-ctx.Done():
			return false
		}
	}
}

func (g *gate) leave(cost int64) {
	g.mu.Lock()
	g.inside -= min(cost, g.budget)
	g.mu.Unlock()
	select {
	case g.freed <- struct{}{}:
	default:
	}
}
