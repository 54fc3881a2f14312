//go:build namespaces

package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rclone/gofakes3"
	"github.com/rclone/gofakes3/s3mem"

	"pakbox/index/parquet"
	"pakbox/index/scan"
)

// The test of this file needs the rights of root and Linux: 'make namespaces' runs
// it.

const (
	bridge  = "pakbox0"
	gateway = "10.77.0.1"
	workers = 3
)

// TestMain is also the program that a worker's namespace needs: the job server sends
// its workers to localhost, which is another host there.
func TestMain(m *testing.M) {
	if port := os.Getenv("PAKBOX_FORWARD"); port != "" {
		l, err := net.Listen("tcp", "localhost:"+port)
		for err == nil {
			var c net.Conn
			if c, err = l.Accept(); err == nil {
				go forward(c, gateway+":"+port)
			}
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func forward(c net.Conn, to string) {
	defer c.Close()
	d, err := net.Dial("tcp", to)
	if err != nil {
		return
	}
	defer d.Close()
	go func() { io.Copy(d, c); d.(*net.TCPConn).CloseWrite() }()
	io.Copy(c, d)
}

func must(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", strings.Join(args, " "), err, out)
	}
}

// network makes a bridge, and a network namespace for each worker that reaches
// nothing but the bridge.
func network(t *testing.T) {
	t.Helper()
	exec.Command("ip", "link", "del", bridge).Run()
	must(t, "ip", "link", "add", bridge, "type", "bridge")
	t.Cleanup(func() { exec.Command("ip", "link", "del", bridge).Run() })
	must(t, "ip", "addr", "add", gateway+"/24", "dev", bridge)
	must(t, "ip", "link", "set", bridge, "up")
	for i := range workers {
		space, veth, peer := fmt.Sprint("pakbox-w", i), fmt.Sprint("pbv", i), fmt.Sprint("pbp", i)
		exec.Command("ip", "netns", "del", space).Run()
		exec.Command("ip", "link", "del", veth).Run()
		must(t, "ip", "netns", "add", space)
		t.Cleanup(func() { exec.Command("ip", "netns", "del", space).Run() })
		must(t, "ip", "link", "add", veth, "type", "veth", "peer", "name", peer)
		must(t, "ip", "link", "set", veth, "master", bridge, "up")
		must(t, "ip", "link", "set", peer, "netns", space)
		in := []string{"ip", "netns", "exec", space, "ip"}
		must(t, append(in, "addr", "add", fmt.Sprintf("10.77.0.%d/24", 10+i), "dev", peer)...)
		must(t, append(in, "link", "set", peer, "up")...)
		must(t, append(in, "link", "set", "lo", "up")...)
	}
}

// root is the whole file system of a worker: that of the image, if it is given, or
// else Beam's program alone.
func root(t *testing.T, boot string) string {
	t.Helper()
	dir := t.TempDir()
	if image := os.Getenv("PAKBOX_IMAGE_ROOT"); image != "" {
		must(t, "cp", "-r", image+"/.", dir)
	} else {
		must(t, "mkdir", "-p", filepath.Join(dir, "opt/apache/beam"))
		must(t, "mkdir", filepath.Join(dir, "tmp"))
		must(t, "cp", boot, filepath.Join(dir, "opt/apache/beam/boot"))
	}
	write(t, filepath.Join(dir, "etc", "passwd"), []byte("root:x:0:0:root:/:/none\n"))
	write(t, filepath.Join(dir, "etc", "hosts"), []byte("127.0.0.1 localhost\n")) // as runtimes of containers do
	return dir
}

// wrapperIn is what the job server starts for the worker of a namespace: Beam's boot
// in a network and a mount namespace of its own, with a root that no other has.
func wrapperIn(t *testing.T, i int, port string) (command, pids string) {
	t.Helper()
	dir, space := t.TempDir(), fmt.Sprint("pakbox-w", i)
	command, pids = filepath.Join(dir, "worker.sh"), filepath.Join(dir, "pids")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	relay := exec.Command("ip", "netns", "exec", space, self)
	relay.Env = append(os.Environ(), "PAKBOX_FORWARD="+port)
	relay.Stderr = os.Stderr
	if err := relay.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { relay.Process.Kill(); relay.Wait() })
	script := "#!/bin/sh\necho $$ >> " + pids + "\nfor a do shift; set -- \"$@\" \"$(printf %s \"$a\" | tr -d \"'\")\"; done\n" +
		"exec ip netns exec " + space + " unshare --mount --pid --fork --kill-child chroot " + root(t, tool(t, "container")) + " /opt/apache/beam/boot \"$@\"\n"
	if err := os.WriteFile(command, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { killAll(pids) })
	return command, pids
}

// Three jobs write two of six shards each. Each has a worker in a network and a mount
// namespace of its own: workers share nothing but an S3 server and the job server. One
// is killed while it works; its job is run again. The tables are those of index.
func TestNamespaces(t *testing.T) {
	network(t)
	backend := s3mem.New()
	if err := backend.CreateBucket(context.Background(), "files"); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", gateway+":0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: gofakes3.New(backend, gofakes3.WithV4Auth(map[string]string{"someone": secret})).Server()}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	for name, value := range map[string]string{"AWS_ENDPOINT_URL": "http://" + l.Addr().String(), "AWS_ACCESS_KEY_ID": "someone", "AWS_SECRET_ACCESS_KEY": secret} {
		t.Setenv(name, value)
	}
	s, err := client()
	if err != nil {
		t.Fatal(err)
	}
	input, n := collection(t), int64(0)
	scan.List(t.Context(), nil, input, func(one scan.ListEntry) {
		data, err := os.ReadFile(one.Path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 20 { // so that there is time to kill
			if err := s.Put(t.Context(), fmt.Sprintf("s3://files/in/%d/%s", i, strings.TrimPrefix(one.Path, filepath.ToSlash(input)+"/")), data); err != nil {
				t.Fatal(err)
			}
			n++
		}
	}, func(_ string, err error) { t.Error(err) })
	started := time.Now()
	want := localParts(t, "s3://files/in", 2*workers)
	t.Logf("%d objects; index --shard, all %d parts: %v", n, 2*workers, time.Since(started))

	binary, address := program(t), jobServer(t)
	_, port, _ := net.SplitHostPort(address)
	var commands, pids [workers]string
	for i := range workers {
		commands[i], pids[i] = wrapperIn(t, i, port)
	}
	job := func(ctx context.Context, i int) error {
		said, err := exec.CommandContext(ctx, binary, "--input", "s3://files/in", "--output", "s3://files/out", "--shards", fmt.Sprint(2*workers),
			"--only", fmt.Sprintf("%d-%d", 2*i+1, 2*i+2), "--runner=universal", "--endpoint="+address, "--environment_type=PROCESS",
			`--environment_config={"command":"`+commands[i]+`"}`, "--worker_binary="+binary).CombinedOutput()
		if err != nil {
			return fmt.Errorf("job %d: %w: %s", i, err, said[max(0, len(said)-300):])
		}
		return nil
	}
	out := storageOf("s3://files/out").folder("s3://files/out")
	started = time.Now()
	results := make(chan error, workers)
	doomed, cancel := context.WithCancel(t.Context())
	defer cancel()
	for i := range workers {
		ctx := t.Context()
		if i == 0 {
			ctx = doomed
		}
		go func() { results <- job(ctx, i) }()
	}
	killed := victim(t, pids[0])
	time.AfterFunc(10*time.Second, cancel) // this job server waits for ever for a worker that is dead
	t.Logf("%d processes of a worker were killed after %v", killed, time.Since(started))
	failed := 0
	for range workers {
		if err := <-results; err != nil {
			failed++
		}
	}
	if _, err := parquet.Read(t.Context(), out); failed != 1 || err == nil {
		t.Errorf("%d jobs failed, want 1; the folder is marked as complete: %v, want false", failed, err == nil)
	}
	os.Remove(pids[0])
	if err := job(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	m, err := parquet.Read(t.Context(), out)
	if err != nil || m.Files != n || m.Parts != 2*workers {
		t.Fatalf("m = %+v, err = %v; want no error, m.Files = %v, m.Parts = 2 * workers", m, err, n)
	}
	got := map[string][]byte{}
	for name := range want {
		if got[name], err = out.Get(t.Context(), name); err != nil {
			t.Error(err)
		}
	}
	same(t, "namespaces", got, want, false)
	t.Logf("%d files with the rows of index, after %v; rows: %v", len(got), time.Since(started), m.Rows["files"])
}

// victim waits until a worker is at work, and kills it.
func victim(t *testing.T, pids string) int {
	t.Helper()
	for range 30000 { // ten minutes
		data, _ := os.ReadFile(pids)
		for _, line := range strings.Fields(string(data)) {
			var pid int
			fmt.Sscan(line, &pid)
			for _, p := range children(pid) {
				if line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", p)); strings.Contains(string(line), "--worker=true") {
					time.Sleep(300 * time.Millisecond)
					return killAll(pids)
				}
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("no worker came")
	return 0
}
