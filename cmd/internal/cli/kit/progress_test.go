package kit

import (
	"testing"
	"testing/synctest"
	"time"
)

// Without a count of bytes, the line has the elapsed time.
func TestMeterWithoutBytes(t *testing.T) {
	if line := meterLine("asking 3 of 7 files", 0, 0, 12*time.Second); line != "asking 3 of 7 files  12 s" {
		t.Errorf("line = %q, want %q", line, "asking 3 of 7 files  12 s")
	}
}

// Work is shown after a second, and then ten times a second: how far it is, and how many
// files are done.
func TestMeterRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var screen recorder
		m := &meter{out: &screen, width: 100, start: time.Now(), stop: make(chan struct{})}
		label := "packing"
		m.label.Store(&label)
		go m.run()
		m.Begin(1 << 20)
		m.Begin(3 << 20)
		m.Advance(1 << 20)
		m.Advance(1 << 20)
		time.Sleep(time.Second - 1)
		if synctest.Wait(); len(screen) > 0 {
			t.Errorf("after less than a second: %q", screen)
		}
		time.Sleep(time.Nanosecond)
		want := "\rpacking  [#####.....]  50%  2.0 MiB of 4.0 MiB  2.0 MiB/s  0:01 left"
		if synctest.Wait(); string(screen) != want {
			t.Errorf("%q, want %q", screen, want)
		}
		m.files(3, 7)
		var none *meter
		none.files(1, 2) // draws nothing
		screen = nil
		time.Sleep(meterPeriod - 1)
		if synctest.Wait(); len(screen) > 0 {
			t.Errorf("too early: %q", screen)
		}
		time.Sleep(time.Nanosecond)
		want = "\rpacking 3 of 7 files  [#####.....]  50%  2.0 MiB of 4.0 MiB  1.8 MiB/s  0:01 left"
		if synctest.Wait(); string(screen) != want {
			t.Errorf("%q, want %q", screen, want)
		}
		close(m.stop)
	})
}

// The remaining time is in minutes and seconds, and omitted above a day.
func TestTimeLeft(t *testing.T) {
	for _, c := range []struct {
		done, total int64
		elapsed     time.Duration
		want        string
	}{
		{1, 2, time.Second, "x  [#####.....]  50%  1 byte of 2 bytes  1 byte/s  0:01 left"}, {1, 62, time.Second, "x  [..........]   2%  1 byte of 62 bytes  1 byte/s  1:01 left"},
		{2, 2, time.Second, "x  [##########] 100%  2 bytes of 2 bytes  2 bytes/s  0:00 left"}, {1, 86400, time.Second, "x  [..........]   0%  1 byte of 84.4 KiB  1 byte/s  1439:59 left"},
		{1, 86401, time.Second, "x  [..........]   0%  1 byte of 84.4 KiB  1 byte/s  -:-- left"}, {0, 0, 61 * time.Second, "x  61 s"}, {1, 0, time.Second, "x  1 byte  1 byte/s"}, {1, -1, time.Second, "x  1 byte  1 byte/s"},
	} {
		if got := meterLine("x", c.done, c.total, c.elapsed); got != c.want {
			t.Errorf("%d of %d: %q, want %q", c.done, c.total, got, c.want)
		}
	}
}
