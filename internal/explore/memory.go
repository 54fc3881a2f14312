package explore

import (
	"context"
	"runtime/metrics"
	"time"

	"pakbox/fault"
)

// maxGrowth is how much memory may come into use while a question in jq's
// language is answered: such a question can make values without end.
const maxGrowth = 512 << 20

var errMemory = fault.New(fault.Limit, "the question makes more values than fit in memory")

// withinMemory returns a context that ends when too much memory has come into
// use since, with the reason; stop ends the watch.
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
					cancel(errMemory)
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
