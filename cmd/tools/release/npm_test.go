package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"pakbox/internal/testkit/peer"
)

// A clean project installs the package from its folder, and runs the examples of
// docs/javascript.md in Node and in Chromium.
func TestNPM(t *testing.T) {
	node, npm, chromium := peer.Program(t, "node", "nodejs"), peer.Program(t, "npm", "npm"), peer.Program(t, "chromium", "chromium")
	typescript := peer.NPM(t, "typescript@5.9.2")
	t.Chdir(filepath.Join("..", "..", ".."))
	dir := t.TempDir()
	system := runtime.GOOS + "/" + runtime.GOARCH
	program := programIn(dir, system)
	run(t, "", "go", "build", "-ldflags=-s -w", "-o", program, "./cmd/pakbox")
	if err := makeNPMSystem(filepath.Join(dir, "npm", npmName(system)), program, system, "1.2.3"); err != nil {
		t.Fatal(err)
	}
	site := filepath.Join(dir, "site")
	run(t, "", "sh", "cmd/tools/run", "site", "-quick", "-o", site)
	if err := makeNPM(filepath.Join(dir, "npm", "pakbox"), site, "1.2.3"); err != nil {
		t.Fatal(err)
	}
	project := filepath.Join(dir, "project")
	for name, data := range map[string][]byte{
		"package.json": []byte(`{"name":"clean","private":true}`),
		"map.gbx":      read(t, "samples/trackmania/Sample.Map.Gbx"), "replay.gbx": read(t, "samples/trackmania/Sample.Replay.Gbx"),
		"lite.mts":  []byte("import { open, Map } from \"pakbox/lite\"\nconst m: Map = await open(\"a\")\nconst n: string | null = m.name\nconst p: Uint8Array = await m.thumbnail()\nexport { n, p }\n"),
		"check.mts": []byte("import { open, questions, Map } from \"pakbox\"\nconst m: Map = await open(\"a\")\nconst n: string | null = m.name\nconst b: any[] = await m.blocks({ items: true })\nawait questions.map_lint(m.path, { strict: true })\nexport { n, b }\n"),
	} {
		t.Run(name, func(t *testing.T) {
			if err := write(filepath.Join(project, name), data); err != nil {
				t.Fatal(err)
			}
		})
	}
	run(t, project, npm, "install", "--offline", "--install-links", "--no-audit", "--no-fund", "../npm/"+npmName(system), "../npm/pakbox")
	run(t, project, filepath.Join(typescript, "node_modules", ".bin", "tsc"), "--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext", "--lib", "es2022,dom", "check.mts", "lite.mts")

	page := string(read(t, "docs/javascript.md"))
	both, inNode, lite := examples(page, "js"), examples(page, "node"), examples(page, "lite")
	if strings.Count(both, "check(") < 25 || strings.Count(inNode, "check(") < 4 || strings.Count(lite, "check(") < 5 {
		t.Error("the examples are gone")
	}
	const check = "const check = (got, want) => { if (String(got) !== want) throw new Error(`${got}, want ${want}`) }\n"
	const exported = `import { open, each, run, questions, PakboxError, close } from "pakbox"` + "\n"
	for _, source := range []string{`"map.gbx", replaySource = "replay.gbx"`, `new Uint8Array(readFileSync("map.gbx")), replaySource = new Blob([readFileSync("replay.gbx")])`} {
		run(t, project, node, "--input-type=module", "-e", exported+`import { readFileSync } from "node:fs"`+"\n"+check+"const source = "+source+"\n"+both)
	}
	run(t, project, node, "--input-type=module", "-e", exported+`import { writeFileSync } from "node:fs"`+"\n"+check+`const source = "map.gbx", replaySource = "replay.gbx"`+"\n"+inNode+"await close()")
	run(t, project, filepath.Join("node_modules", ".bin", "pakbox"), "info", "map.gbx")
	inReadme := strings.ReplaceAll(readmeExample(t, "js"), "samples/trackmania/Sample.Map.Gbx", "map.gbx")
	run(t, project, node, "--input-type=module", "-e", exported+check+"check("+inReadme+", `9950`)\nawait close()")
	const exportedLite = `import { open, PakboxError } from "pakbox/lite"` + "\n"
	// The native command is not used.
	run(t, project, node, "--input-type=module", "-e", exportedLite+check+`process.env.PAKBOX = "/none"; const source = "map.gbx"`+"\n"+lite+"process.exit()")

	const prepare = `
const bytes = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer())
try {
  const source = await bytes("map.gbx"), replaySource = new File([await bytes("replay.gbx")], "A.Replay.Gbx")
`
	const report = `
  fetch("/result", { method: "POST", body: "well" })
} catch (error) { fetch("/result", { method: "POST", body: String(error.stack || error) }) }`
	inChromium(t, chromium, project, exported+check+prepare+both+report)
	inChromium(t, chromium, project, exportedLite+check+prepare+lite+report)
}

// examples are the code of a page, with lines such as "a.b // 3" made into checks.
// Imports stand before it.
func examples(page, kind string) string {
	var b strings.Builder
	for _, block := range regexp.MustCompile("(?s)```"+kind+"\n(.*?)```").FindAllStringSubmatch(page, -1) {
		for line := range strings.Lines(block[1]) {
			value := regexp.MustCompile(`^([^ ].*?) // (.*)\n$`).FindStringSubmatch(line)
			switch {
			case strings.HasPrefix(line, "import "):
			case value != nil && !strings.HasPrefix(line, "const "):
				b.WriteString("check(" + value[1] + ", " + "`" + strings.ReplaceAll(value[2], "$", "\\$") + "`)\n")
			default:
				b.WriteString(line)
			}
		}
	}
	return b.String()
}

// inChromium runs a script in a page, with the package beside it.
func inChromium(t *testing.T, chromium, project, script string) {
	t.Helper()
	result := make(chan string, 1)
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(project)))
	mux.HandleFunc("/page.html", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, `<script type="importmap">{"imports":{"pakbox":"/node_modules/pakbox/browser.js","pakbox/lite":"/node_modules/pakbox/lite-browser.js"}}</script><script type="module">`+script+`</script>`)
	})
	mux.HandleFunc("/result", func(_ http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		result <- string(text)
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	cmd := exec.Command(chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--user-data-dir="+t.TempDir(), server.URL+"/page.html")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	select {
	case text := <-result:
		if text != "well" {
			t.Errorf("in Chromium: %s", text)
		}
	case <-time.After(3 * time.Minute):
		t.Error("Chromium does not answer")
	}
}
