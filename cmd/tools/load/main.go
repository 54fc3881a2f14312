// Load sends requests to pakbox serve as many people at once would. It prints the median
// and the 99th percentile of the waiting time for each question, beside the processor
// time of the equivalent command, and the peak memory of the server.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

func main() {
	var l load
	flag.StringVar(&l.program, "pakbox", "./pakbox", "the program to be asked")
	flag.StringVar(&l.dir, "files", "", "the `folder` of GBX files to ask about")
	flag.IntVar(&l.clients, "clients", 200, "how many ask at once")
	flag.DurationVar(&l.time, "time", 5*time.Minute, "for how long")
	flag.Parse()
	if err := l.run(); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

// load is the state of one run.
type load struct {
	program, dir string
	clients      int
	time         time.Duration

	mu     sync.Mutex
	took   map[string][]time.Duration
	failed map[string]int
}

// asked are the questions, with the equivalent commands.
var asked = []struct{ question, command string }{
	{"info?path=%s", "info --json"},
	{"thumbnail?path=%s", "map thumbnail -o -"},
	{"values?path=%s&at=body", "dump --json"},
	{"bytes?path=%s&layer=file", "cat"},
}

func (l *load) run() error {
	files, err := filepath.Glob(filepath.Join(l.dir, "*.[Gg]bx"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no GBX files in %q", l.dir)
	}
	cmd := exec.Command(l.program, "serve", "--no-browser", "--no-token", l.dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	defer cmd.Process.Kill()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return err
	}
	l.took, l.failed = map[string][]time.Duration{}, map[string]int{}
	ctx, cancel := context.WithTimeout(context.Background(), l.time)
	defer cancel()
	var all sync.WaitGroup
	for i := range l.clients {
		all.Go(func() { l.client(ctx, strings.TrimSpace(line), files, rand.New(rand.NewPCG(uint64(i), 1))) })
	}
	all.Wait()
	peak := memory(cmd.Process.Pid)
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
	l.report(files, peak)
	return nil
}

// client asks one question after the other. Sometimes it goes away before the answer is
// there.
func (l *load) client(ctx context.Context, base string, files []string, r *rand.Rand) {
	client := &http.Client{Transport: &http.Transport{}}
	root := filepath.Base(l.dir)
	for ctx.Err() == nil {
		q := asked[r.IntN(len(asked))].question
		path := root + "/" + filepath.Base(files[r.IntN(len(files))])
		one, cancel := context.WithTimeout(ctx, time.Minute)
		leaves := r.IntN(20) == 0
		if leaves {
			time.AfterFunc(time.Duration(r.IntN(20))*time.Millisecond, cancel)
		}
		start := time.Now()
		status, err := ask(one, client, base+"api/"+fmt.Sprintf(q, url.QueryEscape(path)))
		cancel()
		if leaves || ctx.Err() != nil {
			continue
		}
		l.mu.Lock()
		l.took[q] = append(l.took[q], time.Since(start))
		if err != nil || status >= 500 {
			l.failed[q]++
		}
		l.mu.Unlock()
	}
}

func ask(ctx context.Context, client *http.Client, address string) (int, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, err
	}
	answer, err := client.Do(r)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, err
}

func (l *load) report(files []string, peak string) {
	fmt.Printf("%d clients for %v on %d files; most memory %s\n\n", l.clients, l.time, len(files), peak)
	fmt.Println("| question | answers | failed | median | 99th | command | its processor time a file |\n|---|---|---|---|---|---|---|")
	for _, a := range asked {
		took := l.took[a.question]
		slices.Sort(took)
		if len(took) == 0 {
			continue
		}
		name, _, _ := strings.Cut(a.question, "?")
		fmt.Printf("| %s | %d | %d | %v | %v | `pakbox %s` | %v |\n", name, len(took), l.failed[a.question],
			took[len(took)/2].Round(100*time.Microsecond), took[len(took)*99/100].Round(100*time.Microsecond), a.command, l.cost(a.command, files).Round(100*time.Microsecond))
	}
}

// cost returns the processor time of a command per file, measured on some files.
func (l *load) cost(command string, files []string) time.Duration {
	var sum time.Duration
	n := min(len(files), 20)
	for _, f := range files[:n] {
		cmd := exec.Command(l.program, append(strings.Fields(command), f)...)
		cmd.Run() // a file without a thumbnail fails, and costs as much
		sum += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	return sum / time.Duration(n)
}

// memory returns the peak memory of a process, if the system reports it.
func memory(pid int) string {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return "unknown"
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			return strings.TrimSpace(rest)
		}
	}
	return "unknown"
}
