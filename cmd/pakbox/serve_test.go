package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestServe starts the page as a user does, compares its answers with those of commands, and
// ends it.
func TestServe(t *testing.T) {
	index := filepath.Join(t.TempDir(), "index.sqlite")
	if out, err := exec.Command("pakbox", "index", "../../samples", "-o", index).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cmd := exec.Command("pakbox", "serve", "--no-browser", "--index", index, "../../samples")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address, err := url.Parse(strings.TrimSpace(line))
	if err != nil || address.Hostname() != "127.0.0.1" || address.Query().Get("token") == "" {
		t.Fatalf("the first line is %q", line)
	}

	// Without the token every request is refused.
	question := address.Scheme + "://" + address.Host + "/api/info?path=samples/hello.vpk"
	if status, _ := get(t, http.DefaultClient, question); status != http.StatusUnauthorized {
		t.Errorf("without a token: status %d", status)
	}
	jar, _ := cookiejar.New(nil)
	client := &http.Client{Jar: jar}
	if status, body := get(t, client, address.String()); status != http.StatusOK || !strings.Contains(body, "<title>pakbox</title>") {
		t.Errorf("the page: status %d", status)
	}
	status, body := get(t, client, question)
	said, err := exec.Command("pakbox", "info", "--json", "../../samples/hello.vpk").Output()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := withoutPath(t, body), withoutPath(t, string(said)); status != http.StatusOK || got != want {
		t.Errorf("status %d\n%s\nthe command prints\n%s", status, got, want)
	}

	// The index answers, in words and in SQL, and stays as it is.
	api := address.Scheme + "://" + address.Host + "/api/"
	for question, want := range map[string]string{
		"find?q=file%3Dhello.vpk": `"the pakbox project"`, "sql?q=" + url.QueryEscape("select name from files where name = 'hello.vpk'"): `"rows":[["hello.vpk"]],`,
		"sql?q=" + url.QueryEscape("delete from files"): "only read", "find?q=nme%3Dx": "unknown word",
		"sql?q=" + url.QueryEscape("with recursive n(i) as (values (0) union all select i + 1 from n) select i from n"): `"cut":true`,
	} {
		if _, body := get(t, client, api+question); !strings.Contains(body, want) {
			t.Errorf("%s: %.300s, want %s", question, body, want)
		}
	}

	if runtime.GOOS == "windows" {
		return // where no signal can be sent
	}
	cmd.Process.Signal(os.Interrupt)
	if err := cmd.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
}

func get(t *testing.T, client *http.Client, address string) (status int, body string) {
	t.Helper()
	answer, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(data)
}

// withoutPath is an answer but for the path, which the page begins at its roots.
func withoutPath(t *testing.T, text string) string {
	t.Helper()
	var fields map[string]any
	if err := json.Unmarshal([]byte(text), &fields); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	delete(fields, "path")
	data, _ := json.Marshal(fields)
	return string(data)
}
