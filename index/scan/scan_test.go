package scan_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pakbox/index"
	"pakbox/index/scan"
	"pakbox/index/sqlite"
	"pakbox/internal/testkit/corpus"
	"pakbox/internal/testkit/tier"
)

// childVariable makes the test program a scan that is killed.
const childVariable = "PAKBOX_SCAN_CHILD"

// child is a scan that is killed after a number of files, or after
// its start if the number is 0, and some time after that.
type child struct {
	File, Root string
	Files      int
	After      time.Duration
}

func TestMain(m *testing.M) {
	if text := os.Getenv(childVariable); text != "" {
		os.Exit(scanAndDie(text))
	}
	os.Exit(m.Run())
}

func scanAndDie(text string) int {
	var c child
	err := json.Unmarshal([]byte(text), &c)
	if err == nil {
		scan.CommitRows(300)
		if c.Files == 0 {
			time.AfterFunc(c.After, kill)
		}
		_, err = run(c.File, c.Root, scan.Options{Progress: &fuse{child: c}})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// fuse kills its own process.
type fuse struct {
	child
	mu sync.Mutex
}

func (f *fuse) Begin(int64) {}

func (f *fuse) Advance(int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.Files--; f.Files != 0 {
		return
	}
	if f.After == 0 {
		kill()
	}
	time.AfterFunc(f.After, kill)
}

// kill ends this process without another word.
func kill() {
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		self.Kill()
	}
	select {}
}

func run(file, root string, o scan.Options) (scan.Result, error) {
	db, err := sqlite.Open(context.Background(), file)
	if err != nil {
		return scan.Result{}, err
	}
	defer db.Close()
	return scan.Run(context.Background(), db, []string{root}, o)
}

func mustRun(t *testing.T, file, root string) scan.Result {
	t.Helper()
	r, err := run(file, root, scan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// content is everything in an index, table by table, a line a row.
func content(t testing.TB, file string) map[string][]string {
	t.Helper()
	all, err := readable(file)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func readable(file string) (map[string][]string, error) {
	db, err := sqlite.OpenReadOnly(context.Background(), file)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	all := map[string][]string{}
	for _, table := range index.Tables() {
		for row, err := range sqlite.All(context.Background(), db, table) {
			if err != nil {
				return nil, err
			}
			named := map[string]any{}
			for i, c := range table.Columns() {
				named[c.Name] = row[i]
			}
			line, err := json.Marshal(named)
			if err != nil {
				return nil, err
			}
			all[table.Name] = append(all[table.Name], string(line))
		}
	}
	var found int
	if err := db.QueryRow("select count(*) from search('gbx')").Scan(&found); err != nil {
		return nil, err
	}
	all["search"] = []string{fmt.Sprint(found)}
	return all, nil
}

// same compares the content of two indexes.
func same(t *testing.T, what string, got, want map[string][]string) {
	t.Helper()
	for _, table := range slices.Sorted(maps.Keys(want)) {
		g, w := got[table], want[table]
		if slices.Equal(g, w) {
			continue
		}
		for i := range max(len(g), len(w)) {
			if i >= len(g) || i >= len(w) || g[i] != w[i] {
				t.Errorf("%s: %s has %d rows, want %d; row %d is\n%.300s, want\n%.300s", what, table, len(g), len(w), i, at(g, i), at(w, i))
				break
			}
		}
	}
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "(none)"
}

// collection copies some real files of all kinds into a folder, with times in
// the past.
func collection(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	n := 0
	take := func(every int, files []string) {
		for i, f := range files {
			if i%every != 0 {
				continue
			}
			data, err := os.ReadFile(f)
			if err != nil {
				continue // a folder
			}
			n++
			name := filepath.Join(dir, fmt.Sprintf("part%d", n%5), filepath.Base(f))
			write(t, name, data)
		}
	}
	take(6, corpus.Files(t, corpus.Dir(t, "gbx"), "*", "*.[Gg][Bb][Xx]"))
	take(8, corpus.Files(t, corpus.Dir(t, "simutrans"), "pak", "*.pak"))
	take(3, corpus.Files(t, corpus.Dir(t, "vpk42"), "*", "*.vpk"))
	if n < 100 {
		t.Fatalf("only %d files", n)
	}
	return dir
}

// write writes a file that was last changed long ago.
func write(t testing.TB, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	old := time.Unix(1_500_000_000, 123_456_789)
	if err := os.Chtimes(name, old, old); err != nil {
		t.Fatal(err)
	}
}

func files(t testing.TB, root string) (list []string) {
	t.Helper()
	filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			list = append(list, filepath.ToSlash(p))
		}
		return nil
	})
	return list
}

// A scan that is killed at any moment leaves a sound database, and the next one
// goes on from there: in the end there is what an undisturbed scan gives. The
// moments are counted in files, because how long a scan takes depends on what
// else the machine does; every other is some time after that, in the middle of a
// file or of a transaction, and every fifth before there is anything.
func TestKilledAtAnyMoment(t *testing.T) {
	root := collection(t)
	whole := filepath.Join(t.TempDir(), "whole.sqlite")
	all := int(mustRun(t, whole, root).Files)
	want := content(t, whole)
	moments := 10
	if tier.IsLong() {
		moments = 50
	}
	random, partly := rand.New(rand.NewPCG(1, 2)), 0
	for i := 0; i < moments; {
		file := filepath.Join(t.TempDir(), "killed.sqlite")
		killed := 0
		for part := true; part && i < moments && killed < 10; i++ { // what is whole is begun anew: nothing is left to be killed in
			c := child{file, root, 1 + random.IntN(all), 0}
			if i%5 == 0 {
				c.Files = 0
			}
			if i%2 == 1 || i%5 == 0 {
				c.After = time.Duration(random.IntN(int(30 * time.Millisecond)))
			}
			if died(t, c) {
				killed++
			}
			n := stored(file)
			if part = n < len(want["files"]); part && n > 0 {
				partly++
			}
		}
		mustRun(t, file, root)
		same(t, fmt.Sprintf("killed %d times", killed), content(t, file), want)
	}
	if partly < moments/4 {
		t.Errorf("only %d of %d scans were killed in the middle", partly, moments)
	}
	t.Logf("%d of %d scans left a part of the files", partly, moments)
}

// died runs a scan that is killed, and reports whether it was: one that has
// time left may end before.
func died(t *testing.T, c child) bool {
	t.Helper()
	text, err := json.Marshal(c)
	must(t, err)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+string(text))
	out, err := cmd.CombinedOutput()
	if len(out) > 0 {
		t.Fatalf("%v: out = %s; want len(out) at most 0", err, out)
	}
	return err != nil
}

// stored counts the files in an index that may not have begun.
func stored(file string) (n int) {
	db, err := sqlite.OpenReadOnly(context.Background(), file)
	if err == nil {
		defer db.Close()
		db.QueryRow("select count(*) from files").Scan(&n)
	}
	return n
}

// Parts that are scanned on their own and put together are the whole.
func TestShards(t *testing.T) {
	ctx := context.Background()
	root := collection(t)
	whole := filepath.Join(t.TempDir(), "whole.sqlite")
	mustRun(t, whole, root)
	const n = 4
	var parts []string
	for i := range n {
		part := filepath.Join(t.TempDir(), "part.sqlite")
		r, err := run(part, root, scan.Options{Shard: i, Shards: n})
		if err != nil || r.Files == 0 {
			t.Fatalf("part %d: %+v, %v", i, r, err)
		}
		parts = append(parts, part)
	}
	merged := filepath.Join(t.TempDir(), "merged.sqlite")
	db, err := sqlite.Open(ctx, merged)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, part := range append(parts, parts[0]) { // one of them twice
		if err := db.Merge(ctx, part); err != nil {
			t.Fatal(err)
		}
	}
	same(t, "merged", content(t, merged), content(t, whole))
	if r, err := scan.Run(ctx, db, []string{root}, scan.Options{}); err != nil || r.Read > r.Files/5 {
		t.Errorf("after merging, a scan read %+v, %v", r, err) // those that are locked are read always
	}
}

// Changed files are noticed between scans, and no others are read.
func TestChanges(t *testing.T) {
	root := collection(t)
	file := filepath.Join(t.TempDir(), "index.sqlite")
	first := mustRun(t, file, root)
	all := files(t, root)
	if first.Files != int64(len(all)) || first.Read != first.Files {
		t.Fatalf("first %+v of %d files", first, len(all))
	}
	locked := mustRun(t, file, root)
	if locked.Unchanged+locked.Read != first.Files || locked.Read > first.Files/5 || locked.Removed != 0 {
		t.Fatalf("second %+v", locked)
	}
	maps := slices.DeleteFunc(slices.Clone(all), func(f string) bool {
		return !strings.Contains(strings.ToLower(f), ".challenge.gbx") && !strings.Contains(strings.ToLower(f), ".map.gbx")
	})
	if len(maps) < 6 {
		t.Fatalf("only %d maps", len(maps))
	}
	size := func(name string) int64 {
		info, err := os.Stat(name)
		must(t, err)
		return info.Size()
	}
	slices.SortFunc(maps, func(a, b string) int { return cmp.Compare(size(b), size(a)) }) // small ones are not looked up
	moved := path.Join(root, "moved", path.Base(maps[0]))
	os.MkdirAll(path.Dir(moved), 0o755)
	must(t, os.Rename(maps[0], moved))
	must(t, os.Remove(maps[1]))
	data, err := os.ReadFile(maps[2])
	must(t, err)
	write(t, maps[2], data[:len(data)/2]) // cut off
	data, err = os.ReadFile(maps[3])
	must(t, err)
	data[len(data)-1] ^= 1
	write(t, maps[3], data) // same size, same time
	must(t, os.Chtimes(maps[4], time.Now(), time.Now()))
	write(t, path.Join(root, "new", "note.txt"), []byte("no format"))

	r := mustRun(t, file, root)
	if want := locked.Read + 5; r.Read != want || r.Removed != 2 || r.Reused < 2 {
		t.Errorf("after the changes %+v, want %d read", r, want)
	}
	fresh := filepath.Join(t.TempDir(), "fresh.sqlite")
	mustRun(t, fresh, root)
	same(t, "after the changes", content(t, file), content(t, fresh))
	// The one that was touched a moment ago may have been changed twice in a tick.
	if again := mustRun(t, file, root); again.Read != locked.Read+1 {
		t.Errorf("once more %+v", again)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A folder that is not there, or cannot be listed, has lost nothing.
func TestWhatCannotBeSeenStays(t *testing.T) {
	root := t.TempDir()
	for i := range 4 {
		write(t, filepath.Join(root, "disk", fmt.Sprint(i)), []byte{byte(i)})
		write(t, filepath.Join(root, "here", fmt.Sprint(i)), []byte{byte(i)})
	}
	file := filepath.Join(t.TempDir(), "index.sqlite")
	disk := filepath.Join(root, "disk")
	mustRun(t, file, disk)
	mustRun(t, file, filepath.Join(root, "here"))
	want := content(t, file)
	must(t, os.Rename(disk, disk+".away"))
	r := mustRun(t, file, disk)
	if r.Removed != 0 || r.Absent != 4 || len(r.Problems) != 1 {
		t.Errorf("a root that is gone: %+v", r)
	}
	same(t, "a root that is gone", content(t, file), want)
	must(t, os.Rename(disk+".away", disk))
	must(t, os.Remove(filepath.Join(disk, "1")))
	if r := mustRun(t, file, disk); r.Removed != 1 || r.Absent != 0 {
		t.Errorf("a file that is gone: %+v", r)
	}
}

// A file that is written to while it is read is read again, and then reported as
// changed; the next scan reads it whatever its times are.
func TestChangedWhileRead(t *testing.T) {
	root := t.TempDir()
	name := filepath.Join(root, "busy.bin")
	write(t, name, make([]byte, 30<<20))
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return
		}
		defer f.Close()
		for i := int64(0); ; i++ {
			select {
			case <-stop:
				return
			default:
				f.WriteAt([]byte{byte(i)}, i%1000)
			}
		}
	}()
	file := filepath.Join(t.TempDir(), "index.sqlite")
	var r scan.Result
	var got []string
	for range 100 { // on a busy machine a scan may fall between two writes
		r = mustRun(t, file, root)
		if got = content(t, file)["files"]; len(r.Problems) > 0 {
			break
		}
	}
	close(stop)
	<-done
	if len(got) != 1 || !strings.Contains(got[0], `"status":"changed"`) || len(r.Problems) != 1 {
		t.Fatalf("r = %+v got = %s; want got of length 1, got[0] with `\"status\":\"changed\"`, r.Problems of length 1", r, got)
	}
	old := time.Unix(1_500_000_000, 0)
	must(t, os.Chtimes(name, old, old))
	if r := mustRun(t, file, root); r.Read != 1 || len(r.Problems) != 0 {
		t.Fatalf("r = %+v; want r.Read = 1, empty r.Problems", r)
	}
	if got := content(t, file)["files"]; !strings.Contains(got[0], `"status":"unknown"`) {
		t.Errorf("got = %v; want got[0] with `\"status\":\"unknown\"`", got)
	}
}
