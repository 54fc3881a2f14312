// Prose reports English that needs a second reading: in comments and string literals of
// Go, JavaScript, TypeScript, Python and CSS, in Markdown, and in subjects of commits.
// The rules are in rules.go, form.go and commits.go. Exceptions are in exceptions.txt,
// each with its reason.
//
//	make prose                      number of findings in each folder
//	make prose PROSE=docs           every finding below docs
//	cmd/tools/run prose -commits main..HEAD
//
// Generated code, test data and scripts of others are not read. TestMarkdown holds the
// Markdown of the project at zero findings; other files are counted only.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A finding is a part of a text that breaks a rule.
type finding struct {
	file   string
	line   int    // from 1; 0 for a commit
	text   string // the words found
	rule   string
	advice string
}

func (f finding) String() string {
	place := f.file
	if f.line > 0 {
		place = fmt.Sprintf("%s:%d", f.file, f.line)
	}
	return fmt.Sprintf("%s: %s: %q: %s", place, f.rule, f.text, f.advice)
}

func main() {
	commits := flag.String("commits", "", "check the subjects of the commits in this `range` too, such as main..HEAD")
	list := flag.Bool("list", false, "print every finding instead of the number in each folder")
	flag.Parse()
	if err := run(os.Stdout, *commits, *list || flag.NArg() > 0, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "prose:", err)
		os.Exit(1)
	}
}

// run checks the files at or below paths, or all files of the project.
func run(w io.Writer, commits string, list bool, paths []string) error {
	files, err := trackedFiles(".", paths)
	if err != nil {
		return err
	}
	list = list || commits != ""
	exceptions, err := readExceptions()
	if err != nil {
		return err
	}
	found, err := checkFiles(".", files, exceptions)
	if err != nil {
		return err
	}
	if commits != "" {
		subjects, err := git(".", "log", "--no-merges", "--format=%h %s", commits)
		if err != nil {
			return err
		}
		found = append(found, checkSubjects(subjects)...)
	}
	if !list {
		printFolders(w, found)
		return nil
	}
	for _, f := range found {
		fmt.Fprintln(w, f)
	}
	if len(found) > 0 {
		return fmt.Errorf("number of findings: %d", len(found))
	}
	return nil
}

// trackedFiles lists the files below root that git knows and that prose reads.
func trackedFiles(root string, paths []string) ([]string, error) {
	out, err := git(root, append([]string{"ls-files", "-z", "--"}, paths...)...)
	if err != nil {
		return nil, err
	}
	files := strings.FieldsFunc(out, func(r rune) bool { return r == 0 })
	return slices.DeleteFunc(files, func(name string) bool { return !isRead(name) }), nil
}

// isRead reports whether prose has rules for a file, and the project wrote it.
func isRead(name string) bool {
	inside := "/" + name
	if strings.Contains(name, "_gen.go") || strings.Contains(inside, "/testdata/") || strings.Contains(inside, "/vendor/") {
		return false
	}
	_, ok := languages[path.Ext(name)]
	return ok || path.Ext(name) == ".md"
}

// checkFiles returns the findings of all files, without the exceptions.
func checkFiles(root string, files []string, exceptions []exception) ([]finding, error) {
	var found []finding
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return nil, err
		}
		for _, f := range check(name, string(text)) {
			if !isExcepted(exceptions, f) {
				found = append(found, f)
			}
		}
	}
	return found, nil
}

// printFolders prints the number of findings in each folder, the largest first.
func printFolders(w io.Writer, found []finding) {
	numbers := map[string]int{}
	var folders []string
	for _, f := range found {
		folder := path.Dir(f.file)
		if numbers[folder] == 0 {
			folders = append(folders, folder)
		}
		numbers[folder]++
	}
	slices.SortFunc(folders, func(a, b string) int {
		if numbers[a] != numbers[b] {
			return numbers[b] - numbers[a]
		}
		return strings.Compare(a, b)
	})
	for _, folder := range folders {
		fmt.Fprintf(w, "%6d %s\n", numbers[folder], folder)
	}
	fmt.Fprintf(w, "%6d in all\n", len(found))
}

func git(root string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return string(out), nil
}
