package parallel_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"pakbox/internal/lib/parallel"
)

// A stream of jobs is done to its end, each job once and its result in its turn. The
// iterator is not asked for further jobs after a failure.
func TestStream(t *testing.T) {
	stop := errors.New("stop")
	for _, test := range []struct {
		name       string
		work, sink int // where these fail
		want       int // so many results are taken
		err        error
	}{
		{"everything", -1, -1, 300, nil},
		{"work fails", 7, -1, 7, stop},
		{"sink fails", -1, 9, 10, stop},
		{"both fail", 20, 20, 20, stop},
		{"the first fails", 0, -1, 0, stop},
	} {
		asked, ended := 0, false
		var got []string
		workers := 3
		if test.err == nil {
			workers = 0 // as many as there are cores
		}
		err := parallel.Stream(t.Context(), workers, 0, func(yield func(int) bool) {
			defer func() { ended = true }()
			for i := range 300 {
				if asked++; !yield(i) {
					return
				}
			}
		}, func(int) int64 { return 0 }, func(_ context.Context, i int) (string, error) {
			if i == test.work {
				return "", stop
			}
			return fmt.Sprint(i), nil
		}, func(i int, r string) error {
			got = append(got, r)
			if r != fmt.Sprint(i) {
				t.Errorf("%s: job %d delivered %s", test.name, i, r)
			}
			if i == test.sink {
				return stop
			}
			return nil
		})
		want := make([]string, test.want)
		for i := range want {
			want[i] = fmt.Sprint(i)
		}
		if err != test.err || !slices.Equal(got, want) || !ended {
			t.Errorf("%s: %v, %v; iteration ended: %v", test.name, got, err, ended)
		}
		if test.err != nil && asked == 300 {
			t.Errorf("%s: all jobs were asked for", test.name)
		}
	}
}

// A job that waits for the budget does not start when the context ends instead.
func TestEndsWhileAJobWaits(t *testing.T) {
	for range 30 {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var started atomic.Int64
			ended := make(chan error)
			go func() {
				ended <- parallel.Ordered(ctx, 4, 10, 100, func(int) int64 { return 60 },
					func(ctx context.Context, _ int) (int, error) {
						started.Add(1)
						<-ctx.Done()
						return 0, nil
					}, func(int, int) error { return nil })
			}()
			synctest.Wait()
			cancel()
			if err := <-ended; !errors.Is(err, context.Canceled) || started.Load() != 1 {
				t.Errorf("%d jobs started, %v", started.Load(), err)
			}
		})
	}
}

// Every part of the budget is freed again, whether jobs were small or too large.
func TestBudgetIsFreed(t *testing.T) {
	for _, early := range []int64{0, 1, 33, 100, 101, 5000} {
		synctest.Test(t, func(t *testing.T) {
			const first = 20
			var started atomic.Int64
			release, ended := make(chan struct{}), make(chan error)
			go func() {
				ended <- parallel.Ordered(t.Context(), 8, 100, 100, func(i int) int64 {
					if i < first {
						return early
					}
					return 25
				}, func(_ context.Context, i int) (int, error) {
					if i >= first {
						started.Add(1)
						<-release
					}
					return i, nil
				}, func(int, int) error { return nil })
			}()
			synctest.Wait()
			if n := started.Load(); n != 4 {
				t.Errorf("%d jobs of a quarter at a time, after jobs that cost %d", n, early)
			}
			close(release)
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}

// The sink needs no lock for what only its caller uses: it runs where Ordered was called.
func TestSinkRunsInTheCaller(t *testing.T) {
	defer func() {
		if recover() != "from the sink" {
			t.Error("a panic of the sink does not reach the caller")
		}
	}()
	parallel.Ordered(t.Context(), 2, 1, 0, func(int) int64 { return 0 },
		func(context.Context, int) (int, error) { return 0, nil },
		func(int, int) error { panic("from the sink") })
}
