package api_test

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"pakbox"
	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/talk/api"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/peer"
	"pakbox/nadeo/maps"
)

func serve(t *testing.T, change func(*api.Options)) *httptest.Server {
	t.Helper()
	o := api.Options{Formats: pakbox.Formats(), Version: "test", MaxSize: 1 << 20, MaxTime: time.Minute, MaxHeld: 4 << 20, PerClient: 8}
	if change != nil {
		change(&o)
	}
	handler, err := api.New(o)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s
}

func sample(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../../../samples", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// post posts a file; headers are names and values in turn.
func post(t *testing.T, address string, data []byte, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, address, bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if r.Header.Set(headers[i], headers[i+1]); headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(text)
}

// The answer to a change is the changed file, or with dry_run a preview.
func TestChanges(t *testing.T) {
	s := serve(t, nil)
	data := sample(t, "trackmania/Sample.Map.Gbx")
	response, got := post(t, s.URL+"/v1/map.rename?filename=a.Map.Gbx&name=New", data)
	f, err := gbx.Parse([]byte(got), engine.Registry())
	if err != nil || response.StatusCode != 200 {
		t.Fatalf("map.rename: %d, %v", response.StatusCode, err)
	}
	if m, err := maps.Of(f); err != nil || m.Name() != "New" {
		t.Errorf("the changed map: %v, %v", m, err)
	}
	if _, got := post(t, s.URL+"/v1/map.rename?filename=a.Map.Gbx&name=New&dry_run=true", data); !strings.Contains(got, `"dry_run":true,"values":[{"change":"changed"`) {
		t.Errorf("dry run: %s", got)
	}
	for query, status := range map[string]int{"map.rename?nme=x": 400, "map.rename?name=": 400, "map.thumbnail.set?picture=x": 400, "item.set?grid=4": 415} {
		if response, got := post(t, s.URL+"/v1/"+query, data); response.StatusCode != status {
			t.Errorf("%s: %d %s, want %d", query, response.StatusCode, got, status)
		}
	}
}

// form makes the body of a form: pairs of a parameter, with the name of a file after a
// colon, and its content.
func form(t *testing.T, pairs ...string) (body []byte, kind string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		name, file, isFile := strings.Cut(pairs[i], ":")
		create := func() (io.Writer, error) { return w.CreateFormField(name) }
		if isFile {
			create = func() (io.Writer, error) { return w.CreateFormFile(name, file) }
		}
		part, err := create()
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(part, pairs[i+1])
	}
	w.Close()
	return b.Bytes(), w.FormDataContentType()
}

// A form brings the file and the files that are parameters; an archive comes back changed,
// and only posted files go into it.
func TestForms(t *testing.T) {
	s := serve(t, nil)
	vpk := string(sample(t, "hello.vpk"))
	body, kind := form(t, "file:a.vpk", vpk, "files:new.txt", "new", "from:more.txt", "more")
	response, changed := post(t, s.URL+"/v1/put", body, "Content-Type", kind)
	if response.StatusCode != 200 {
		t.Fatalf("put: %d %s", response.StatusCode, changed)
	}
	if _, got := post(t, s.URL+"/v1/ls", []byte(changed)); !strings.Contains(got, `"name":"new.txt","size":3`) || !strings.Contains(got, `"name":"more.txt","size":4`) || !strings.Contains(got, "readme.txt") {
		t.Errorf("the changed archive: %s", got)
	}
	if response, got := post(t, s.URL+"/v1/rm?names=readme.txt", []byte(vpk)); response.StatusCode != 200 || strings.Contains(got, "readme.txt") {
		t.Errorf("rm: %d, %d bytes", response.StatusCode, len(got))
	}
	if _, got := post(t, s.URL+"/v1/mv?from=readme.txt&to=x.txt&dry_run=true", []byte(vpk)); !strings.Contains(got, `"values":[{"change":"moved","path":"readme.txt","old":null,"new":"x.txt"}]`) {
		t.Errorf("mv: %s", got)
	}
	picture := new(bytes.Buffer)
	if err := png.Encode(picture, image.NewRGBA(image.Rect(0, 0, 64, 64))); err != nil {
		t.Fatal(err)
	}
	body, kind = form(t, "file:a.Map.Gbx", string(sample(t, "trackmania/Sample.Map.Gbx")), "picture:p.png", picture.String(), "size", "32")
	response, changed = post(t, s.URL+"/v1/map.thumbnail.set", body, "Content-Type", kind)
	if f, err := gbx.Parse([]byte(changed), engine.Registry()); err != nil || response.StatusCode != 200 {
		t.Errorf("map.thumbnail.set: %d %.200s", response.StatusCode, changed)
	} else if m, err := maps.Of(f); err != nil || len(m.StoredThumbnail()) == 0 {
		t.Errorf("the changed map: %v", err)
	}
	for _, k := range []struct {
		question string
		pairs    []string
		status   int
		message  string
	}{
		{"put?from=/etc/passwd", []string{"file:a.vpk", vpk}, 404, "not_found"},
		{"put?from=a.vpk/../../etc/passwd", []string{"file:a.vpk", vpk}, 404, "not_found"},
		{"put?from=*", []string{"file:a.vpk", vpk}, 404, "not_found"},
		{"put", []string{"file:a.vpk", vpk, "files:../../x", "x", "as", "../../x"}, 400, "usage"},
		{"put", []string{"file:a.vpk", vpk, "nothing:x", "x"}, 400, "no parameter"},
		{"put", []string{"file:a.vpk", vpk, "as:x", "x"}, 400, "as: expected a text"},
		{"put", []string{"file:a.vpk", vpk, "file:b.vpk", vpk, "files:x", "x"}, 400, "more than one part"},
		{"put", []string{"file:" + strings.Repeat("n", 5000) + ".vpk", vpk, "files:x", "x"}, 400, "the name of a file cannot be used"},
		{"map.thumbnail.set", []string{"file:a.Map.Gbx", "x"}, 415, "no known format"},
		{"ls", []string{"file:a.vpk", vpk}, 415, "the body is a form"},
	} {
		body, kind := form(t, k.pairs...)
		if response, got := post(t, s.URL+"/v1/"+k.question, body, "Content-Type", kind); response.StatusCode != k.status || !strings.Contains(got, k.message) {
			t.Errorf("%s: %d %s, want %d and %q", k.question, response.StatusCode, got, k.status, k.message)
		}
	}
	if response, got := post(t, s.URL+"/v1/put", []byte("no form"), "Content-Type", "multipart/form-data; boundary=x"); response.StatusCode != 400 {
		t.Errorf("no form: %d %s", response.StatusCode, got)
	}
}

func TestRefusals(t *testing.T) {
	open := serve(t, nil)
	locked := serve(t, func(o *api.Options) { o.Token, o.Hosts = "secret", []string{"files.example.org"} })
	vpk := sample(t, "hello.vpk")
	for _, k := range []struct {
		address string
		data    []byte
		headers []string
		status  int
		message string
	}{
		{open.URL + "/v1/nothing", vpk, nil, 404, "unknown question"},
		{open.URL + "/elsewhere", vpk, nil, 404, "post a file to /v1/info"},
		{open.URL + "/v1/ls?patern=x", vpk, nil, 400, "did you mean pattern?"},
		{open.URL + "/v1/info", make([]byte, 2<<20), nil, 413, "limit of 1048576 bytes"},
		{open.URL + "/v1/info", []byte("what is this"), nil, 415, "no known format"},
		{open.URL + "/v1/info", vpk, []string{"Content-Type", "multipart/form-data; boundary=x"}, 415, "the body is a form"},
		{open.URL + "/v1/ls", vpk[:40], nil, 422, `"kind":"truncated"`},
		{open.URL + "/v1/ls?filename=../../etc/passwd", vpk, nil, 200, `"path":"passwd"`},
		{open.URL + "/v1/ls", vpk, []string{"Host", "evil.example.org"}, 421, "does not answer to the name"},
		{locked.URL + "/v1/ls", vpk, []string{"Host", "files.example.org"}, 401, "no token"},
		{locked.URL + "/v1/ls", vpk, []string{"Authorization", "Bearer secre"}, 401, "no token"},
		{locked.URL + "/v1/ls", vpk, []string{"Host", "files.example.org", "Authorization", "Bearer secret"}, 200, "readme.txt"},
	} {
		if response, got := post(t, k.address, k.data, k.headers...); response.StatusCode != k.status || !strings.Contains(got, k.message) {
			t.Errorf("%s: %d %.300s, want %d and %q", k.address, response.StatusCode, got, k.status, k.message)
		}
	}
}

// A request without a file gets a hint how to send one.
func TestGet(t *testing.T) {
	response, err := http.Get(serve(t, nil).URL + "/v1/info")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if text, _ := io.ReadAll(response.Body); response.StatusCode != 405 || !strings.Contains(string(text), "--data-binary") {
		t.Errorf(`response.StatusCode = %d text = %s; want response.StatusCode = 405, text with "--data-binary"`, response.StatusCode, text)
	}
}

// The tag depends on the content and on the question.
func TestETag(t *testing.T) {
	s := serve(t, nil)
	vpk := sample(t, "hello.vpk")
	first, _ := post(t, s.URL+"/v1/ls", vpk)
	other, _ := post(t, s.URL+"/v1/info", vpk)
	tag := first.Header.Get("ETag")
	if tag == "" || tag == other.Header.Get("ETag") {
		t.Errorf("tags %s, %s", tag, other.Header.Get("ETag"))
	}
	if again, _ := post(t, s.URL+"/v1/ls", vpk, "If-None-Match", tag); again.StatusCode != 412 {
		t.Errorf("with the tag: %d", again.StatusCode)
	}
}

// A request above the limit waits, and is refused with a reason at last.
func TestWaits(t *testing.T) {
	s := serve(t, func(o *api.Options) { o.PerClient, o.MaxTime = 1, 300*time.Millisecond })
	for range 4 { // one of them is always being read
		go func() {
			for t.Context().Err() == nil {
				r, w := io.Pipe()
				request, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/v1/info", r)
				if response, err := http.DefaultClient.Do(request); err == nil {
					response.Body.Close()
				}
				w.Close()
			}
		}()
	}
	deadline := time.Now().Add(time.Minute)
	for {
		response, got := post(t, s.URL+"/v1/info", sample(t, "hello.vpk"))
		if response.StatusCode == 429 && response.Header.Get("Retry-After") != "" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("response.StatusCode = %d got = %s; want time.Now().After(deadline) = false", response.StatusCode, got)
		}
	}
}

// A public validator accepts the description, which contains every question.
func TestOpenAPI(t *testing.T) {
	node := peer.Program(t, "node", "nodejs")
	validator := peer.NPM(t, "@seriousme/openapi-schema-validator@2.11.0")
	document := api.OpenAPI(pakbox.Formats(), "1")
	for _, q := range answer.Questions() {
		if _, ok := document["paths"].(question.Schema)["/v1/"+q.Name]; !ok {
			t.Errorf("the description lacks /v1/%s", q.Name)
		}
	}
	text, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "--input-type=module", "-e", `
import { Validator } from "@seriousme/openapi-schema-validator"
import fs from "node:fs"
const validator = new Validator()
const result = await validator.validate(JSON.parse(fs.readFileSync(0)))
if (!result.valid || validator.version !== "3.1") { console.log(JSON.stringify(result.errors, null, 1)); process.exit(1) }`)
	cmd.Dir, cmd.Stdin = validator, bytes.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%.3000s", err, out)
	}
}

// The examples of docs/http.md work.
func TestExamples(t *testing.T) {
	node, curl, php := peer.Program(t, "node", "nodejs"), peer.Program(t, "curl", "curl"), peer.Program(t, "php", "php-cli")
	page, err := os.ReadFile("../../../../docs/http.md")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, nil)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "A.Map.Gbx"), sample(t, "trackmania/Sample.Map.Gbx"), 0o666); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(page)) {
		if strings.HasPrefix(line, "curl ") {
			cmd := exec.Command("sh", "-c", line)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "SERVER="+s.URL, "PATH="+filepath.Dir(curl)+":"+os.Getenv("PATH"))
			if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(line, " -o ") && !bytes.Contains(out, []byte(`{"schema":"pakbox.`)) {
				t.Errorf("%s: err = %v\nout = %s; want no error, (line with \" -o \" or out with []byte(`{\"schema\":\"pakbox.`))", line, err, out)
			}
		}
	}
	for name, begin := range map[string]string{"thumbnail.jpg": "\xff\xd8\xff", "B.Map.Gbx": "GBX\x06\x00BUU"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.HasPrefix(string(got), begin) {
			t.Errorf("%s: err = %v, got = %.10q; want no error, got beginning with %q", name, err, got, begin)
		}
	}
	script := regexp.MustCompile("(?s)```php\n(.*?)```").FindSubmatch(page)
	cmd := exec.Command(php, "-r", `$server = getenv("SERVER"); `+string(script[1]))
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "SERVER="+s.URL)
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "$06fSample $fffmap by pakbox: 9950 ms\n" {
		t.Errorf("err = %v\nout = %s; want no error, out = \"$06fSample $fffmap by pakbox: 9950 ms\\n\"", err, out)
	}
	script = regexp.MustCompile("(?s)```js\n(.*?)```").FindSubmatch(page)
	cmd = exec.Command(node, "--input-type=module", "-e", `import { readFile } from "node:fs/promises"; const server = process.env.SERVER;`+string(script[1])+`console.log("done", answer.schema)`)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "SERVER="+s.URL)
	if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("done pakbox.map.lint/1")) {
		t.Errorf("err = %v\nout = %s; want no error, out with []byte(\"done pakbox.map.lint/1\")", err, out)
	}
}
