package parallel_test

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"pakbox/internal/lib/parallel"
)

// stuck counts how many jobs are begun while none of those that stick ends.
func stuck(t *testing.T, workers int, budget, cost int64, sticks func(i int) bool) (begun int64) {
	synctest.Test(t, func(t *testing.T) {
		var started atomic.Int64
		release, ended := make(chan struct{}), make(chan error)
		go func() {
			ended <- parallel.Ordered(t.Context(), workers, 10_000, budget, func(int) int64 { return cost },
				func(_ context.Context, i int) (int, error) {
					started.Add(1)
					if sticks(i) {
						<-release
					}
					return i, nil
				}, func(int, int) error { return nil })
		}()
		synctest.Wait()
		begun = started.Load()
		close(release)
		if err := <-ended; err != nil || started.Load() != 10_000 {
			t.Errorf("%d jobs, %v", started.Load(), err)
		}
	})
	return begun
}

func TestWorkersAtATime(t *testing.T) {
	all := func(int) bool { return true }
	for workers, want := range map[int]int{1: 1, 3: 3, 0: runtime.GOMAXPROCS(0), -1: runtime.GOMAXPROCS(0)} {
		if got := stuck(t, workers, 1000, 1, all); got != int64(want) {
			t.Errorf("%d workers: %d jobs at a time, want %d", workers, got, want)
		}
	}
	// A budget is used to the full, and not beyond.
	for cost, want := range map[int64]int64{25: 4, 26: 3, 33: 3, 34: 2, 50: 2, 51: 1, 100: 1, 101: 1} {
		if got := stuck(t, 8, 100, cost, all); got != want {
			t.Errorf("jobs that cost %d of 100: %d at a time, want %d", cost, got, want)
		}
	}
}

// While the first job goes on, the results of others wait: few without a budget, more
// with one.
func TestRunsAhead(t *testing.T) {
	first := func(i int) bool { return i == 0 }
	const workers = 3
	few := stuck(t, workers, 0, 0, first)
	if few < 2*workers || few > 8*workers {
		t.Errorf("%d jobs run ahead without a budget", few)
	}
	if many := stuck(t, workers, 1<<20, 1, first); many < 4*few || many > 64*workers {
		t.Errorf("%d jobs run ahead with a budget, %d without", many, few)
	}
}

// When it returns, nothing of it runs any more, whatever ended it.
func TestNothingRunsOn(t *testing.T) {
	stop := errors.New("stop")
	for _, by := range []string{"work", "sink", "context"} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var running atomic.Int64
			err := parallel.Ordered(ctx, 4, 100, 0, func(int) int64 { return 0 },
				func(ctx context.Context, i int) (int, error) {
					running.Add(1)
					defer running.Add(-1)
					if i > 0 {
						<-ctx.Done() // ends late
						for range 1000 {
							runtime.Gosched()
						}
					}
					switch by {
					case "work":
						return 0, stop
					case "context":
						cancel()
					}
					return 0, nil
				}, func(int, int) error { return stop })
			if n := running.Load(); n != 0 || err == nil {
				t.Errorf("ended by %s: %d jobs run on, %v", by, n, err)
			}
		})
	}
}
