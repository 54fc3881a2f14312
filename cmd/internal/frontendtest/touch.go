package frontendtest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/cmd/internal/question"
	"pakbox/internal/lib/walk"
)

// state describes the files of the working folder: size, and time of the last change, by
// path.
func state(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := walk.Files(".", func(e walk.Entry, info fs.FileInfo) error {
		files[filepath.ToSlash(e.Path)] = fmt.Sprint(info.Size(), info.ModTime(), info.Mode())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// checkTouched compares the files that a front end touched with those that the question
// declares.
func checkTouched(t *testing.T, r *Request, before, after map[string]string) {
	t.Helper()
	for _, name := range changed(before, after) {
		if !r.mayTouch(name) {
			t.Errorf("%s of %s, which %s, touched %s", r.Question.Name, r.Path, r.Question.Touches().Sentence(), name)
		}
	}
}

// changed lists the files that are new, changed or gone.
func changed(before, after map[string]string) (names []string) {
	for name, was := range before {
		if after[name] != was {
			names = append(names, name)
		}
	}
	for name := range after {
		if before[name] == "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// mayTouch reports whether the declaration of a question allows that it touches a file.
func (r *Request) mayTouch(name string) bool {
	isOutput := r.Output != "" && name == r.Output
	switch r.Question.Touches() {
	case question.NamedFile:
		return name == r.Path || isOutput || strings.HasPrefix(name, r.Path+".bak") || strings.HasPrefix(name, r.Path+".copy") // the suites of the packages change a copy too
	case question.NewFile:
		return isOutput
	case question.NewFiles:
		return isOutput || r.Output != "" && strings.HasPrefix(name, r.Output+"/")
	}
	return false
}

// Made returns the file that the command of the request wrote, or the files of a folder as
// a zip.
func (r *Request) Made(t *testing.T) []byte {
	t.Helper()
	if info, err := os.Stat(r.Output); err != nil || !info.IsDir() {
		data, err := os.ReadFile(r.Output)
		if err != nil {
			t.Fatalf("%v: %v", r.Command, err)
		}
		return data
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range below(t, r.Output) {
		data, err := os.ReadFile(path.Join(r.Output, name))
		if err != nil {
			t.Fatal(err)
		}
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// below lists the files of a folder in the order of their names.
func below(t *testing.T, folder string) (names []string) {
	t.Helper()
	err := walk.Files(folder, func(e walk.Entry, _ fs.FileInfo) error {
		rel, err := filepath.Rel(folder, e.Path)
		names = append(names, filepath.ToSlash(rel))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return names
}
