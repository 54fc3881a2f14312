package pakbox_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pakbox"
	"pakbox/archive"
	"pakbox/internal/testkit/tier"
)

// Another module uses pakbox as the README describes, with no network.
func TestUsedByAnotherModule(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := regexp.MustCompile("(?s)```sh\n(go mod edit .*?)```").FindSubmatch(readme)
	code := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllSubmatch(readme, -1)
	if commands == nil || len(code) != 2 {
		t.Fatal("the README does not say how")
	}
	dir := t.TempDir()
	program := "package main\n\nimport (\n\"context\"\n\"fmt\"\n\"io/fs\"\n\"log\"\n\n\"pakbox\"\n\"pakbox/archive\"\n\"pakbox/nadeo/maps\"\n)\n\nfunc main() {\nctx := context.Background()\n" +
		strings.ReplaceAll("{\n"+string(code[0][1])+"}\n"+string(code[1][1]), "samples/", filepath.ToSlash(here)+"/samples/") + "fmt.Println(len(text), err)\n}\n"
	for name, content := range map[string]string{"go.mod": "module example.com/mine\n\ngo 1.26.0\n", "main.go": program} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
	script := strings.Replace(string(commands[1]), "../pakbox", here, 1) + "go run ."
	var out string
	for line := range strings.Lines(script) {
		out = runGo(t, dir, strings.Fields(line)[1:]...)
	}
	if !strings.HasPrefix(out, "9950\n") || !strings.Contains(out, "readme.txt") || !strings.HasSuffix(out, " <nil>\n") {
		t.Errorf("it prints\n%s", out)
	}
}

// runGo runs a command of Go in dir, with no network, and returns what it prints.
func runGo(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	flags := ""
	if strings.Contains(os.Getenv("GOFLAGS"), "-trimpath") { // then the packages are built already
		flags = "-trimpath"
	}
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOSUMDB=off", "GOFLAGS="+flags, "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// A program of another module makes the same archive as 'pakbox create', also with the
// names of entries: clients look for d:/ymir work, which in a folder is ymir work.
func TestAnotherModuleCreates(t *testing.T) {
	tier.All(t, "much time")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, content := range map[string]string{
		"go.mod": "module example.com/mine\n\ngo 1.26.0\n",
		"main.go": `package main

import (
	"context"
	"log"
	"os"

	"pakbox"
)

func main() {
	if _, err := pakbox.Create(context.Background(), "program.vpk", os.Args[1:], pakbox.CreateOptions{}); err != nil {
		log.Fatal(err)
	}
}
`,
		"in/ymir work/item/sword.txt": strings.Repeat("sharp ", 100),
		"in/readme.txt":               "read me",
		"more/a.txt":                  "a",
	} {
		t.Run(name, func(t *testing.T) {
			name = filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
	runGo(t, dir, "mod", "edit", "-require=pakbox@v0.0.0", "-replace=pakbox="+here)
	runGo(t, dir, "get", ".")
	program, command := filepath.Join(dir, "program"), filepath.Join(dir, "command")
	runGo(t, dir, "build", "-o", program, ".")
	runGo(t, here, "build", "-o", command, "./cmd/pakbox")
	run := func(name string, args ...string) {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, out)
		}
	}
	for _, inputs := range [][]string{{"in"}, {"in", "more"}, {"in/", "more/a.txt"}, {"command.vpk/ymir work", "in/readme.txt"}} {
		made := filepath.Join(dir, "program.vpk")
		if err := os.RemoveAll(made); err != nil {
			t.Fatal(err)
		}
		create := append([]string{"create", "command-new.vpk"}, inputs...)
		run(program, inputs...)
		run(command, create...)
		run(command, "diff", "command-new.vpk", "program.vpk") // exit code 1 if they differ
		a, err := pakbox.Open(ctx, made, archive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range a.Entries() {
			names = append(names, e.Name)
		}
		a.Close()
		if want := "d:/ymir work/item/sword.txt"; len(inputs) == 1 && !slices.Contains(names, want) {
			t.Errorf("Create(%q) stores %q, want also %s", inputs, names, want)
		}
		if err := os.Rename(filepath.Join(dir, "command-new.vpk"), filepath.Join(dir, "command.vpk")); err != nil {
			t.Fatal(err)
		}
	}
}
