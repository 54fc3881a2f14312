package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pakbox"
	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/cli"
	"pakbox/cmd/internal/cli/kit"
	explore "pakbox/cmd/internal/page"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/internal/testkit/corpus"
)

// TestQuestions asks every question in process, through its command and
// through the page, and compares the answers. It takes the samples and one real
// file of each class. With PAKBOX_EVERY=1 it takes every file of the corpus, with
// PAKBOX_EVERY=10 every tenth.
func TestQuestions(t *testing.T) {
	dir := corpus.Dir(t, "gbx")
	paks := corpus.Dir(t, "simutrans/extended/pak")
	page, err := explore.NewFiles([]string{"../../samples", dir, paks})
	if err != nil {
		t.Fatal(err)
	}
	defer page.Close()
	explorer := explore.New(explore.Options{Files: page, Formats: pakbox.Formats()})
	defer explorer.Close()
	faces := &faces{explorer, source.NewOpener(pakbox.Formats()), t.TempDir()}
	every, _ := strconv.Atoi(os.Getenv("PAKBOX_EVERY"))
	answered := map[string]int{}
	ask := func(file, onPage string) {
		for _, q := range answer.Questions() {
			if q.Change {
				continue // its answer is a new file; package talk and the page try each
			}
			if (!q.NoFile || answered[q.Name] == 0) && faces.same(t, q, filepath.ToSlash(file), onPage) {
				answered[q.Name]++
			}
		}
	}
	for _, sample := range []string{
		"hello.vpk", "hello.eix", "Sample.Pack.Gbx", "simutrans/vehicle.Sample_Tram.pak", "simutrans/good.Sample_Parcels.pak", "simutrans/tree.Sample_Fir.pak",
		"trackmania/Sample.Map.Gbx", "trackmania/Sample.Replay.Gbx", "trackmania/Sample.Ghost.Gbx", "trackmania/Sample.Item.Gbx", "trackmania/Sample.Mesh.Gbx",
	} {
		ask("../../samples/"+sample, "samples/"+sample)
	}
	classes, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, class := range classes {
		files, err := os.ReadDir(filepath.Join(dir, class.Name()))
		if err != nil {
			continue // not a folder
		}
		if every == 0 {
			files = slices.DeleteFunc(files, func(f os.DirEntry) bool { return f != files[0] && f.Name() != ofManiaPlanet })
		}
		for i, f := range files {
			if i%max(every, 1) == 0 || f.Name() == ofManiaPlanet {
				ask(filepath.Join(dir, class.Name(), f.Name()), "gbx/"+class.Name()+"/"+f.Name())
			}
		}
		t.Logf("%s: %d files", class.Name(), len(files))
	}
	objects, err := os.ReadDir(paks)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i, f := range objects {
		kind, _, _ := strings.Cut(f.Name(), ".")
		if every > 0 && i%every == 0 || !seen[kind] {
			ask(filepath.Join(paks, f.Name()), "pak/"+f.Name())
		}
		seen[kind] = true
	}
	for _, q := range answer.Questions() {
		if !q.Change && answered[q.Name] == 0 {
			t.Errorf("%s was never answered", q.Name)
		}
	}
	t.Log(answered)
}

// ofManiaPlanet is a small map of a game that has macroblocks.
const ofManiaPlanet = "b1220672c437.Map.Gbx"

// faces are the ways to ask a question.
type faces struct {
	explorer *explore.Explorer
	opener   *source.Opener
	dir      string // for files that commands write
}

// Samples that stand beside the file that is asked about.
const another, aGhost = "hello.vpk", "trackmania/Sample.Ghost.Gbx"

// asked says how a question is asked, where its name and the file do not say
// it all: parameters, and the arguments of the command for the file F. A
// parameter that is a path begins with samples/, or is F.
var asked = map[string]struct{ params, args string }{
	"block":                 {"word=RoadTechCurve3", "block --json RoadTechCurve3"},
	"class":                 {"name=CGameCtnGhost", "class --json CGameCtnGhost"},
	"clip.combine":          {"with=F", "clip combine F F -o O.Clip.Gbx"},
	"convert":               {"format=zip", "convert F O.zip"},
	"diff":                  {"other=samples/" + another, "diff --json F ../../samples/" + another},
	"dump":                  {"", "dump --json F"},
	"formats":               {"", "help formats --json"},
	"get":                   {"value=header.version", "get --json F header.version"},
	"grep":                  {"text=Stadium", "grep --json Stadium F"},
	"item.materials":        {"word=Tech", "item materials --json Tech"},
	"map.cut":               {"box=0,0,0:255,255,255&name=Part", "map cut F 0,0,0:255,255,255 --name Part -o O.Macroblock.Gbx"},
	"map.mesh":              {"", "map mesh F -o O.glb"},
	"map.picture":           {"", "map picture F -o O.png"},
	"map.thumbnail":         {"", "map thumbnail F -o O.jpg"},
	"member":                {"name=CGameCtnApp.RootMap.MapInfo.Name", "class --json CGameCtnApp.RootMap.MapInfo.Name"},
	"mesh.file":             {"", "mesh F -o O.glb"},
	"mesh.picture":          {"", "mesh F -o O.png"},
	"query":                 {"q=.header.version", "query F .header.version"},
	"replay.animate":        {"hz=2&size=200x160", "replay animate --hz 2 --size 200x160 F -o O.png"},
	"replay.board.picture":  {"", "replay board F -o O.png"},
	"replay.clip":           {"", "replay clip F -o O.Clip.Gbx"},
	"replay.create":         {"with=samples/" + aGhost, "replay create F ../../samples/" + aGhost + " -o O.Replay.Gbx"},
	"replay.compare":        {"with=samples/" + aGhost, "replay compare --json F ../../samples/" + aGhost},
	"replay.picture":        {"", "replay picture F -o O.png"},
	"replay.telemetry.file": {"", "replay telemetry F -o O.csv"},
	"simutrans.picture":     {"", "simutrans picture F -o O.png"},
}

// same asks a question through every face and compares the answers. It reports
// whether there was an answer rather than an error.
func (f *faces) same(t *testing.T, q *question.Question, file, onPage string) bool {
	t.Helper()
	given, err := url.ParseQuery(asked[q.Name].params)
	if err != nil {
		t.Fatal(err)
	}
	inProcess := question.Texts{}
	for name, values := range given {
		inProcess[name] = []string{strings.Replace(values[0], "samples/", "../../samples/", 1)}
		if values[0] == "F" {
			inProcess[name], given[name] = []string{file}, []string{onPage}
		}
	}
	reply, err := q.AskWith(t.Context(), &question.At{Path: file, Opener: f.opener}, inProcess)
	given.Set("path", onPage)
	page := f.explorer.Ask(t.Context(), explore.Question{Name: q.Name, Params: given})
	shown, readErr := page.Read()
	if readErr != nil {
		t.Fatal(readErr)
	}
	if err != nil {
		if page.Status == explore.OK {
			t.Errorf("%s of %s: %v, and the page answers", q.Name, file, err)
		}
		return false
	}
	printed, written := f.command(t, q, file)
	compare := func(face string, got, want []byte) {
		if got, want := answerOf(t, q, got), answerOf(t, q, want); !bytes.Equal(got, want) {
			t.Errorf("%s of %s through %s:\n%.1000s\nwant\n%.1000s", q.Name, file, face, got, want)
		}
	}
	if answer, isFile := reply.Answer.(*question.File); isFile {
		compare("the command", written, answer.Data)
		compare("the page", shown, answer.Data)
		return true
	}
	want, err := reply.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(answerOf(t, q, shown), answerOf(t, q, want)) {
		compare("the page", shown, f.bounded(t, q, file, inProcess))
	}
	if q.Name == "grep" && len(printed) == 0 {
		return false // nothing was found, which a command says by its exit code
	}
	if q.Name == "query" { // a result on each line
		printed = append(append([]byte(`{"results":[`), bytes.ReplaceAll(bytes.TrimSpace(printed), []byte("\n"), []byte(","))...), `],"cut":false}`...)
		compare("the command", printed, want)
		return true
	}
	lines := bytes.SplitAfter(printed, []byte("\n"))
	parts := reply.Parts()
	if len(lines) != len(parts)+1 {
		t.Errorf("%s of %s: the command prints %d lines, want %d: %.300s", q.Name, file, len(lines)-1, len(parts), printed)
		return false
	}
	for i, part := range parts {
		want, err := part.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		compare("the command", lines[i], want)
	}
	return len(parts) > 0
}

// bounded is the answer that a stranger gets, which has limits.
func (f *faces) bounded(t *testing.T, q *question.Question, file string, params question.Texts) []byte {
	t.Helper()
	reply, err := q.AskWith(t.Context(), &question.At{Path: file, Opener: f.opener, Host: question.Local{Limited: true}}, params)
	if err != nil {
		t.Fatal(err)
	}
	text, err := reply.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// command runs the command of a question, and returns what it prints and the
// file that it writes.
func (f *faces) command(t *testing.T, q *question.Question, file string) (printed, written []byte) {
	t.Helper()
	text := asked[q.Name].args
	if text == "" {
		text = strings.ReplaceAll(q.Name, ".", " ") + " --json F"
	}
	args := strings.Fields(text)
	output := ""
	for i, arg := range args {
		if arg == "F" {
			args[i] = file
		}
		if ending, ok := strings.CutPrefix(arg, "O."); ok {
			output = filepath.Join(f.dir, "output."+ending)
			os.Remove(output)
			args[i] = output
		}
	}
	var out, wrong bytes.Buffer
	cli.Run(t.Context(), kit.Env{Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &wrong, Getenv: func(string) string { return "" }, Formats: pakbox.Formats()})
	if output != "" {
		data, err := os.ReadFile(output)
		if err != nil {
			t.Errorf("%v: %v: %s", args, err, wrong.Bytes())
		}
		return nil, data
	}
	return out.Bytes(), nil
}

// paths are what each face calls the files.
var paths = regexp.MustCompile(`(?:\.\./\.\./)?samples/|[^",]*?gbx/[0-9a-f]{8}/|(?:[^",]*?extended/)?pak/`)

// answerOf is an answer in one form. Paths are without their beginnings, which
// differ between faces.
func answerOf(t *testing.T, q *question.Question, text []byte) []byte {
	t.Helper()
	text = paths.ReplaceAll(text, nil)
	if q.IsFile() {
		return text
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatalf("%s: %v: %.300s", q.Name, err, text)
	}
	if name := twice(json.NewDecoder(bytes.NewReader(text))); name != "" {
		t.Errorf("%s: an object has %q twice: %.300s", q.Name, name, text)
	}
	delete(fields, "path")
	if q.Name == "formats" || q.Name == "query" { // whose commands print only the results
		for _, name := range []string{"schema", "format", "topic"} {
			delete(fields, name)
		}
	}
	out, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// twice reads a value of JSON and returns a name that one of its objects has twice;
// "" if there is none.
func twice(d *json.Decoder) string {
	token, err := d.Token()
	open, ok := token.(json.Delim)
	if err != nil || !ok {
		return ""
	}
	names := map[json.Token]bool{}
	for d.More() {
		if open == '{' {
			name, _ := d.Token()
			if names[name] {
				return fmt.Sprint(name)
			}
			names[name] = true
		}
		if name := twice(d); name != "" {
			return name
		}
	}
	d.Token() // the end
	return ""
}
