package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"

	"pakbox/index"
	"pakbox/index/parquet"
	"pakbox/index/scan"
	"pakbox/index/sqlite"
	"pakbox/index/store"
	"pakbox/internal/testkit/corpus"
)

const shards = 3

// collection is a folder with real files of several kinds, one that is damaged
// and one that cannot be known, and links to a file, to a folder and to nothing.
func collection(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	n := 0
	for _, pattern := range [][]string{{corpus.Dir(t, "gbx"), "*", "*.[Gg][Bb][Xx]"}, {corpus.Dir(t, "simutrans"), "pak", "*.pak"}, {corpus.Dir(t, "vpk42"), "*", "*.vpk"}} {
		for i, f := range corpus.Files(t, pattern...) {
			data, err := os.ReadFile(f)
			if err != nil || i%20 != 0 {
				continue
			}
			n++
			write(t, filepath.Join(dir, fmt.Sprint("part", n%3), filepath.Base(f)), data)
			if i == 0 {
				write(t, filepath.Join(dir, "cut", filepath.Base(f)), data[:len(data)/2])
			}
		}
	}
	write(t, filepath.Join(dir, "note.txt"), []byte("nothing"))
	for name, to := range map[string]string{"link.txt": "note.txt", "folder": "cut", "broken.txt": "none"} {
		t.Run(name, func(t *testing.T) {
			if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		})
	}
	return dir
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// local makes the shards without Beam: index --shard, with SQLite between.
func local(t *testing.T, input string) map[string][]byte {
	t.Helper()
	return localParts(t, input, shards)
}

// localParts makes so many parts.
func localParts(t *testing.T, input string, parts int) map[string][]byte {
	t.Helper()
	ctx, out := context.Background(), t.TempDir()
	var from *store.Store
	if store.Is(input) {
		var err error
		if from, err = client(); err != nil {
			t.Fatal(err)
		}
	}
	for i := range parts {
		file := filepath.Join(t.TempDir(), "index.sqlite")
		db, err := sqlite.Open(ctx, file)
		if err != nil {
			t.Fatal(err)
		}
		r, err := scan.Run(ctx, db, []string{input}, scan.Options{Shard: i, Shards: parts, Store: from})
		if err != nil {
			t.Fatal(err)
		}
		db.Close()
		ask, err := sqlite.OpenReadOnly(ctx, file)
		if err != nil {
			t.Fatal(err)
		}
		if err := parquet.Write(ctx, parquet.Disk(out), parquet.NewManifest(r.Listing, i, parts), sqlite.Tables(ctx, ask)); err != nil {
			t.Fatal(err)
		}
		ask.Close()
	}
	return files(t, out)
}

// files reads the Parquet files of a folder.
func files(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	for _, name := range names {
		if all[filepath.Base(name)], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// same compares files; some may be missing if the run is known to have failed.
func same(t *testing.T, what string, got, want map[string][]byte, partly bool) {
	t.Helper()
	if !partly && len(got) != len(want) {
		t.Errorf("%s: %d files, want %d", what, len(got), len(want))
	}
	for name, data := range got {
		if !bytes.Equal(data, want[name]) {
			t.Errorf("%s: %s differs: %d bytes, want %d", what, name, len(data), len(want[name]))
		}
	}
}

// program builds the pipeline without the version of a commit, which this test has not
// either.
func program(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "cluster")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", name, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return name
}

// tool is a program of Beam that go.mod names.
func tool(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "tool", "-n", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// jobServer starts Beam's own job server as a process, and gives its address.
func jobServer(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	cmd := exec.Command(tool(t, "prism"), "--job_port", strconv.Itoa(port), "--serve_http=false", "--log_level=error")
	log, err := os.Create(filepath.Join(t.TempDir(), "log")) // not ours: its workers keep it open
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait(); killWorkersOf(port) })
	address := fmt.Sprintf("127.0.0.1:%d", port)
	for range 300 {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return address
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("the job server does not answer")
	return ""
}

// wrapper is what the job server starts for a worker: Beam's boot, without the
// quotes that the server puts around its id. It notes its number, which those
// of its children follow from.
func wrapper(t *testing.T) (command, pids string) {
	t.Helper()
	dir := t.TempDir()
	command, pids = filepath.Join(dir, "worker.sh"), filepath.Join(dir, "pids")
	script := "#!/bin/sh\ncd " + dir + "\necho $$ >> " + pids + "\nfor a do shift; set -- \"$@\" \"$(printf %s \"$a\" | tr -d \"'\")\"; done\nexec " + tool(t, "container") + " \"$@\"\n"
	if err := os.WriteFile(command, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { killAll(pids) }) // workers outlive their jobs
	return command, pids
}

// killAll kills the workers that a wrapper noted, and returns their number.
func killAll(pids string) (n int) {
	data, _ := os.ReadFile(pids)
	for _, line := range strings.Fields(string(data)) {
		pid, _ := strconv.Atoi(line)
		for _, p := range append(children(pid), pid) {
			if process, err := os.FindProcess(p); err == nil && process.Kill() == nil {
				n++
			}
		}
	}
	return n
}

// killWorkersOf kills the workers of a job server that is gone. One that came in the
// moment in which its parent was killed is nobody's child, and would wait for ever.
func killWorkersOf(port int) {
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range lines {
		if line, _ := os.ReadFile(name); bytes.Contains(line, fmt.Appendf(nil, "--control_endpoint=localhost:%d\x00", port)) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			if process, err := os.FindProcess(pid); err == nil {
				process.Kill()
			}
		}
	}
}

func children(pid int) (list []int) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, name := range threads {
		data, _ := os.ReadFile(name)
		for _, s := range strings.Fields(string(data)) {
			child, _ := strconv.Atoi(s)
			list = append(append(list, child), children(child)...)
		}
	}
	return list
}

// The pipeline writes the bytes that index --shard writes: in its own process,
// through a job server, and with workers that are processes of their own. One
// whose worker is killed leaves no half file, and run again it writes the same.
func TestRunners(t *testing.T) {
	input := collection(t)
	want := local(t, input)
	if len(want) != shards*len(index.Tables()) {
		t.Fatalf("%d files", len(want))
	}
	binary, server := program(t), jobServer(t)
	run := func(ctx context.Context, out string, flags ...string) ([]byte, error) {
		args := append([]string{"--input", input, "--output", out, "--shards", fmt.Sprint(shards)}, flags...)
		return exec.CommandContext(ctx, binary, args...).CombinedOutput()
	}
	command, pids := wrapper(t)
	process := []string{"--runner=universal", "--endpoint=" + server, "--environment_type=PROCESS",
		`--environment_config={"command":"` + command + `"}`, "--worker_binary=" + binary}
	for name, flags := range map[string][]string{
		"in process":     nil,
		"job server":     {"--runner=universal", "--endpoint=" + server, "--environment_type=LOOPBACK"},
		"worker process": process,
	} {
		out := t.TempDir()
		if said, err := run(t.Context(), out, flags...); err != nil {
			t.Errorf("%s: %v\n%s", name, err, said)
			continue
		}
		same(t, name, files(t, out), want, false)
		if m, err := parquet.Read(t.Context(), parquet.Disk(out)); err != nil || m.Parts != shards || m.Files == 0 {
			t.Errorf("%s: m = %+v, err = %v; want no error, m.Parts = %v, m.Files other than 0", name, m, err, shards)
		}
	}
	killAll(pids)
	os.Remove(pids)
	if said, err := exec.Command(binary, "--input", input, "--output", t.TempDir(), "--shards", "0").CombinedOutput(); err == nil {
		t.Errorf("no shards: %s", said)
	}
	if said, err := exec.Command(binary, "--input", filepath.Join(input, "none"), "--output", t.TempDir()).CombinedOutput(); err == nil {
		t.Errorf("a folder that is not there: %s", said)
	}
	if said, err := exec.Command(binary, "--input", t.TempDir(), "--output", t.TempDir()).CombinedOutput(); err == nil {
		t.Errorf("a folder without files: %s", said)
	}
	out, cut := t.TempDir(), 0
	for wait := 50 * time.Millisecond; wait < time.Second; wait += 200 * time.Millisecond {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second) // a job whose worker never came waits for ever
		done := make(chan error, 1)
		go func() { _, err := run(ctx, out, process...); done <- err }()
		for {
			if _, err := os.Stat(pids); err == nil || ctx.Err() != nil {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		time.Sleep(wait)
		killAll(pids)
		os.Remove(pids)
		if n := len(files(t, out)); n < len(want) {
			cancel()
			cut++
		}
		<-done
		cancel()
		same(t, fmt.Sprint("killed after ", wait), files(t, out), want, true)
	}
	if cut == 0 {
		t.Error("no worker was killed before the end")
	}
	if said, err := run(t.Context(), out, process...); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	same(t, "run again", files(t, out), want, false)
	if said, err := exec.Command(binary, "--input", input, "--output", out, "--shards", "5").CombinedOutput(); err == nil || !strings.Contains(string(said), "of 3 parts, and these are 5") {
		t.Errorf("another number of shards: %v %s", err, said)
	}
}

// A store of objects gives the rows and files that a disk gives, but for the
// paths and times.
func TestObjects(t *testing.T) {
	ctx := context.Background()
	input := collection(t)
	store, err := filesystem.New(ctx, "memfs://in")
	if err != nil {
		t.Fatal(err)
	}
	disk := &index.Rows{}
	failed := func(path string, err error) { t.Errorf("path = %v, err = %v", path, err) }
	err = storageOf(input).list(ctx, input, func(one scan.ListEntry) {
		name := one.Path
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		w, err := store.OpenWrite(ctx, "memfs://in/"+strings.ReplaceAll(strings.TrimPrefix(name, input+"/"), "/", "-")) // this store has no folders
		if err != nil {
			t.Fatal(err)
		}
		w.Write(data)
		w.Close()
		rows, _, err := storageOf(name).rows(ctx, &index.Indexer{}, one)
		if err != nil {
			t.Fatal(err)
		}
		disk.Append(rows)
	}, failed)
	if err != nil {
		t.Fatal(err)
	}
	objects := &index.Rows{}
	err = storageOf("memfs://in").list(ctx, "memfs://in", func(one scan.ListEntry) {
		rows, _, err := storageOf(one.Path).rows(ctx, &index.Indexer{}, one)
		if err != nil {
			t.Fatal(err)
		}
		objects.Append(rows)
	}, failed)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range index.Tables() {
		if got, want := objects.Len(table), disk.Len(table); got != want {
			t.Errorf("%s: %d rows, want %d", table.Name, got, want)
		}
	}
	out := t.TempDir()
	for _, dir := range []string{"memfs://out", out} {
		if err := parquet.Write(ctx, storageOf(dir).folder(dir), parquet.NewManifest(index.Fingerprint{}, 0, 1), tablesOf(disk)); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range files(t, out) {
		if got, err := read(ctx, store, "memfs://out/"+name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, want %d (%v)", name, len(got), len(want), err)
		}
	}
}
