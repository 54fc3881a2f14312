package main

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"pakbox/internal/testkit/peer"
)

// drive is a network drive that a process of its own serves.
type drive struct {
	address, token string // without the token, which is the password
	cmd            *exec.Cmd
	said           bytes.Buffer
	done           chan error
}

func serveDrive(t *testing.T, args ...string) *drive {
	t.Helper()
	d := &drive{done: make(chan error, 1)}
	d.cmd = exec.Command("pakbox", append([]string{"serve", "--webdav"}, args...)...)
	d.cmd.Stderr = &d.said
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := d.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("no address: %v", err)
	}
	go func() { d.done <- d.cmd.Wait() }()
	t.Cleanup(func() {
		d.cmd.Process.Kill()
		<-d.done
		d.done <- nil
	})
	u, err := url.Parse(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	d.token, _ = u.User.Password()
	u.User = nil
	d.address = u.String()
	return d
}

// end interrupts the server and returns its output.
func (d *drive) end(t *testing.T) string {
	t.Helper()
	d.cmd.Process.Signal(os.Interrupt)
	select {
	case err := <-d.done:
		d.done <- err
		if err != nil {
			t.Errorf("serve ended with %v: %s", err, &d.said)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the server does not end")
	}
	return d.said.String()
}

// ask sends a request.
func (d *drive) ask(t *testing.T, method, path string, header map[string]string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(method, d.address+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.SetBasicAuth("anybody", d.token)
	for k, v := range header {
		if k == "Host" {
			r.Host = v
		} else if v == "" {
			r.Header.Del(k)
		} else {
			r.Header.Set(k, v)
		}
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(body)
}

// The rules of the page hold for the drive.
func TestWebDAVGuard(t *testing.T) {
	file, _ := newArchive(t, ".zip")
	d := serveDrive(t, file)
	for _, test := range []struct {
		method, path string
		header       map[string]string
		want         int
	}{
		{"GET", "readme.txt", nil, 200},
		{"GET", "readme.txt", map[string]string{"Authorization": ""}, 401},
		{"GET", "readme.txt", map[string]string{"Authorization": "Basic YTpi"}, 401},
		{"PROPFIND", "", map[string]string{"Authorization": ""}, 401},
		{"GET", "readme.txt", map[string]string{"Host": "evil.example"}, 421},
		{"GET", "readme.txt", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		{"PUT", "new.txt", map[string]string{"Origin": "http://evil.example"}, 403},
		{"PUT", "new.txt", nil, 404}, // the answer of package webdav to a forbidden creation
		{"DELETE", "readme.txt", nil, 405},
		{"MKCOL", "new", nil, 405},
		{"GET", "none", nil, 404},
		{"GET", "../../../etc/passwd", nil, 404},
	} {
		answer, body := d.ask(t, test.method, test.path, test.header)
		if answer.StatusCode != test.want {
			t.Errorf("%s %s %v: %s, want %d: %s", test.method, test.path, test.header, answer.Status, test.want, body)
		}
		if answer.Header.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(answer.Header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf(`test.method = %s test.path = %s: answer.Header = %v; want answer.Header.Get("X-Content-Type-Options") = "nosniff", answer.Header.Get("Content-Security-Policy") with "default-src 'none'"`, test.method, test.path, answer.Header)
		}
	}
	answer, body := d.ask(t, "GET", "docs/deep/c.txt", map[string]string{"Range": "bytes=500-509"})
	if answer.StatusCode != 206 || body != strings.Repeat("c", 10) || answer.Header.Get("Content-Type") != "application/octet-stream" {
		t.Errorf("a range: %s, %q, %v", answer.Status, body, answer.Header)
	}
	d.end(t)
}

// litmus is the test suite for WebDAV servers. All of it passes.
func TestWebDAVLitmus(t *testing.T) {
	litmus := peer.Program(t, "litmus", "litmus")
	for _, ext := range []string{".zip", ".vpk"} {
		file, src := newArchive(t, ext)
		d := serveDrive(t, "--write", file)
		run := exec.Command(litmus, "-k", d.address, "pakbox", d.token)
		run.Dir = t.TempDir() // it leaves a log
		out, _ := run.CombinedOutput()
		passed := 0
		for _, m := range regexp.MustCompile(`: (\d+) passed`).FindAllStringSubmatch(string(out), -1) {
			n := 0
			for _, c := range m[1] {
				n = 10*n + int(c-'0')
			}
			passed += n
		}
		const all = 104
		if passed != all || strings.Contains(string(out), "FAIL") {
			t.Errorf("litmus: %d of %d tests passed\n%s", passed, all, out)
		}
		d.end(t)
		mustRun(t, "verify", file)
		dir := filepath.Join(t.TempDir(), "out")
		mustRun(t, "extract", file, "-C", dir)
		program(t, "diff", "-r", "-x", "litmus", src, dir)
	}
}

// rclone walks, reads, writes, renames and removes.
func TestWebDAVRclone(t *testing.T) {
	rclone := peer.Program(t, "rclone", "rclone")
	file, src := newArchive(t, ".vpk")
	d := serveDrive(t, "--write", file)
	config := filepath.Join(t.TempDir(), "rclone.conf")
	secret := strings.TrimSpace(program(t, rclone, "obscure", d.token))
	os.WriteFile(config, []byte("[pak]\ntype = webdav\nurl = "+d.address+"\nvendor = other\nuser = pakbox\npass = "+secret+"\n"), 0o600)
	do := func(args ...string) string {
		t.Helper()
		return program(t, rclone, append([]string{"--config", config}, args...)...)
	}
	copied := filepath.Join(t.TempDir(), "copy")
	do("copy", "pak:", copied)
	program(t, "diff", "-r", src, copied)
	if got := do("cat", "--offset", "500", "--count", "7", "pak:docs/deep/c.txt"); got != "ccccccc" {
		t.Errorf("a range: %q", got)
	}
	more := t.TempDir()
	writeFiles(t, more, 10)
	do("copy", more, "pak:more")
	do("moveto", "pak:docs/a.txt", "pak:docs/moved.txt")
	do("moveto", "pak:old", "pak:older")
	do("deletefile", "pak:docs/b.txt")
	program(t, "sh", "-ec", `cd "$1"; cp -r "$2" more; mv docs/a.txt docs/moved.txt; mv old older; rm docs/b.txt`, "sh", src, more)
	do("check", "--download", src, "pak:")
	if said := d.end(t); !strings.Contains(said, "saved") {
		t.Errorf("output: %s", said)
	}
	mustRun(t, "verify", file)
	out := filepath.Join(t.TempDir(), "out")
	mustRun(t, "extract", file, "-C", out)
	program(t, "diff", "-r", src, out)
}

// cadaver is a client with a command line.
func TestWebDAVCadaver(t *testing.T) {
	cadaver := peer.Program(t, "cadaver", "cadaver")
	file, _ := newArchive(t, ".zip")
	d := serveDrive(t, "--write", file)
	home := t.TempDir()
	os.WriteFile(filepath.Join(home, ".netrc"), []byte("machine 127.0.0.1 login pakbox password "+d.token+"\n"), 0o600)
	os.WriteFile(filepath.Join(home, "local.txt"), []byte("from cadaver\n"), 0o666)
	run := exec.Command(cadaver, d.address)
	run.Dir, run.Env = home, append(os.Environ(), "HOME="+home)
	run.Stdin = strings.NewReader("ls\ncd docs\nls\nget a.txt got.txt\nput local.txt\nmove a.txt renamed.txt\nmkcol sub\nmove b.txt sub/b.txt\ndelete deep/c.txt\nquit\n")
	out, err := run.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "Coll:   docs") || strings.Contains(string(out), "failed") {
		t.Errorf("err = %v\nout = %s; want no error, out with \"Coll: docs\", out without \"failed\"", err, out)
	}
	if got, err := os.ReadFile(filepath.Join(home, "got.txt")); err != nil || string(got) != "a\n" {
		t.Errorf("got = %q, err = %v; want no error, got = \"a\\n\"", got, err)
	}
	d.end(t)
	mustRun(t, "verify", file)
	list, err := exec.Command("pakbox", "ls", file).Output()
	if got := " " + strings.Join(strings.Fields(string(list)), " ") + " "; err != nil || !strings.Contains(got, " docs/renamed.txt ") ||
		!strings.Contains(got, " docs/sub/b.txt ") || !strings.Contains(got, " docs/local.txt ") || strings.Contains(got, "docs/a.txt") || strings.Contains(got, "c.txt") {
		t.Errorf("got = %s, err = %v", got, err)
	}
}

// davfs2 mounts the drive, as file managers do.
func TestWebDAVDavfs(t *testing.T) {
	needFUSE(t)
	davfs := peer.Program(t, "mount.davfs", "davfs2")
	if os.Getuid() != 0 {
		peer.Missing(t, "davfs2 is mounted by root")
	}
	file, src := newArchive(t, ".zip")
	d := serveDrive(t, "--write", file)
	dir, dirs := t.TempDir(), t.TempDir()
	config, secrets := filepath.Join(dirs, "conf"), filepath.Join(dirs, "secrets")
	os.WriteFile(secrets, []byte(d.address+" pakbox "+d.token+"\n"), 0o600)
	// Its usual buffer is too small for what kernels since 6.16 ask for at a time.
	os.WriteFile(config, []byte("secrets "+secrets+"\ncache_dir "+dirs+"/cache\nask_auth 0\ndelay_upload 0\nuse_locks 1\nbuf_size 1024\n"), 0o600)
	os.Mkdir(filepath.Join(dirs, "cache"), 0o777)
	os.Chmod(filepath.Join(dirs, "cache"), 0o777) // it does not run as root
	os.Chmod(filepath.Dir(dirs), 0o755)
	program(t, davfs, d.address, dir, "-o", "conf="+config)
	gone := false
	unmount := func() {
		if !gone {
			gone = true
			program(t, "umount", dir)
		}
	}
	defer func() {
		if !gone {
			syscall.Unmount(dir, syscall.MNT_DETACH)
		}
	}()
	program(t, "diff", "-r", "-x", "lost+found", src, dir)
	for _, at := range []string{src, dir} {
		program(t, "sh", "-ec", `cd "$1"; echo new > new.txt; mv docs/a.txt docs/z.txt; mkdir sub; cp readme.txt sub/copy.txt; rm old/x; echo more >> docs/b.txt`, "sh", at)
	}
	unmount()
	d.end(t)
	mustRun(t, "verify", file)
	out := filepath.Join(t.TempDir(), "out")
	mustRun(t, "extract", file, "-C", out)
	program(t, "diff", "-r", src, out)
}

// If an archive cannot be saved, the service must print the reason and where the changes are;
// it printed only that it was interrupted.
func TestWebDAVCannotSave(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.txt")
	if err := os.WriteFile(file, []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "a.zip")
	create := func() {
		if out, err := exec.Command("pakbox", "create", "-q", "--force", name, file).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	create()
	d := serveDrive(t, "--write", "--no-token", name)
	r, err := http.NewRequest("PUT", d.address+"new.txt", strings.NewReader("new"))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if err := os.WriteFile(file, []byte("another text"), 0o666); err != nil {
		t.Fatal(err)
	}
	create()
	d.cmd.Process.Signal(os.Interrupt)
	d.done <- <-d.done
	if said := d.said.String(); !strings.Contains(said, "another program changed it") || !strings.Contains(said, ".a.zip.pakbox-changes") {
		t.Errorf("serve printed %q, want the reason and the folder of the changes", said)
	}
}
