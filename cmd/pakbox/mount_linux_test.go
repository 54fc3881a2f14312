package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"pakbox/internal/testkit/corpus"
	"pakbox/internal/testkit/peer"
	"pakbox/internal/testkit/tier"
	"pakbox/nadeo/nadeotest/mapsample"
)

// mounted is an archive that a process of its own has mounted.
type mounted struct {
	dir  string
	cmd  *exec.Cmd
	said programOutput // on standard error
	done chan error
}

// programOutput is the output of a program, which can be read while it runs.
type programOutput struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *programOutput) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *programOutput) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// needFUSE ends a test where nothing can be mounted.
func needFUSE(t testing.TB) {
	t.Helper()
	tier.All(t, "a mount")
	f, err := os.OpenFile("/dev/fuse", os.O_RDWR, 0)
	if err != nil {
		peer.Missing(t, "nothing can be mounted here: %v", err)
	}
	f.Close()
	peer.Program(t, "fusermount3", "fuse3")
}

// mountArchive mounts an archive until the test ends.
func mountArchive(t testing.TB, args ...string) *mounted {
	t.Helper()
	needFUSE(t)
	m := &mounted{dir: t.TempDir(), done: make(chan error, 1)}
	m.cmd = exec.Command("pakbox", append(append([]string{"mount"}, args...), m.dir)...)
	m.cmd.Stderr = &m.said
	if err := m.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { m.done <- m.cmd.Wait() }()
	t.Cleanup(func() {
		m.cmd.Process.Kill()
		syscall.Unmount(m.dir, syscall.MNT_DETACH)
		<-m.done
		m.done <- nil
	})
	// The library opens a file in the mount just after it has made it. A process that is
	// killed in that moment waits for itself for ever, so it must have reported readiness before.
	for until := time.Now().Add(20 * time.Second); !strings.Contains(m.said.String(), "is mounted at") || !isMounted(m.dir); time.Sleep(5 * time.Millisecond) {
		select {
		case err := <-m.done:
			m.done <- err
			t.Fatalf("mount %v: %v\n%s", args, err, &m.said)
		default:
		}
		if time.Now().After(until) {
			t.Fatalf("mount %v: not mounted\n%s", args, &m.said)
		}
	}
	return m
}

func isMounted(dir string) bool {
	var in, out syscall.Stat_t
	return syscall.Stat(dir, &in) == nil && syscall.Stat(filepath.Dir(dir), &out) == nil && in.Dev != out.Dev
}

// end unmounts as people do, and returns the output of the program.
func (m *mounted) end(t testing.TB) string {
	t.Helper()
	for until := time.Now().Add(5 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		out, err := exec.Command("fusermount3", "-u", m.dir).CombinedOutput()
		if err == nil {
			return m.ended(t)
		}
		// A program that has just ended may not have let go yet.
		if !strings.Contains(string(out), "busy") || time.Now().After(until) {
			t.Fatalf("unmount: %v\n%s", err, out)
		}
	}
}

// ended waits for the program.
func (m *mounted) ended(t testing.TB) string {
	t.Helper()
	select {
	case err := <-m.done:
		m.done <- err
		if err != nil {
			t.Errorf("mount ended with %v\n%s", err, &m.said)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the program does not end")
	}
	return m.said.String()
}

// program runs another program and returns what it prints. It never hangs.
func program(t testing.TB, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// realArchives are archives of every format, with what is needed to open them.
func realArchives(t *testing.T) map[string][]string {
	all := map[string][]string{}
	add := func(pattern string, most int, env ...string) {
		found, _ := filepath.Glob(filepath.Join(corpus.Root(), pattern))
		if len(found) == 0 {
			t.Errorf("no %s", pattern)
		}
		for _, file := range found[:min(most, len(found))] {
			all[file] = env
		}
	}
	corpus.Dir(t, "vpk42")
	add("vpk42/v1/*.vpk", 3, "PAKBOX_PASSPHRASE=Correct-Horse-42")
	add("vpk42/v2/*.vpk", 20, "PAKBOX_PASSPHRASE=Correct-Horse-42")
	add("vpk42/original/*.vpk", 5, "PAKBOX_PASSPHRASE=Correct-Horse-42")
	add("eterpack/*.eix", 20)
	add("eterpack-hard/*.eix", 3)
	add("nadeopak/g0*.pak", 20)
	add("nadeopak/g_*.Gbx", 20)
	add("nadeopak/real/*.gbx", 1)
	add("simutrans/pak/*.pak", 6)
	add("gbx/03043000/*.Map.Gbx", 3)
	add("gbx/03093000/*.Gbx", 3)
	return all
}

// Other programs see the same files in a mounted archive that extract writes.
func TestMountLikeExtract(t *testing.T) {
	needFUSE(t)
	for file, env := range realArchives(t) {
		t.Run(filepath.Base(filepath.Dir(file))+"/"+filepath.Base(file), func(t *testing.T) {
			for _, e := range env {
				name, value, _ := strings.Cut(e, "=")
				t.Setenv(name, value)
			}
			dir := t.TempDir()
			out := filepath.Join(dir, "out")
			extract := exec.Command("pakbox", "extract", file, "-C", out)
			said, err := extract.CombinedOutput()
			if _, statErr := os.Stat(out); statErr != nil {
				t.Fatalf("nothing can be extracted: %s", said)
			}
			m := mountArchive(t, "--flat", file)
			if err == nil {
				program(t, "diff", "-r", "-x", "values", "-x", "nadeopak-metadata.json", out, m.dir)
				program(t, "cp", "-r", m.dir, filepath.Join(dir, "copy"))
				program(t, "diff", "-r", "-x", "values", "-x", "nadeopak-metadata.json", out, filepath.Join(dir, "copy"))
			}
			compareFiles(t, out, m.dir)
			m.end(t)
		})
	}
}

// compareFiles compares what was extracted with what is mounted, by the words
// of programs that read files.
func compareFiles(t *testing.T, out, dir string) {
	t.Helper()
	list := func(dir string) string {
		return program(t, "sh", "-c", "cd \"$1\" && find . -type f ! -path './values/*' ! -name nadeopak-metadata.json ! -name '*.part' | LC_ALL=C sort", "sh", dir)
	}
	names := list(out)
	mounted := map[string]bool{}
	for _, name := range strings.Split(list(dir), "\n") {
		mounted[name] = true
	}
	for _, name := range strings.Split(strings.TrimSpace(names), "\n") {
		if name != "" && !mounted[name] {
			t.Errorf("%s is not in the mounted folder", name)
		}
	}
	sums := func(dir string) string {
		return program(t, "sh", "-c", "cd \"$1\" && find . -type f ! -name nadeopak-metadata.json ! -name '*.part' -print0 | LC_ALL=C sort -z | xargs -0 -r sha256sum", "sh", dir)
	}
	sum := filepath.Join(t.TempDir(), "sums")
	if err := os.WriteFile(sum, []byte(sums(out)), 0o666); err != nil {
		t.Fatal(err)
	}
	if names != "" {
		program(t, "sh", "-c", "cd \"$1\" && sha256sum --quiet -c \"$2\"", "sh", dir, sum)
	}
	randomReads(t, out, dir, strings.Split(strings.TrimSpace(names), "\n"))
}

// randomReads lets 16 readers read pieces anywhere.
func randomReads(t *testing.T, out, dir string, names []string) {
	t.Helper()
	if names[0] == "" {
		return
	}
	var group sync.WaitGroup
	for r := range 16 {
		group.Go(func() {
			rnd := rand.New(rand.NewPCG(uint64(r), 16))
			for range 20 {
				name := names[rnd.IntN(len(names))]
				want, err := os.ReadFile(filepath.Join(out, name))
				if err != nil || len(want) == 0 {
					continue
				}
				f, err := os.Open(filepath.Join(dir, name))
				if err != nil {
					t.Error(err)
					return
				}
				at := rnd.IntN(len(want))
				piece := make([]byte, 1+rnd.IntN(len(want)-at))
				if _, err := f.ReadAt(piece, int64(at)); err != nil || !bytes.Equal(piece, want[at:at+len(piece)]) {
					t.Errorf("%s: %d bytes at %d: %v", name, len(piece), at, err)
				}
				f.Close()
			}
		})
	}
	group.Wait()
}

// Names of all kinds, and rsync and grep on them.
func TestMountNames(t *testing.T) {
	needFUSE(t)
	peer.Program(t, "rsync", "rsync")
	dir := t.TempDir()
	src := filepath.Join(dir, "src")
	for i, name := range []string{"with space/a b.txt", "ünï/çödé ★.txt", "Case.txt", "case.txt", "CASE/x", "case/x", "日本/語.txt", "-dash", "#hash", "hash#", "values/x", strings.Repeat("n", 200)} {
		file := filepath.Join(src, name)
		os.MkdirAll(filepath.Dir(file), 0o777)
		if err := os.WriteFile(file, []byte(fmt.Sprint("content ", i, " needle")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "a.zip")
	mustRun(t, "create", file, src+"/")
	m := mountArchive(t, file)
	program(t, "diff", "-r", src, m.dir)
	program(t, "rsync", "-rc", m.dir+"/", filepath.Join(dir, "synced"))
	program(t, "diff", "-r", src, filepath.Join(dir, "synced"))
	if got := program(t, "sh", "-c", "cd \"$1\" && grep -rl needle . | wc -l", "sh", m.dir); strings.TrimSpace(got) != "12" {
		t.Errorf("grep finds %s", got)
	}
	if _, err := os.Stat(filepath.Join(m.dir, "none")); !os.IsNotExist(err) {
		t.Errorf("what is not there: %v", err)
	}
	if err := os.WriteFile(filepath.Join(m.dir, "new"), nil, 0o666); err == nil {
		t.Error("something was written")
	}
	m.end(t)
}

// Archives in archives are folders, with their other faces; a map is a folder
// with its values.
func TestMountNested(t *testing.T) {
	needFUSE(t)
	dir := t.TempDir()
	t.Chdir(dir)
	os.MkdirAll("src", 0o777)
	os.WriteFile("src/in.txt", []byte("inner\n"), 0o666)
	sample, err := mapsample.Map()
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile("src/My.Map.Gbx", sample, 0o666)
	mustRun(t, "create", "mid.vpk", "src/")
	os.WriteFile("broken.zip", []byte("PK\x03\x04 no zip"), 0o666)
	mustRun(t, "create", "outer.zip", "mid.vpk", "broken.zip", "src/in.txt")
	m := mountArchive(t, "outer.zip")
	if got := program(t, "cat", filepath.Join(m.dir, "mid.vpk/in.txt")); got != "inner\n" {
		t.Errorf("got = %q; want \"inner\\n\"", got)
	}
	program(t, "cmp", filepath.Join(m.dir, "mid.vpk#"), "mid.vpk")
	program(t, "cmp", filepath.Join(m.dir, "mid.vpk/My.Map.Gbx"), "src/My.Map.Gbx")
	program(t, "cmp", filepath.Join(m.dir, "broken.zip"), "broken.zip")
	thumbnail := program(t, "cat", filepath.Join(m.dir, "mid.vpk/My.Map.Gbx#/thumbnail.jpg"))
	if !strings.HasPrefix(thumbnail, "\xff\xd8\xff") {
		t.Errorf("the thumbnail begins with %q", thumbnail[:min(len(thumbnail), 10)])
	}
	values := filepath.Join(m.dir, "mid.vpk/My.Map.Gbx#/values")
	if got := program(t, "grep", "-r", "mapName", values); !strings.Contains(got, "header/03043003.txt:") {
		t.Errorf("values: %s", got)
	}
	if list := program(t, "ls", "-a", m.dir); strings.Contains(list, "#") {
		t.Errorf("the other faces are listed: %s", list)
	}
	m.end(t)

	flat := mountArchive(t, "--flat", "outer.zip")
	program(t, "cmp", filepath.Join(flat.dir, "mid.vpk"), "mid.vpk")
	flat.end(t)
}

// Damaged files cannot be read, the log has the reason, and the other files can be read.
func TestMountDamage(t *testing.T) {
	needFUSE(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "a.zip")
	src := filepath.Join(dir, "src")
	os.Mkdir(src, 0o777)
	big := bytes.Repeat([]byte("0123456789abcdef"), 1<<18) // 4 MiB
	os.WriteFile(filepath.Join(src, "bad"), big, 0o666)
	os.WriteFile(filepath.Join(src, "small"), []byte("ABCDEFGH small"), 0o666)
	os.WriteFile(filepath.Join(src, "good"), []byte("good"), 0o666)
	mustRun(t, "create", "--level", "0", file, src+"/")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	data[bytes.Index(data, big)+len(big)-20] ^= 1
	data[bytes.Index(data, []byte("ABCDEFGH"))] ^= 1
	os.WriteFile(file, data, 0o666)
	m := mountArchive(t, file)
	for _, name := range []string{"bad", "small"} {
		if _, err := os.ReadFile(filepath.Join(m.dir, name)); err == nil || !strings.Contains(err.Error(), "input/output error") {
			t.Errorf(`%s: err = %v; want an error, err with "input/output error"`, name, err)
		}
	}
	if got, err := os.ReadFile(filepath.Join(m.dir, "good")); err != nil || string(got) != "good" {
		t.Errorf(`got = %q, err = %v; want no error, got = "good"`, got, err)
	}
	said := m.end(t)
	for _, name := range []string{"bad", "small"} {
		if !strings.Contains(said, name) {
			t.Errorf("%s is not in the log: %s", name, said)
		}
	}
}

// The drives of a game: what lies in its folders and in its packs is one tree.
func TestMountDrives(t *testing.T) {
	needFUSE(t)
	t.Chdir(t.TempDir())
	os.MkdirAll("game/GameData/Media", 0o777)
	os.MkdirAll("game/Packs", 0o777)
	os.WriteFile("game/GameData/Media/own.txt", []byte("own\n"), 0o666)
	os.MkdirAll("packed/Media", 0o777)
	os.WriteFile("packed/Media/packed.txt", []byte("packed\n"), 0o666)
	mustRun(t, "create", "game/Packs/media.zip", "packed/")
	m := mountArchive(t, "--drives", "game")
	if got := program(t, "sh", "-c", `cd "$1"/ManiaPlanet/GameData/Media && cat own.txt packed.txt`, "sh", m.dir); got != "own\npacked\n" {
		t.Errorf("got = %q; want \"own\\npacked\\n\"", got)
	}
	m.end(t)
}
