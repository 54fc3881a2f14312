package kit

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"pakbox/fact"
)

// terminal opens a terminal of this width. shown returns what it shows, once that contains
// a text.
func terminal(t *testing.T, width uint16) (screen *os.File, shown func(until string) string) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { keyboard.Close() })
	fd := int(keyboard.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if screen, err = os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { screen.Close() })
	if err := unix.IoctlSetWinsize(int(screen.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: width}); err != nil {
		t.Fatal(err)
	}
	all := ""
	return screen, func(until string) string {
		t.Helper()
		buf := make([]byte, 4096)
		for end := time.Now().Add(10 * time.Second); !strings.Contains(all, until); {
			if time.Now().After(end) {
				t.Fatalf("no %q in %q", until, all)
			}
			n, err := keyboard.Read(buf)
			if all += strings.ReplaceAll(string(buf[:n]), "\r\n", "\n"); err != nil {
				t.Fatal(err)
			}
		}
		return all
	}
}

// A table takes the width of the terminal: columns without room are left out and named,
// unless they were asked for.
func TestTableOnTerminal(t *testing.T) {
	facts := []*fact.Fact{{Name: "file", Kind: fact.Text}, {Name: "kind", Kind: fact.Text}, {Name: "long", Kind: fact.Text}, {Name: "note", Kind: fact.Text}}
	for _, c := range []struct {
		columns Columns
		width   uint16
		want    string
		notes   string
	}{
		{Columns{table: true}, 40, "\x1b[1mFILE\x1b[0m                \x1b[1mLONG\x1b[0m\naaaaaaaaaaaaaaaaaa  llllllllllllllllll1\nbbbbbbbbbbbbbbbbbb  llllllllllllllllll2\n",
			"pakbox: the same in all rows: KIND k\npakbox: left out, for want of room: NOTE\npakbox: --fields chooses columns, --csv prints all\n"},
		{Columns{fields: []string{"file", "note", "long"}}, 32, "\x1b[1mFILE\x1b[0m       \x1b[1mNOTE\x1b[0m       \x1b[1mLONG\x1b[0m\naaaaaaaa…  nnnnnnnn…  lllllllll…\nbbbbbbbb…  mmmmmmmm…  lllllllll…\n", ""},
		{Columns{table: true, fields: []string{"kind"}}, 32, "\x1b[1mKIND\x1b[0m\nk\nk\n", ""},
	} {
		screen, shown := terminal(t, c.width)
		a, _, stderr := testRun(t)
		a.Env.Stdout, a.Out, a.colour = screen, newOutput(screen), colourAuto
		c.columns.facts = listed(facts...)
		for _, n := range [][]string{{"a", "n", "1"}, {"b", "m", "2"}} {
			if err := a.AddRow(&c.columns, fact.Cells(facts, strings.Repeat(n[0], 18), "k", strings.Repeat("l", 18)+n[2], strings.Repeat(n[1], 20))); err != nil {
				t.Fatal(err)
			}
		}
		if err := a.PrintRows(&c.columns, a.Outcome(), "file", "kind", "long", "note"); err != nil {
			t.Fatal(err)
		}
		a.Out.WriteString("END")
		a.Out.Flush()
		if got := strings.TrimSuffix(shown("END"), "END"); got != c.want || stderr.String() != c.notes {
			t.Errorf("%+v: %q, %q; want %q", c.columns, got, stderr, c.want)
		}
	}
}

// Progress is drawn on a terminal, in its width, unless the user wants quiet; a second
// label holds until its work ends.
func TestMeterOnTerminal(t *testing.T) {
	screen, shown := terminal(t, 70)
	a, _, _ := testRun(t)
	a.Err = screen
	end := a.Watch("packing")
	m := a.Meter
	if m == nil || a.Progress == nil || m.width != 69 {
		t.Fatalf("m = %+v; want m other than nil, a.Progress other than nil, m.width = 69", m)
	}
	relabelled := a.Watch("saving")
	if *m.label.Load() != "saving" || a.Meter != m {
		t.Error("the second label is not shown, or another meter draws it")
	}
	if relabelled(); *m.label.Load() != "packing" {
		t.Error("the first label does not come back")
	}
	m.show("half")
	a.Note("hello")
	if got := shown("hello\n"); got != "\rhalf\r    \rpakbox: hello\n" {
		t.Errorf("got = %q; want \"\\rhalf\\r \\rpakbox: hello\\n\"", got)
	}
	m.show("more")
	end()
	if a.Meter != nil || a.Progress != nil {
		t.Error("the meter is there still")
	}
	if got := shown("more\r    \r"); !strings.HasSuffix(got, "\rmore\r    \r") {
		t.Errorf("got = %q; want got ending in \"\\rmore\\r \\r\"", got)
	}
	end() // a second time is fine
	a.Quiet = true
	if a.Watch("x")(); a.Meter != nil {
		t.Error("a meter, though the user wants quiet")
	}
	for width, want := range map[uint16]int{0: 79, 19: 79, 20: 19} { // a terminal that does not know its width has a usual one
		a, _, _ := testRun(t)
		a.Err, _ = terminal(t, width)
		end := a.Watch("x")
		if a.Meter.width != want {
			t.Errorf("%d characters of %d", a.Meter.width, width)
		}
		end()
	}
}
