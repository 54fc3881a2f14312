package busy

import (
	"errors"
	"testing"
	"time"
)

var errOpen, errOther = errors.New("open elsewhere"), errors.New("disk full")

// A file that is free again within a second is not an error; one that stays open is,
// and so is any other trouble, at once.
func TestRetry(t *testing.T) {
	for _, test := range []struct {
		what   string
		busy   int // how often the work fails
		fails  error
		tries  int
		waited time.Duration
		want   error
	}{
		{"free", 0, errOpen, 1, 0, nil},
		{"open for a moment", 3, errOpen, 4, 35 * time.Millisecond, nil},
		{"open for ever", 1000, errOpen, 9, 1275 * time.Millisecond, errOpen},
		{"another error", 1000, errOther, 1, 0, errOther},
	} {
		clock, tries := time.Time{}, 0
		start := clock
		err := retry(func() error {
			if tries++; tries <= test.busy {
				return test.fails
			}
			return nil
		}, func(err error) bool { return err == errOpen }, func() time.Time { return clock }, func(d time.Duration) { clock = clock.Add(d) })
		if err != test.want || tries != test.tries || clock.Sub(start) != test.waited {
			t.Errorf("%s: %v after %d tries in %v", test.what, err, tries, clock.Sub(start))
		}
	}
}
