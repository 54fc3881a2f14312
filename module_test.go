package pakbox_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Another module uses pakbox as the README says, with no network.
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
	program := "package main\n\nimport (\n\"context\"\n\"fmt\"\n\"io/fs\"\n\"log\"\n\n\"pakbox\"\n\"pakbox/archive\"\n\"pakbox/trackmania/maps\"\n)\n\nfunc main() {\nctx := context.Background()\n" +
		strings.ReplaceAll("{\n"+string(code[0][1])+"}\n"+string(code[1][1]), "samples/", filepath.ToSlash(here)+"/samples/") + "fmt.Println(len(text), err)\n}\n"
	for name, content := range map[string]string{"go.mod": "module example.com/mine\n\ngo 1.26.0\n", "main.go": program} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	script := strings.Replace(string(commands[1]), "../pakbox", here, 1) + "go run ."
	var out []byte
	for line := range strings.Lines(script) {
		cmd := exec.Command("go", strings.Fields(line)[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOPROXY=off", "GOSUMDB=off", "GOFLAGS=", "GOWORK=off")
		if out, err = cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s\n%s", line, err, out, program)
		}
	}
	if !strings.HasPrefix(string(out), "9950\n") || !strings.Contains(string(out), "readme.txt") || !strings.HasSuffix(string(out), " <nil>\n") {
		t.Errorf("it prints\n%s", out)
	}
}
