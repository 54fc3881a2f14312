package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"pakbox/fact"
	"pakbox/index"
	"pakbox/index/parquet"
	"pakbox/index/scan"
	"pakbox/index/sqlite"
	"pakbox/index/store"
	"pakbox/internal/testkit/corpus"
)

// pakboxProgram builds pakbox without the version of a commit, as program does.
func pakboxProgram(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "pakbox")
	if out, err := exec.Command("go", "build", "-C", "../..", "-buildvcs=false", "-o", name, "./cmd/pakbox").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return name
}

// shell runs programs as a user who cannot read everything, also if the test can.
type shell struct {
	*testing.T
	env []string
}

func (s *shell) run(want int, program string, args ...string) string {
	s.Helper()
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), s.env...)
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != want {
		s.Fatalf("%s %s: %v, want exit code %d\n%s", filepath.Base(program), strings.Join(args, " "), err, want, said.String())
	}
	return said.String()
}

// open is a folder that everybody may write to.
func (s *shell) open() string {
	dir := s.TempDir()
	for _, d := range []string{dir, filepath.Dir(dir)} {
		if err := os.Chmod(d, 0o777); err != nil {
			s.Fatal(err)
		}
	}
	return dir
}

// poisoned adds files that ask for more than a reader must give: endless, huge,
// cut and wrong ones.
func poisoned(t *testing.T, dir, real string) {
	t.Helper()
	data, err := os.ReadFile(real)
	if err != nil {
		t.Fatal(err)
	}
	wrong := bytes.Clone(data)
	for i := 200; i < len(wrong); i += 97 {
		wrong[i] ^= 0xFF
	}
	huge := append(bytes.Clone(data[:13]), bytes.Repeat([]byte{0xFF}, 400)...)
	for name, data := range map[string][]byte{"cut.Gbx": data[:100], "wrong.Gbx": wrong, "huge.Gbx": huge, "empty.Gbx": nil, "zero.pak": make([]byte, 4096), "name-\xff\xfe.Gbx": data} {
		write(t, filepath.Join(dir, "poison", name), data)
	}
}

// All ways to make an index give the same rows and say the same of what they cannot
// read: index, its parts put together, its parts as Parquet, and the pipeline, on a
// disk and on S3; with links, a folder that cannot be read, poison, and archives that
// want a key, a passphrase and a code page.
func TestSameEverywhere(t *testing.T) {
	s3(t)
	sh := &shell{T: t}
	sh.env = []string{"HOME=" + sh.open(), "TMPDIR=" + sh.open(), "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=", "PAKBOX_KEYS="}
	pakbox, cluster := pakboxProgram(t), program(t)
	input := collection(t)
	poisoned(t, input, corpus.Files(t, corpus.Dir(t, "gbx"), "03043000", "*")[0])
	secret := sh.open()
	write(t, filepath.Join(secret, "passphrase"), []byte("open sesame\n"))
	write(t, filepath.Join(secret, "hello", "\uc548\ub155.txt"), []byte("hello, which is long enough"))
	sh.run(0, pakbox, "create", filepath.Join(secret, "locked.vpk"), filepath.Join(secret, "hello"), "--encrypt", "--passphrase-file", filepath.Join(secret, "passphrase"))
	sh.run(0, pakbox, "create", filepath.Join(secret, "korean.eix"), filepath.Join(secret, "hello"), "--code-page", "949")
	write(t, filepath.Join(secret, "keys"), []byte("keyed 00112233445566778899AABBCCDDEEFF\n"))
	sh.run(0, pakbox, "create", "--private-header", "--keys", filepath.Join(secret, "keys"), filepath.Join(secret, "keyed.Pack.Gbx"), filepath.Join(secret, "hello"))
	for _, name := range []string{"locked.vpk", "korean.eix", "korean.epk", "keyed.Pack.Gbx"} {
		data, err := os.ReadFile(filepath.Join(secret, name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(input, "secret", name), data)
	}
	closed := filepath.Join(input, "closed")
	write(t, filepath.Join(closed, "file"), []byte("nobody sees it"))
	write(t, filepath.Join(input, "shut.txt"), []byte("nobody reads it"))
	old := time.Unix(1_600_000_000, 0)
	filepath.WalkDir(input, func(name string, d fs.DirEntry, _ error) error { return os.Chtimes(name, old, old) })
	for name, mode := range map[string]fs.FileMode{closed: 0, filepath.Join(input, "shut.txt"): 0, input: 0o755} {
		t.Run(name, func(t *testing.T) {
			if err := os.Chmod(name, mode); err != nil {
				t.Fatal(err)
			}
		})
	}
	os.Chmod(filepath.Dir(input), 0o755)
	t.Cleanup(func() { os.Chmod(closed, 0o755) })
	flags := []string{"--keys", filepath.Join(secret, "keys"), "--passphrase-file", filepath.Join(secret, "passphrase"), "--code-page", "949"}

	// A file that changed in the two seconds before a run is read again by the next one.
	time.Sleep(2500 * time.Millisecond)
	onDisk := sameEverywhere(t, sh, pakbox, cluster, input, flags, 3, "closed: permission denied")
	for _, want := range []string{"\uc548\ub155.txt", "secret/locked.vpk", "secret/keyed.Pack.Gbx", "poison/wrong.Gbx", "poison/huge.Gbx", "link.txt", "shut.txt"} {
		if !strings.Contains(onDisk, want) {
			t.Errorf("the rows on disk lack %s", want)
		}
	}
	if strings.Contains(onDisk, `"locked"`) || strings.Contains(onDisk, "closed/file") {
		t.Error("something is locked, or seen that cannot be")
	}

	client, err := store.Open(os.Getenv) // of this test, not the one that the program keeps
	if err != nil {
		t.Fatal(err)
	}
	scan.List(t.Context(), nil, input, func(one scan.ListEntry) {
		name := strings.TrimPrefix(one.Path, filepath.ToSlash(input)+"/")
		data, err := os.ReadFile(one.Path)
		if err != nil && name != "shut.txt" { // which everybody may read from the store
			t.Fatalf(`err = %v; want no error or name = "shut.txt"`, err)
		}
		// One is seen if the test may see everything; names of objects are UTF-8.
		if name == "closed/file" || !utf8.ValidString(name) {
			return
		}
		if err := client.Put(t.Context(), "s3://files/in/"+name, data); err != nil {
			t.Fatal(err)
		}
	}, func(string, error) {})
	onStore := sameEverywhere(t, sh, pakbox, cluster, "s3://files/in", flags, 0, "")
	if got, want := without(onStore, "shut.txt"), without(without(onDisk, "shut.txt"), "poison/name-"); got != want {
		t.Errorf("a store gives other rows than a disk: %s", firstDifference(got, want))
	}
}

// sameEverywhere makes indexes of an input in all ways, compares them, and gives the
// rows.
func sameEverywhere(t *testing.T, sh *shell, pakbox, cluster, input string, flags []string, exit int, problem string) string {
	t.Helper()
	dir := sh.open()
	at := func(name string) string { return filepath.Join(dir, name) }
	says := func(said string) {
		t.Helper()
		if problem != "" && !strings.Contains(said, problem) {
			t.Errorf("it does not say %q: %s", problem, said)
		}
	}
	says(sh.run(exit, pakbox, append([]string{"index", input, "-o", at("whole.sqlite")}, flags...)...))
	merge := []string{"index", "merge", "-o", at("merged.sqlite")}
	for i := range shards {
		part := at(fmt.Sprintf("part-%d.sqlite", i))
		says(sh.run(exit, pakbox, append([]string{"index", input, "-o", part, "--parquet", at("parts"), "--shard", fmt.Sprintf("%d/%d", i+1, shards)}, flags...)...))
		merge = append(merge, part)
	}
	sh.run(0, pakbox, merge...)
	pipeline := append([]string{"--input", input, "--output", at("pipeline"), "--shards", fmt.Sprint(shards), "--incremental"}, flags...)
	for again := range 2 {
		says(sh.run(exit, cluster, pipeline...))
		same(t, "pipeline", files(t, at("pipeline")), files(t, at("parts")), false)
		m, err := parquet.Read(t.Context(), parquet.Disk(at("pipeline")))
		if err != nil {
			t.Fatal(err)
		}
		if again == 1 && (m.Kept < m.Files*2/3 || m.Kept >= m.Files) { // what is damaged by others is read again
			t.Errorf("%d of %d files were not read again", m.Kept, m.Files)
		}
		parts, err := parquet.Read(t.Context(), parquet.Disk(at("parts")))
		if err != nil || fmt.Sprint(parts.Problems, parts.Files, parts.Listing, parts.Rows) != fmt.Sprint(m.Problems, m.Files, m.Listing, m.Rows) {
			t.Errorf("the manifests say %+v and %+v (%v)", parts, m, err)
		}
	}
	whole, merged := rowsIn(t, at("whole.sqlite"), input), rowsIn(t, at("merged.sqlite"), input)
	if whole != merged {
		t.Errorf("parts give other rows than the whole: %s", firstDifference(merged, whole))
	}
	return whole
}

// rowsIn are all rows of all tables, as lines without the root and the times of
// files, which a store has its own of.
func rowsIn(t *testing.T, file, root string) string {
	t.Helper()
	ctx := context.Background()
	db, err := sqlite.OpenReadOnly(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	paths := map[any]string{}
	var b strings.Builder
	for _, table := range index.Tables() {
		for row, err := range sqlite.All(ctx, db, table) {
			if err != nil {
				t.Fatal(err)
			}
			if table.Name == "files" {
				paths[row[0]] = row[1].(string)
			}
			b.WriteString(table.Name)
			for i, c := range table.Columns() {
				switch {
				case c.Name == "mtime_ns":
				case c.Ref:
					fmt.Fprintf(&b, " %q", strings.TrimPrefix(paths[row[i]], root))
				case c.Type == index.Integers:
					fmt.Fprintf(&b, " %s", fact.JSON(row[i]))
				default:
					fmt.Fprintf(&b, " %q", strings.ReplaceAll(fmt.Sprint(row[i]), root, ""))
				}
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// without leaves out the lines about a file.
func without(rows, name string) string {
	var b strings.Builder
	for line := range strings.Lines(rows) {
		if !strings.Contains(line, name) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// firstDifference shows the first lines that differ.
func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			return fmt.Sprintf("%s\nwant %s", g[i], strings.Join(w[min(i, len(w)):min(i+1, len(w))], ""))
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}
