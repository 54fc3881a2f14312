// Package frontendtest is one suite for all front ends: the ways to ask a question or make
// a change, such as the command, the page, HTTP and the packages for other languages. It
// sends every declared question and change through a front end, and compares the answers
// with those of package talk in this process. A question without an example here is an
// error, so a new question is tried everywhere.
package frontendtest

import (
	"bytes"
	_ "embed" // for wall.gltf
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"testing"
	"time"

	"pakbox"
	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/cmd/internal/talk"
	"pakbox/nadeo/campaigns"
	"pakbox/nadeo/nadeotest/mapsample"
)

// Frontend is one way to ask. Open starts it in the working folder, which has the folders
// "samples", "made", "real", "work" and "out", and returns the function that sends one
// request.
type Frontend struct {
	Open func(t *testing.T) func(t *testing.T, r *Request) *Answer
	// Limited means that answers may be those to an asker who is not trusted.
	Limited bool
	// Remote means that the front end has only the file that the request sends: paths of
	// other files are refused.
	Remote bool
	// TextsOnly means that parameters cannot be the content of files: these are refused.
	TextsOnly bool
	// ListsOnly means that the command of a question prints its list and nothing else.
	ListsOnly []string
}

// Request is a question or a change, and the file that it is about.
type Request struct {
	Question *question.Question
	Path     string         // from the working folder
	Params   map[string]any // JSON values, and values of the types [Path] and [Content]
	Command  []string       // arguments of the command, with paths filled in
	Output   string         // path that the command of the question writes, or ""
}

// Path is a parameter that is a path, from the working folder. Content is a parameter that
// is the content of the file at a path.
type Path string

type Content string

// AnyKind is the kind of an error whose kind a front end does not print.
const AnyKind = "any"

// Answer is what a front end answered: an error, a file, or JSON.
type Answer struct {
	Kind  string   // of the error; "" for none
	File  []byte   // the answer, or the changed file
	JSON  []byte   // one object: the answer, or the report about a change
	Parts [][]byte // objects of an answer whose command prints a line for each part
	// IsPart means that a list was shortened, so only the names of fields are compared.
	IsPart bool
	// Method is what the method of an object returned, in JSON, if there is one.
	Method []byte
}

// wall is a mesh with the layers that an importer needs.
//
//go:embed wall.gltf
var wall []byte

// Run tries every question and change on the samples.
func Run(t *testing.T, f Frontend) {
	s := start(t, f)
	for _, q := range answer.Questions() {
		e, ok := examples[q.Name]
		if !ok {
			t.Errorf("%s has no example in package frontendtest", q.Name)
			continue
		}
		t.Run(q.Name, func(t *testing.T) {
			file := e.file
			if s.Remote && file == samplePakset {
				file = sampleTram // a folder cannot be sent
			}
			if !s.compare(t, q, e, file) && !s.refused(e) {
				t.Errorf("the example has no answer: %s", s.want(t, s.request(t, q, e, file), false).JSON)
			}
			if q.NoFile {
				return
			}
			s.compare(t, q, e, "samples/README.md")
			if !s.Remote {
				s.compare(t, q, e, "samples/nothing.Map.Gbx")
			}
		})
	}
}

// suite is a front end that was started.
type suite struct {
	Frontend
	ask    func(t *testing.T, r *Request) *Answer
	opener *source.Opener
	number int // of the last request
}

// start makes the working folder and starts the front end in it.
func start(t *testing.T, f Frontend) *suite {
	t.Helper()
	samples, err := filepath.Abs(findSamples(t))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "samples"), os.DirFS(samples)); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"made", "real", "work", "out"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	makeFiles(t)
	return &suite{Frontend: f, ask: f.Open(t), opener: source.NewOpener(pakbox.Formats())}
}

// findSamples returns the folder with the samples, above the folder of the test.
func findSamples(t *testing.T) string {
	t.Helper()
	for dir := "."; ; dir = filepath.Join("..", dir) {
		samples := filepath.Join(dir, "samples")
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return samples
		}
		if len(dir) > 100 {
			t.Fatal("no folder samples above the test")
		}
	}
}

// makeFiles writes the files of the examples that are not samples.
func makeFiles(t *testing.T) {
	t.Helper()
	rich, err := mapsample.Map()
	if err != nil {
		t.Fatal(err)
	}
	item, err := mapsample.Item("New")
	if err != nil {
		t.Fatal(err)
	}
	campaign, err := (&campaigns.Campaign{ID: "Sample@pakbox", Name: "Samples"}).File().Encode()
	if err != nil {
		t.Fatal(err)
	}
	simple, err := os.ReadFile(sampleMap)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"Rich.Map.Gbx": rich, "New.Item.Gbx": item, "Maps.Campaign.Gbx": campaign,
		"Run.Clip.Gbx":        answerOf(t, "replay.clip", sampleReplay),
		"Part.gltf":           wall,
		"Part.glb":            answerOf(t, "mesh.file", sampleMesh),
		"cup/A.Map.Gbx":       simple,
		"cup/late/B.Map.Gbx":  rich,
		"Part.Item.xml":       []byte(`<Item AuthorName="ada" Collection="Stadium" Type="StaticObject"/>`),
		"Part.MeshParams.xml": []byte(`<MeshParams MeshType="Static" Collection="Stadium" FbxFile="Part.gltf"><Materials><Material Name="PlatformTech" Link="PlatformTech"/></Materials></MeshParams>`),
		"blocks.csv":          []byte("name,x,y,z,direction\nRoadTechStart,20,9,24,2\n"),
		"track.recipe":        []byte("delete block=RoadTechStart\n"),
	} {
		file := filepath.Join("made", name)
		err := errorsOf(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, data, 0o666), os.Chtimes(file, time.Unix(0, 0), time.Unix(0, 0)))
		if err != nil {
			t.Fatal(err)
		}
	}
}

// answerOf asks a question whose answer is a file.
func answerOf(t *testing.T, name, file string) []byte {
	t.Helper()
	q, err := talk.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	reply, err := talk.Ask(t.Context(), question.At{Path: file, Opener: source.NewOpener(pakbox.Formats())}, q, nil)
	if err != nil {
		t.Fatal(err)
	}
	return reply.Answer.(*question.File).Data
}

// refused reports whether the front end cannot take the parameters of an example, or its
// folder.
func (s *suite) refused(e example) bool {
	if s.Remote && e.file == folderOfMaps {
		return true
	}
	for _, p := range e.params {
		switch p := p.(type) {
		case Content, []Content:
			if s.TextsOnly {
				return true
			}
		case Path:
			if s.Remote {
				return true
			}
		case []Path:
			if s.Remote && len(p) > 0 {
				return true
			}
		}
	}
	return false
}

// request makes a request of an example about a file. A change gets a copy of the file.
func (s *suite) request(t *testing.T, q *question.Question, e example, file string) *Request {
	t.Helper()
	s.number++
	r := &Request{Question: q, Path: file, Params: e.params}
	if q.NoFile {
		r.Path = ""
	}
	if q.Change && file != "" {
		data, err := os.ReadFile(file)
		if err == nil {
			r.Path = path.Join("work", fmt.Sprint(s.number), path.Base(file))
			err = errorsOf(os.MkdirAll(path.Dir(r.Path), 0o777), os.WriteFile(r.Path, data, 0o666))
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	r.Command, r.Output = e.arguments(q, r.Path, path.Join("out", fmt.Sprint(s.number)))
	return r
}

// compare sends a request through the front end, and compares the answer with that of this
// process. It reports whether the answer was not an error.
func (s *suite) compare(t *testing.T, q *question.Question, e example, file string) bool {
	t.Helper()
	r := s.request(t, q, e, file)
	before := state(t)
	got := withKind(s.ask(t, r))
	checkTouched(t, r, before, state(t))
	got.File = r.withoutFolder(got.File)
	if s.refused(e) {
		if got.Kind == "" {
			t.Errorf("%s of %s was answered, want a refusal: its parameters name other files", q.Name, file)
		}
		return false
	}
	want := withKind(s.want(t, s.request(t, q, e, file), false))
	problem := difference(t, s, r, got, want)
	if problem != "" && s.Limited && !q.Change {
		want = withKind(s.want(t, s.request(t, q, e, file), true))
		problem = difference(t, s, r, got, want)
	}
	if problem != "" {
		t.Errorf("%s of %s: %s", q.Name, file, problem)
	}
	return want.Kind == ""
}

// withoutFolder cuts the folder off the path of the request, where it is in a file such as
// CSV.
func (r *Request) withoutFolder(file []byte) []byte {
	if r.Path == "" {
		return file
	}
	return bytes.ReplaceAll(file, []byte(r.Path), []byte(path.Base(r.Path)))
}

// withKind takes the kind of an error that is a field of an answer, as verify has it.
func withKind(a *Answer) *Answer {
	var failed struct{ Error struct{ Kind string } }
	if a.Kind == "" && json.Unmarshal(a.JSON, &failed) == nil {
		a.Kind = failed.Error.Kind
	}
	return a
}

// want asks in this process.
func (s *suite) want(t *testing.T, r *Request, limited bool) *Answer {
	t.Helper()
	at := question.At{Path: r.Path, Opener: s.opener, Host: question.Local{Limited: limited}}
	if r.Question.Change {
		return s.wantChange(t, r, at)
	}
	reply, err := talk.Ask(t.Context(), at, r.Question, r.Members(t))
	if err != nil {
		return &Answer{Kind: question.ErrorKind(err), JSON: []byte(err.Error())}
	}
	if f, ok := reply.Answer.(*question.File); ok { // such as CSV with a column for paths
		return &Answer{File: r.withoutFolder(f.Data)}
	}
	a := new(Answer)
	if a.JSON, err = reply.MarshalJSON(); err != nil {
		t.Fatal(err)
	}
	for _, part := range reply.Parts() {
		text, err := part.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		a.Parts = append(a.Parts, text)
	}
	return a
}

// wantChange makes a change in this process.
func (s *suite) wantChange(t *testing.T, r *Request, at question.At) *Answer {
	t.Helper()
	done, err := talk.Change(t.Context(), at, r.Question, r.Members(t))
	if err != nil {
		return &Answer{Kind: question.ErrorKind(err), JSON: []byte(err.Error())}
	}
	a := new(Answer)
	if a.JSON, err = done.MarshalJSON(); err != nil {
		t.Fatal(err)
	}
	if a.File, err = os.ReadFile(r.Path); err != nil {
		t.Fatal(err)
	}
	return a
}

// Members returns the parameters as JSON. Content has the name and the bytes of the file.
func (r *Request) Members(t *testing.T) map[string]json.RawMessage {
	t.Helper()
	members := map[string]json.RawMessage{}
	for name, value := range r.Params {
		switch v := value.(type) {
		case Content:
			value = uploaded(t, v)
		case []Content:
			var list []question.Content
			for _, c := range v {
				list = append(list, uploaded(t, c))
			}
			value = list
		}
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		members[name] = text
	}
	return members
}

func uploaded(t *testing.T, c Content) question.Content {
	t.Helper()
	data, err := os.ReadFile(string(c))
	if err != nil {
		t.Fatal(err)
	}
	return question.Content{Name: path.Base(string(c)), Data: data}
}

// Changed returns the answer about a change that was saved in place or as r.Output.
func (r *Request) Changed(t *testing.T, report []byte) *Answer {
	t.Helper()
	name := r.Path
	if r.Output != "" {
		if _, err := os.Stat(r.Output); err == nil {
			name = r.Output
		}
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return &Answer{JSON: report, File: data}
}

func errorsOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
