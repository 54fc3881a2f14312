//go:build linux

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"pakbox/internal/explore"
)

// session is a pakbox that goes on until it is told to end: what it printed,
// line by line, and whether it has ended by itself, which closes lines.
type session struct {
	lines <-chan string
	limit time.Duration // for one thing that is asked of it
}

// listen reads what a process prints.
func listen(r io.Reader) <-chan string {
	lines := make(chan string, 16)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(r); s.Scan(); {
			select {
			case lines <- s.Text():
			default: // nobody wants so many
			}
		}
	}()
	return lines
}

// more is what some questions of the page take beside the path of a file.
var more = map[string]string{
	"value": "at=body", "value-at": "space=0&offset=20", "bytes": "layer=file", "search": "q=gbx", "get": "at=mapName", "query": "q=.header",
}

// questions are all that the explorer's page asks and that change nothing.
var questions = explore.Questions(false)

// explorer asks the page's server everything about the damaged file.
func explorer(a *attack, box *sandbox) task {
	t := a.task(box, []string{"serve", "--no-browser", "--no-token", "--listen", "127.0.0.1:0", "in"})
	t.limit *= time.Duration(len(questions))
	t.during = func(ctx context.Context, s session) string {
		address, ok := <-s.lines
		if !ok {
			return "the explorer ended by itself"
		}
		client := &http.Client{Timeout: s.limit}
		defer client.CloseIdleConnections()
		for _, q := range questions {
			get := strings.TrimSuffix(address, "/") + "/api/" + q + "?path=" + url.QueryEscape(filepath.ToSlash(box.input)) + "&" + more[q]
			answer, err := client.Get(get)
			if err != nil {
				return fmt.Sprintf("%s: %v", q, err)
			}
			_, err = io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
			if err != nil || answer.StatusCode == http.StatusInternalServerError {
				return fmt.Sprintf("%s: %s, %v", q, answer.Status, err)
			}
		}
		return ""
	}
	return t
}

// mostMounted is how much is read of what a mount shows, in all.
const mostMounted = 64 << 20

// mounted walks through the damaged file as the kernel shows it and reads all
// that it can. It cannot be locked in: the kernel's device is outside.
func mounted(a *attack, box *sandbox) task {
	t := a.task(box, []string{"mount", box.input, "out"})
	out := filepath.Join(box.base, "out")
	t.root, t.dir = "", box.base
	t.env = append(t.env, "PAKBOX_KEYS="+filepath.Join(box.base, "keys"), "TMPDIR="+filepath.Join(box.base, "tmp"), "PATH="+os.Getenv("PATH"))
	t.during = func(ctx context.Context, s session) string {
		defer unix.Unmount(out, unix.MNT_DETACH) // whatever became of it
		for !isMount(out) {
			select {
			case _, ok := <-s.lines:
				if !ok {
					return "" // what cannot be opened is not mounted
				}
			case <-ctx.Done():
				return ""
			case <-time.After(5 * time.Millisecond):
			}
		}
		left := int64(mostMounted)
		err := fs.WalkDir(os.DirFS(out), ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil // it says so: that is all it has to do
			}
			if !filepath.IsLocal(name) || d.Type()&^(fs.ModeDir) != 0 {
				return fmt.Errorf("the mount shows %q, %v", name, d.Type())
			}
			f, err := os.Open(filepath.Join(out, name))
			if err != nil {
				return nil
			}
			defer f.Close()
			n, _ := io.Copy(io.Discard, io.LimitReader(f, left))
			if left -= n; left <= 0 {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil && !errors.Is(err, unix.ENOTCONN) { // the mount is gone: how it ended is judged
			return err.Error()
		}
		return ""
	}
	return t
}

// isMount reports whether the kernel shows another file system there.
func isMount(dir string) bool {
	var here, above unix.Stat_t
	return unix.Stat(dir, &here) == nil && unix.Stat(filepath.Dir(dir), &above) == nil && here.Dev != above.Dev
}

// canMount reports whether this machine lets programs be file systems.
func canMount() bool { return os.Geteuid() == 0 && exists("/dev/fuse") }
