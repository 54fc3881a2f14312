package archivetest

import (
	"bufio"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pakbox/archive"
)

// killedVariable holds the path of the archive that a child process is to edit
// until it is killed.
const killedVariable = "ARCHIVETEST_KILLED"

// testKill kills a process while it puts a file into an archive. The archive must not
// change, and the next edit must remove the temporary files of the killed process.
func (f *fixture) testKill(t *testing.T) {
	path := f.made(t)
	p := f.open(t, path)
	if _, ok := p.Archive.(archive.Editor); !ok || f.Items == nil {
		return
	}
	p.Close()
	before, names := f.mustRead(t, path), slices.Sorted(maps.Keys(files(t, path)))
	child := exec.Command(os.Args[0], "-test.run=^"+rootOf(t.Name())+"$")
	child.Env = append(os.Environ(), killedVariable+"="+path)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	child.Process.Kill()
	rest, _ := io.ReadAll(out)
	child.Wait()
	if err != nil || line != reading {
		t.Fatalf("the child does not read: %v\n%s%s", err, line, rest)
	}
	if got := f.mustRead(t, path); !maps.Equal(got, before) {
		t.Error("the archive of a killed process changed")
	}
	time.Sleep(150 * time.Millisecond) // a process looks for stray files at most ten times a second
	if err := f.edit(t, path, archive.Edit{Remove: f.stored(f.Items[1].Name)}); err != nil {
		t.Fatal(err)
	}
	delete(before, f.stored(f.Items[1].Name))
	f.wantContents(t, path, before)
	for name := range files(t, path) {
		if !slices.Contains(names, name) {
			t.Errorf("a killed process left %s", filepath.Base(name))
		}
	}
}

// rootOf returns the name of a test without the names of its subtests.
func rootOf(name string) string {
	for i, c := range name {
		if c == '/' {
			return name[:i]
		}
	}
	return name
}

// reading is the line that the child prints when it has read half of its content.
const reading = "reading\n"

// beKilled puts an endless file into the archive at path. testKill ends the process
// meanwhile.
func (s Suite) beKilled(t *testing.T, path string) {
	if s.Items == nil {
		s.Items = s.someItems()
	}
	f := &fixture{Suite: s}
	endless := s.Items[0]
	endless.Name, endless.Size = "endless"+filepath.Ext(s.Items[0].Name), -1
	endless.Open = func() (io.ReadCloser, error) { return &never{}, nil }
	t.Fatalf("f.edit(t, path, archive.Edit{Put: &endless}) = %v", f.edit(t, path, archive.Edit{Put: &endless}))
}

// never is content that gives 4 MB, prints the line reading, and then waits forever.
type never struct{ n int }

func (r *never) Read(p []byte) (int, error) {
	if r.n > 4<<20 {
		os.Stdout.WriteString(reading)
		select {}
	}
	r.n += len(p)
	copy(p, Noise(1<<16))
	return len(p), nil
}

func (*never) Close() error { return nil }
