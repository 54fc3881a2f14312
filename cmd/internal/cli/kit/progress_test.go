package kit

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pakbox/archive"
)

// steps remembers how progress moves.
type steps struct {
	total int64
	moves []int64
}

func (s *steps) Begin(n int64)   { s.total += n }
func (s *steps) Advance(n int64) { s.moves = append(s.moves, n) }

// Progress moves while a file is read, not only when it is done, and an item that
// is read twice counts once.
func TestCountReading(t *testing.T) {
	const size = 1 << 20
	item := archive.Item{Name: "large", Size: size, Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(make([]byte, size))), nil
	}}
	p := new(steps)
	opts := archive.CreateOptions{Options: archive.Options{Progress: p}}
	items := CountReading([]archive.Item{item}, &opts)
	for range 2 {
		f, err := items[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, f, make([]byte, size/8)); err != nil {
			t.Fatal(err)
		}
		opts.Progress.Advance(size) // as formats do
	}
	var sum int64
	for _, n := range p.moves {
		sum += n
	}
	if len(p.moves) != 8 || sum != size {
		t.Errorf("it moved %d times, by %d of %d", len(p.moves), sum, size)
	}
}

// Without a count of bytes, the line has the elapsed time.
func TestMeterWithoutBytes(t *testing.T) {
	if line := meterLine("asking 3 of 7 files", 0, 0, 12*time.Second); line != "asking 3 of 7 files  12 s" || strings.Contains(line, "bytes") {
		t.Errorf(`line = %q; want line = "asking 3 of 7 files 12 s", line without "bytes"`, line)
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

// The steps of a format are hidden while its items are read; without a meter
// nothing is counted; errors of opening are returned unchanged.
func TestReadingIsNotCountedTwice(t *testing.T) {
	item := archive.Item{Name: "x", Size: 3, Open: func() (io.ReadCloser, error) { return nil, io.ErrUnexpectedEOF }}
	opts := archive.CreateOptions{}
	if CountReading([]archive.Item{item}, &opts); opts.Progress != nil {
		t.Error("there is a progress")
	}
	p := new(steps)
	opts.Progress = p
	if _, err := CountReading([]archive.Item{item}, &opts)[0].Open(); err != io.ErrUnexpectedEOF {
		t.Errorf("err = %v; want io.ErrUnexpectedEOF", err)
	}
	item.Open = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("12345")), nil } // longer than it should be
	f, err := counted([]archive.Item{item}, p)[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(f); err != nil || len(p.moves) != 1 || p.moves[0] != 3 {
		t.Errorf("err = %v, p.moves = %v; want no error, p.moves of length 1, p.moves[0] = 3", err, p.moves)
	}
}
