package parallel_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"testing"
	"time"

	"pakbox/internal/lib/parallel"
)

func TestOrderedKeepsOrder(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		var got []int
		err := parallel.Ordered(context.Background(), workers, 500, 10,
			func(int) int64 { return 3 },
			func(_ context.Context, i int) (int, error) {
				if i%7 == 0 {
					time.Sleep(time.Microsecond * time.Duration(i%50))
				}
				return i * i, nil
			},
			func(i, r int) error {
				if r != i*i {
					t.Errorf("job %d delivered %d", i, r)
				}
				got = append(got, i)
				return nil
			})
		if err != nil || len(got) != 500 {
			t.Fatalf("%d workers: %d results, %v", workers, len(got), err)
		}
		for i, v := range got {
			if i != v {
				t.Fatalf("result %d came at place %d", v, i)
			}
		}
	}
}

func TestOrderedStaysInBudget(t *testing.T) {
	var inside, most atomic.Int64
	err := parallel.Ordered(context.Background(), 8, 200, 100,
		func(i int) int64 { return int64(i % 90) },
		func(_ context.Context, i int) (int64, error) {
			now := inside.Add(int64(i % 90))
			for {
				m := most.Load()
				if now <= m || most.CompareAndSwap(m, now) {
					return int64(i % 90), nil
				}
			}
		},
		func(_ int, r int64) error { inside.Add(-r); return nil })
	if err != nil || most.Load() > 100 {
		t.Fatalf("at most %d in flight with a budget of 100, %v", most.Load(), err)
	}
}

func TestOneJobMayExceedTheBudget(t *testing.T) {
	n := 0
	err := parallel.Ordered(context.Background(), 2, 3, 10,
		func(int) int64 { return 50 },
		func(context.Context, int) (int, error) { return 1, nil },
		func(_, r int) error { n += r; return nil })
	if err != nil || n != 3 {
		t.Fatalf("%d done, %v", n, err)
	}
}

// Costs are what files claim: their sum must not overflow and open the gate.
func TestHugeCosts(t *testing.T) {
	var inside atomic.Int64
	err := parallel.Ordered(context.Background(), 4, 50, 100,
		func(int) int64 { return math.MaxInt64 },
		func(context.Context, int) (int64, error) {
			now := inside.Add(1)
			time.Sleep(time.Millisecond)
			return now, nil
		},
		func(i int, now int64) error {
			inside.Add(-1)
			if now > 1 {
				t.Errorf("job %d was not alone", i)
			}
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
}

func TestErrorOfTheLowestJobWins(t *testing.T) {
	for range 50 {
		err := parallel.Each(context.Background(), 4, 100, func(_ context.Context, i int) error {
			if i >= 20 {
				return fmt.Errorf("job %d", i)
			}
			time.Sleep(time.Microsecond * time.Duration(20-i))
			return nil
		})
		if err == nil || err.Error() != "job 20" {
			t.Fatalf("got %v", err)
		}
	}
}

func TestCancelStopsWork(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var started atomic.Int64
	err := parallel.Each(ctx, 2, 1_000_000, func(context.Context, int) error {
		if started.Add(1) == 10 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || started.Load() > 1000 {
		t.Fatalf("%d jobs ran, %v", started.Load(), err)
	}
}

func TestNothingToDo(t *testing.T) {
	if err := parallel.Each(context.Background(), 4, 0, nil); err != nil {
		t.Fatal(err)
	}
}

// Work may change what a job costs: what entered leaves.
func TestCostThatChanges(t *testing.T) {
	costs := []int64{60, 60, 60}
	n := 0
	err := parallel.Ordered(t.Context(), 2, len(costs), 64,
		func(i int) int64 { return costs[i] },
		func(_ context.Context, i int) (int, error) { costs[i] = 0; return 1, nil },
		func(_, r int) error { n += r; return nil })
	if err != nil || n != len(costs) {
		t.Errorf("%d done, %v", n, err)
	}
}
