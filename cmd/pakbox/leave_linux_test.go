package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pakbox/internal/testkit/leak"
	"pakbox/nadeo/nadeotest/mapsample"
)

// server is a command that runs until somebody ends it, in a process group and with a
// folder for temporary files of its own.
type server struct {
	t          *testing.T
	cmd        *exec.Cmd
	in         io.WriteCloser
	out        *bufio.Reader
	outputFile string // the file with its standard error
	work       string // the folder it works on
	tmp        string
	address    *url.URL // what it printed, for some
	fresh      int      // numbers what is written
	waitDone   chan error
}

// line reads a line of standard output.
func (s *server) line() string {
	s.t.Helper()
	text, err := s.out.ReadString('\n')
	if err != nil {
		outputFile, _ := os.ReadFile(s.outputFile)
		s.t.Fatalf("%v ends: %v\n%s", s.cmd.Args, err, outputFile)
	}
	return strings.TrimSpace(text)
}

// saidTimes waits until standard error has a text so many times.
func (s *server) saidTimes(text string, n int) {
	s.t.Helper()
	for until := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		outputFile, _ := os.ReadFile(s.outputFile)
		if strings.Count(string(outputFile), text) >= n {
			return
		}
		if time.Now().After(until) {
			s.t.Fatalf("%v did not print %q %d times:\n%s", s.cmd.Args, text, n, outputFile)
		}
	}
}

// ask sends a request over a connection of its own, and returns the body of the answer.
func (s *server) ask(method, path string, content []byte) string {
	s.t.Helper()
	u := *s.address
	u.Path, path, _ = strings.Cut(path, "?")
	query := u.Query()
	more, _ := url.ParseQuery(path)
	for k, v := range more {
		query[k] = v
	}
	u.RawQuery = query.Encode()
	r, err := http.NewRequest(method, u.String(), bytes.NewReader(content))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Close = true
	if token := s.address.Query().Get("token"); token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer w.Body.Close()
	body, err := io.ReadAll(w.Body)
	if err != nil || w.StatusCode >= 400 && w.StatusCode != http.StatusUnprocessableEntity {
		s.t.Fatalf("%s %s: %s %v\n%s", method, &u, w.Status, err, body)
	}
	return string(body)
}

func (s *server) openFiles() int {
	list, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", s.cmd.Process.Pid))
	return len(list)
}

// leaving are the commands that run until they are ended, and how each is used.
var leaving = []struct {
	name  string
	args  []string // WORK is the folder
	ready func(*server)
	use   func(*server)
	fuse  bool
	talks bool   // it also ends at the end of its input
	codes string // the exit codes of an interrupted run, if not 0
}{
	{name: "serve", args: []string{"serve", "--no-browser", "WORK"}, ready: (*server).readAddress, use: func(s *server) {
		s.ask("GET", "/api/info?path=work/maps/a.Map.Gbx", nil)
		s.ask("GET", "/api/ls?path=work/a.zip", nil)
		s.fresh++
		s.ask("POST", fmt.Sprintf("/api/drop?name=new%d.txt", s.fresh), []byte("dropped"))
	}},
	{name: "serve api", args: []string{"serve", "--api", "--listen", "127.0.0.1:0"}, ready: (*server).readAddress, use: func(s *server) {
		sample := s.read("maps/a.Map.Gbx")
		s.ask("POST", "/v1/info", sample)
		s.ask("POST", "/v1/map.blocks", sample[:len(sample)/2])
		s.ask("POST", "/v1/ls", s.read("a.zip"))
	}},
	{name: "serve webdav", args: []string{"serve", "--webdav", "--write", "WORK/a.zip"}, ready: (*server).readAddress, use: func(s *server) {
		s.fresh++
		name := fmt.Sprintf("/new%d.txt", s.fresh)
		s.ask("PUT", name, bytes.Repeat([]byte("put"), 1000))
		if got := s.ask("GET", name, nil); len(got) != 3000 {
			s.t.Errorf("%s has %d bytes", name, len(got))
		}
		s.ask("DELETE", name, nil)
	}},
	{name: "mount", args: []string{"mount", "--write", "WORK/a.zip", "WORK/mounted"}, fuse: true,
		ready: func(s *server) {
			for until := time.Now().Add(time.Minute); !isMounted(filepath.Join(s.work, "mounted")); time.Sleep(5 * time.Millisecond) {
				if time.Now().After(until) {
					s.t.Fatal("not mounted")
				}
			}
		},
		use: func(s *server) {
			s.fresh++
			name := filepath.Join("mounted", fmt.Sprintf("new%d.txt", s.fresh))
			if err := os.WriteFile(filepath.Join(s.work, name), bytes.Repeat([]byte("put"), 1000), 0o666); err != nil {
				s.t.Fatal(err)
			}
			if got := s.read(name); len(got) != 3000 {
				s.t.Errorf("%s has %d bytes", name, len(got))
			}
			if err := os.Remove(filepath.Join(s.work, name)); err != nil {
				s.t.Fatal(err)
			}
		}},
	{name: "mcp", args: []string{"mcp", "WORK"}, talks: true, codes: "3 -1", // the signal ends a command that has just started

		ready: func(s *server) {
			io.WriteString(s.in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`+"\n")
			s.line()
			io.WriteString(s.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
		},
		use: func(s *server) {
			for _, file := range []string{"work/maps/a.Map.Gbx", "work/a.zip", "work/none"} {
				fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"info","arguments":{"path":%q}}}`+"\n", file)
				if got := s.line(); !strings.Contains(got, `"id":2`) {
					s.t.Errorf("%s: %s", file, got)
				}
			}
		}},
	{name: "lsp", args: []string{"simutrans", "lsp"}, talks: true, codes: "3",
		ready: func(s *server) {
			s.call(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`)
		},
		use: func(s *server) {
			s.call(`{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///none.dat"},"position":{"line":0,"character":0}}}`)
		}},
	{name: "index watch", args: []string{"index", "--watch", "WORK/maps", "-o", "WORK/index.sqlite"},
		ready: func(s *server) { s.saidTimes("\n", 1) },
		use:   func(s *server) { s.changeMap("\n") }},
	{name: "lint watch", args: []string{"map", "lint", "--watch", "WORK/maps"}, codes: "1", // the maps have findings
		ready: func(s *server) {
			go io.Copy(io.Discard, s.out)
			s.saidTimes("waiting for changes", 1)
		},
		use: func(s *server) { s.changeMap("waiting for changes") }},
}

// readAddress reads the address, which is the first line.
func (s *server) readAddress() {
	u, err := url.Parse(s.line())
	if err != nil {
		s.t.Fatal(err)
	}
	s.address = u
}

func (s *server) read(name string) []byte {
	s.t.Helper()
	data, err := os.ReadFile(filepath.Join(s.work, name))
	if err != nil {
		s.t.Fatal(err)
	}
	return data
}

// call sends a message of the Language Server Protocol and reads the answer.
func (s *server) call(message string) {
	s.t.Helper()
	fmt.Fprintf(s.in, "Content-Length: %d\r\n\r\n%s", len(message), message)
	var n int
	if _, err := fmt.Sscanf(s.line(), "Content-Length: %d", &n); err != nil {
		s.t.Fatal(err)
	}
	s.line()
	if _, err := s.out.Discard(n); err != nil {
		s.t.Fatal(err)
	}
}

// changeMap adds a file to the watched folder, and waits until the command has
// reported it.
func (s *server) changeMap(says string) {
	s.fresh++
	before, _ := os.ReadFile(s.outputFile)
	name := filepath.Join(s.work, "maps", fmt.Sprintf("new%d.Map.Gbx", s.fresh))
	if err := os.WriteFile(name, s.read("maps/a.Map.Gbx"), 0o666); err != nil {
		s.t.Fatal(err)
	}
	s.saidTimes(says, strings.Count(string(before), says)+1)
}

// A command that runs until it is ended leaves nothing behind: no open file, no temporary
// file, no other process, and in the user's folders only their old files and saved
// changes.
func TestLeavesNothing(t *testing.T) {
	for _, command := range leaving {
		ends := []string{"interrupt", "terminated"}
		if command.talks {
			ends = append(ends, "end of input")
		}
		for i, end := range ends {
			t.Run(command.name+"/"+end, func(t *testing.T) {
				if command.fuse {
					needFUSE(t)
				}
				s := startServer(t, command.args)
				command.ready(s)
				for range 3 {
					command.use(s)
				}
				if i == 0 {
					files := s.openFiles()
					for range 12 {
						command.use(s)
					}
					leak.Settled(t, "open files", files, s.openFiles)
				}
				codes := "0"
				if command.codes != "" && end != "end of input" {
					codes = command.codes
				}
				s.end(end, codes)
			})
		}
	}
}

func startServer(t *testing.T, args []string) *server {
	dir := t.TempDir()
	s := &server{t: t, outputFile: filepath.Join(dir, "output"), work: filepath.Join(dir, "work"), tmp: filepath.Join(dir, "tmp"), waitDone: make(chan error, 1)}
	sample, err := mapsample.Map()
	if err != nil {
		t.Fatal(err)
	}
	for _, sub := range []string{"maps", "mounted"} {
		if err := os.MkdirAll(filepath.Join(s.work, sub), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(s.tmp, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.work, "maps", "a.Map.Gbx"), sample, 0o666); err != nil {
		t.Fatal(err)
	}
	mustRun(t, "create", filepath.Join(s.work, "a.zip"), filepath.Join(s.work, "maps")+"/")
	outputFile, err := os.Create(s.outputFile)
	if err != nil {
		t.Fatal(err)
	}
	defer outputFile.Close()
	s.cmd = exec.Command("pakbox")
	for _, arg := range args {
		s.cmd.Args = append(s.cmd.Args, strings.Replace(arg, "WORK", s.work, 1))
	}
	s.cmd.Env = append(os.Environ(), "TMPDIR="+s.tmp)
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	s.cmd.Stderr = outputFile
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.out = bufio.NewReader(out)
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL)
		syscall.Unmount(filepath.Join(s.work, "mounted"), syscall.MNT_DETACH)
	})
	return s
}

// end ends the command and looks at what it leaves.
func (s *server) end(how, codes string) {
	switch how {
	case "interrupt":
		s.cmd.Process.Signal(os.Interrupt)
	case "terminated":
		s.cmd.Process.Signal(syscall.SIGTERM)
	default:
		s.in.Close()
	}
	go func() {
		s.waitDone <- s.cmd.Wait()
	}()
	select {
	case <-s.waitDone:
		if code := fmt.Sprint(s.cmd.ProcessState.ExitCode()); !slices.Contains(strings.Fields(codes), code) {
			outputFile, _ := os.ReadFile(s.outputFile)
			s.t.Errorf("it ends with %v, want %s\n%s", s.cmd.ProcessState, codes, outputFile)
		}
	case <-time.After(30 * time.Second):
		s.t.Fatal("it does not end")
	}
	leak.Settled(s.t, "other processes", 0, func() int {
		if syscall.Kill(-s.cmd.Process.Pid, 0) == syscall.ESRCH {
			return 0
		}
		return 1
	})
	if left, err := os.ReadDir(s.tmp); err != nil || len(left) > 0 {
		s.t.Errorf("temporary files: %v %v", left, err)
	}
	left, err := os.ReadDir(s.work)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, e := range left {
		switch e.Name() {
		case "maps", "a.zip", "mounted", "index.sqlite":
		default:
			s.t.Errorf("%s is left beside the files", e.Name())
		}
	}
}
