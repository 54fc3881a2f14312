package mount_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"pakbox"
	"pakbox/cmd/internal/mount"
	"pakbox/cmd/internal/source"
	"pakbox/internal/testkit/leak"
)

// zipOf makes a zip of names and contents.
func zipOf(t testing.TB, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		f, err := w.Create(files[i])
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, files[i+1])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func openTree(t testing.TB, file string, opts mount.Options) *mount.Tree {
	t.Helper()
	opts.Opener = source.NewOpener(pakbox.Formats())
	t.Cleanup(opts.Opener.CleanUp)
	tree, err := mount.Open(t.Context(), file, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	return tree
}

func writeFile(t testing.TB, data []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.zip")
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

func read(t *testing.T, tree *mount.Tree, name string) string {
	t.Helper()
	f, err := tree.Open(name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.NewSectionReader(f, 0, f.Size()))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return string(data)
}

// Documents are files. The first one of a format is opened to find out whether it is an
// archive; the next ones are not. Each has its other form under a second name.
func TestDocumentsStayFiles(t *testing.T) {
	object, err := os.ReadFile(filepath.FromSlash("../../../samples/simutrans/good.Sample_Parcels.pak"))
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for i := range 3 {
		files = append(files, fmt.Sprint(i, ".pak"), string(object))
	}
	tree := openTree(t, writeFile(t, zipOf(t, files...)), mount.Options{})
	list, err := tree.ReadDir(".")
	if err != nil || len(list) != 3 {
		t.Fatalf("list = %v, err = %v; want no error, list of length 3", list, err)
	}
	for _, info := range list {
		if info.IsDir() || read(t, tree, info.Name()) != string(object) {
			t.Errorf("%s is not the original file", info.Name())
		}
		if in, err := tree.ReadDir(info.Name() + "#"); err != nil || len(in) == 0 {
			t.Errorf("info.Name() = %s#: in = %v, err = %v; want no error, in not empty", info.Name(), in, err)
		}
	}
}

// A tree of many archives keeps only a few of them open, and closes all when it is closed.
func TestNothingIsLeft(t *testing.T) {
	big := strings.Repeat("0123456789abcdef", 1<<19) // 8 MiB, unpacked to a file
	var files []string
	for i := range 100 {
		files = append(files, fmt.Sprintf("in%d.zip", i), string(zipOf(t, "x.txt", fmt.Sprint(i), "deep.zip", string(zipOf(t, "y.txt", fmt.Sprint(i))))))
	}
	file := writeFile(t, zipOf(t, append(files, "big", big)...))
	goroutines, before := runtime.NumGoroutine(), leak.OpenFiles()
	tree := openTree(t, file, mount.Options{})
	for i := range 100 {
		if got := read(t, tree, fmt.Sprintf("in%d.zip/x.txt", i)) + read(t, tree, fmt.Sprintf("in%d.zip/deep.zip/y.txt", i)); got != fmt.Sprint(i, i) && got != fmt.Sprintf("%d%d", i, i) {
			t.Errorf(`%d: got = %q; want got = fmt.Sprint(i, i) or got = fmt.Sprintf("%%d%%d", i, i)`, i, got)
		}
	}
	if read(t, tree, "big") != big {
		t.Error("big differs")
	}
	if n := leak.OpenFiles() - before; n > 50 {
		t.Errorf("%d files are open", n)
	}
	f, err := tree.Open("in3.zip/deep.zip/y.txt") // stays open when the tree is closed
	if err != nil {
		t.Fatal(err)
	}
	tree.Close()
	f.Close()
	leak.Settled(t, "open files", before, leak.OpenFiles)
	leak.Settled(t, "goroutines", goroutines, runtime.NumGoroutine)
}

// Many goroutines read more archives than can stay open, and each gets the right content.
func TestManyAtOnce(t *testing.T) {
	var files []string
	for i := range 50 {
		files = append(files, fmt.Sprintf("%d.zip", i), string(zipOf(t, "x", fmt.Sprint("ex ", i), "deep.zip", string(zipOf(t, "y", fmt.Sprint("why ", i))))))
	}
	tree := openTree(t, writeFile(t, zipOf(t, files...)), mount.Options{})
	var all sync.WaitGroup
	for seed := range 4 {
		all.Go(func() {
			r := rand.New(rand.NewPCG(3, uint64(seed)))
			for range 300 {
				i := r.IntN(50)
				name, want := fmt.Sprintf("%d.zip/x", i), fmt.Sprint("ex ", i)
				if r.IntN(2) == 0 {
					name, want = fmt.Sprintf("%d.zip/deep.zip/y", i), fmt.Sprint("why ", i)
				}
				f, err := tree.Open(name)
				if err != nil {
					t.Errorf("%s: %v", name, err)
					return
				}
				got, err := io.ReadAll(io.NewSectionReader(f, 0, f.Size()))
				if f.Close(); string(got) != want || err != nil {
					t.Errorf("%s: got = %q, err = %v; want got = %q, no error", name, got, err, want)
				}
			}
		})
	}
	all.Wait()
}

// Files have a second name for their other form.
func TestFaces(t *testing.T) {
	inner := zipOf(t, "x.txt", "x")
	tree := openTree(t, writeFile(t, zipOf(t, "in.zip", string(inner), "no.zip", "no zip", "odd#", "odd")), mount.Options{})
	for name, want := range map[string]string{"in.zip/x.txt": "x", "in.zip#": string(inner), "no.zip": "no zip", "odd#": "odd"} {
		if got := read(t, tree, name); got != want {
			t.Errorf("%s: got = %q; want %q", name, got, want)
		}
	}
	for _, name := range []string{"no.zip#", "in.zip/none", "odd", "in.zip##", "x#", "in.zip#/x.txt"} {
		if _, err := tree.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: err = %v; want err matching fs.ErrNotExist", name, err)
		}
	}
	list, err := tree.ReadDir(".")
	if err != nil || len(list) != 3 || !list[0].IsDir() || list[1].IsDir() {
		t.Errorf("list = %v, err = %v; want no error, list of length 3, list[0].IsDir() = true, list[1].IsDir() = false", list, err)
	}
	if err := tree.Mkdir("new"); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a tree that cannot be changed: %v", err)
	}
}

// A truncated log, and an archive that was replaced after the changes.
func TestKeptChanges(t *testing.T) {
	file := writeFile(t, zipOf(t, "a", "a"))
	put := func(tree *mount.Tree, name, text string) {
		w, err := tree.OpenFile(name, os.O_CREATE|os.O_RDWR)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, text)
		w.Close()
	}
	tree := openTree(t, file, mount.Options{Write: true})
	put(tree, "b", "bee")
	kept, _ := tree.Unsaved()
	tree.Close()
	log, err := os.OpenFile(filepath.Join(kept, "changes"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(log, `{"do":"remo`)
	log.Close()
	again := openTree(t, file, mount.Options{Write: true})
	if got := read(t, again, "b") + read(t, again, "a"); got != "beea" {
		t.Errorf(`got = %q; want "beea"`, got)
	}
	again.Close()
	if err := os.WriteFile(file, zipOf(t, "other", "o", "more", "m"), 0o666); err != nil {
		t.Fatal(err)
	}
	o := source.NewOpener(pakbox.Formats())
	if tree, err := mount.Open(t.Context(), file, mount.Options{Opener: o, Write: true}); err == nil || !strings.Contains(err.Error(), "was changed after") {
		t.Errorf(`tree = %v, err = %v; want an error, err with "was changed after"`, tree, err)
	}
	if err := mount.Discard(file); err != nil {
		t.Error(err)
	}
	fresh := openTree(t, file, mount.Options{Write: true})
	if _, found := fresh.Unsaved(); found != 0 {
		t.Errorf("%d changes are left", found)
	}
}

// FuzzKept: a log of changes is as untrusted as any file. The tree opens or fails with an
// error, and shows nothing from outside its folder.
func FuzzKept(f *testing.F) {
	for _, log := range []string{
		`{"do":"put","name":"b","content":"0"}`,
		`{"do":"put","name":"b","content":"../../secret"}`,
		`{"do":"put","name":"../b","content":"0"}`,
		`{"do":"rename","name":"a","to":"b/c"}`,
		`{"do":"mkdir","name":"d"}` + "\n" + `{"do":"rename","name":"a","to":"d/a"}` + "\n" + `{"do":"remove","name":"d/a"}`,
		`{"do":"saving"}`, `{"do":"remove","name":""}`, `{"do":"put","content":"1"}`, `[]`, `{`,
	} {
		f.Add(log)
	}
	dir := f.TempDir()
	file := filepath.Join(dir, "a.zip")
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	w.Create("a")
	w.Close()
	os.WriteFile(file, b.Bytes(), 0o666)
	os.WriteFile(filepath.Join(dir, "secret"), []byte("secret"), 0o666)
	o := source.NewOpener(pakbox.Formats())
	f.Fuzz(func(t *testing.T, log string) {
		os.RemoveAll(mount.KeptAt(file))
		tree, err := mount.Open(t.Context(), file, mount.Options{Opener: o, Write: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := tree.Mkdir("made"); err != nil { // without a change no folder is created
			t.Fatal(err)
		}
		tree.Close()
		at := filepath.Join(mount.KeptAt(file), "changes")
		head, err := os.ReadFile(at)
		if err != nil {
			t.Fatal(err)
		}
		os.WriteFile(filepath.Join(mount.KeptAt(file), "0"), []byte("kept"), 0o666)
		os.WriteFile(at, append(head, log+"\n"...), 0o666)
		tree, err = mount.Open(t.Context(), file, mount.Options{Opener: o, Write: true})
		if err != nil {
			return
		}
		defer tree.Close()
		list, err := tree.ReadDir(".")
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range list {
			if i.IsDir() {
				continue
			}
			g, err := tree.Open(i.Name())
			if err != nil {
				continue
			}
			data, err := io.ReadAll(io.NewSectionReader(g, 0, g.Size()))
			if g.Close(); err == nil && string(data) != "" && string(data) != "kept" {
				t.Errorf("%s holds %q", i.Name(), data)
			}
		}
	})
}

// Every file of a tree has a constant ID of its own. The list of a folder and Stat agree,
// also for nested archives and values.
func TestNumbers(t *testing.T) {
	object, err := os.ReadFile(filepath.FromSlash("../../../samples/trackmania/Sample.Replay.Gbx"))
	if err != nil {
		t.Fatal(err)
	}
	deep := string(zipOf(t, "deep", "deep"))
	inner := string(zipOf(t, "m.Gbx", string(object), "x", "x", "d/deep.zip", deep))
	tree := openTree(t, writeFile(t, zipOf(t, "in.zip", inner, "other.zip", inner, "m.Gbx", string(object), "d/x", "x")), mount.Options{})
	seen := map[uint64]string{}
	var walk func(dir string)
	walk = func(dir string) {
		list, err := tree.ReadDir(dir)
		if err != nil {
			t.Fatalf("%s: %v", dir, err)
		}
		for _, i := range list {
			name := path.Join(dir, i.Name())
			if other := seen[i.ID]; other != "" {
				t.Errorf("%s and %s are both %d", name, other, i.ID)
			}
			seen[i.ID] = name
			info, err := tree.Stat(name)
			if err != nil || info != i {
				t.Errorf("%s: %+v, listed as %+v, %v", name, info, i, err)
			}
			if i.IsDir() {
				walk(name)
			}
		}
	}
	walk(".")
	for _, face := range []string{"m.Gbx#", "in.zip/m.Gbx#"} {
		walk(face)
	}
	if whole, err := tree.Stat("in.zip#"); err != nil || whole.IsDir() || whole.Size() != int64(len(inner)) || seen[whole.ID] != "" {
		t.Errorf(`whole = %+v, err = %v; want no error, whole.IsDir() = false, whole.Size() = int64(len(inner)), seen[whole.ID] = ""`, whole, err)
	}
	if len(seen) < 20 {
		t.Errorf("%d files", len(seen))
	}
}

// Nested archives are folders up to level 16; deeper ones are files.
func TestDepth(t *testing.T) {
	data := zipOf(t, "x", "end")
	for range 17 {
		data = zipOf(t, "in.zip", string(data))
	}
	tree := openTree(t, writeFile(t, data), mount.Options{})
	name := "in.zip"
	for depth := 1; depth <= 17; depth++ {
		info, err := tree.Stat(name)
		if err != nil || info.IsDir() != (depth <= 16) {
			t.Errorf("%d: info = %+v, err = %v; want no error, info.IsDir() = depth <= 16", depth, info, err)
		}
		name += "/in.zip"
	}
	last := strings.TrimSuffix(name, "/in.zip")
	if got := read(t, tree, last); got != string(zipOf(t, "x", "end")) {
		t.Errorf(`got = %q; want string(zipOf(t, "x", "end"))`, got)
	}
	if _, err := tree.Open(last + "/x"); err == nil {
		t.Error("an entry of a file below the limit was opened")
	}
}
