package question

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/archive/folder"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
)

type shared struct {
	Limit int `json:"limit" doc:"the most" short:"n"`
}

type params struct {
	shared
	Name   string   `json:"name" arg:"" doc:"a name"`
	Deep   bool     `json:"deep,omitempty"`
	Scale  float64  `json:"scale"`
	Big    int64    `json:"big" request:""`
	Kinds  []string `json:"kinds" value:"KIND"`
	Output string   `json:"output" local:""`
	//lint:ignore U1000 only its name is read: unexported fields are not parameters, like the next two
	inner string
	None  string
	Each  func() `json:"-"`
}

type answer struct {
	Got  params `json:"got"`
	Path string `json:"asked"`
}

var room Room

var echo = New(&room, "test.echo", "Gives the parameters back.", func(_ context.Context, at *At, p params) (*answer, error) {
	if p.Name == "bad" {
		return nil, errors.New("refused")
	}
	return &answer{p, at.Path}, nil
})

// The parameters of a request reach the question with their types. Unknown names
// are ignored, and parameters for local paths are never read from a request.
func TestAskWith(t *testing.T) {
	texts := Texts{"limit": {"0x10"}, "name": {"a", "b"}, "deep": {"true"}, "scale": {"1.5"}, "big": {"-7"}, "kinds": {"x", "y"},
		"output": {"/etc/passwd"}, "unknown": {"1"}, "None": {"1"}, "inner": {"1"}, "-": {"1"}}
	reply, err := echo.Asked().AskWith(t.Context(), &At{Path: "p", Format: "gbx"}, texts)
	if err != nil {
		t.Fatal(err)
	}
	want := params{shared: shared{16}, Name: "a", Deep: true, Scale: 1.5, Big: -7, Kinds: []string{"x", "y"}}
	got := reply.Answer.(*answer)
	if !reflect.DeepEqual(got.Got, want) || got.Path != "p" || reply.Path != "p" || reply.Format != "gbx" {
		t.Errorf("%+v, want %+v", got, want)
	}
	if typed, err := echo.Ask(t.Context(), &At{Path: "p"}, want); err != nil || !reflect.DeepEqual(typed, got) {
		t.Errorf("question with typed parameters = %+v, %v", typed, err)
	}
	if none, err := echo.Asked().AskWith(t.Context(), &At{}, Texts{"name": {}}); err != nil || !reflect.DeepEqual(none.Answer.(*answer).Got, echo.NewParams()) {
		t.Errorf("without parameters: %+v, %v", none, err)
	}
}

func TestAskWithNonsense(t *testing.T) {
	for name, want := range map[string]string{"limit": `limit: "x" is not a number`, "deep": `deep: "x" is not true or false`, "scale": `scale: "x" is not a number`, "big": `big: "x" is not a number`} {
		_, err := echo.Asked().AskWith(t.Context(), &At{}, Texts{name: {"x"}})
		if err == nil || err.Error() != want || !IsUsage(err) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := echo.Asked().AskWith(t.Context(), &At{}, Texts{"name": {"bad"}}); err == nil || err.Error() != "refused" {
		t.Errorf(`err = %v; want an error, err = "refused"`, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := echo.Asked().AskWith(gone, &At{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled question: %v", err)
	}
}

func TestParameters(t *testing.T) {
	var names []string
	for _, p := range echo.Asked().Parameters() {
		names = append(names, p.Name)
		if p.Local != (p.Name == "output") || p.Arg != (p.Name == "name") || p.Request != (p.Name == "big") {
			t.Errorf("%s: only commands: %v, argument: %v, only requests: %v", p.Name, p.Local, p.Arg, p.Request)
		}
		switch p.Name {
		case "limit":
			given := echo.NewParams()
			*p.Pointer(&given).(*int) = 3
			if p.Short != "n" || p.Doc != "the most" || p.Type.Kind() != reflect.Int || given.Limit != 3 {
				t.Errorf(`p = %+v, given = %+v; want p.Short = "n", p.Doc = "the most", p.Type.Kind() = reflect.Int, given.Limit = 3`, p, given)
			}
		case "kinds":
			if p.Value != "KIND" {
				t.Errorf(`p = %+v; want p.Value = "KIND"`, p)
			}
		}
	}
	if want := []string{"limit", "name", "deep", "scale", "big", "kinds", "output"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	if len(room) == 0 || room[0] != echo.Asked() {
		t.Error("a question is missing in the list of its group")
	}
}

type parts struct {
	All []string `json:"all"`
}

func (p *parts) Parts() (all []any) {
	for _, s := range p.All {
		all = append(all, map[string]string{"one": s})
	}
	return all
}

// own writes its own fields.
type own struct{ err error }

func (o own) AppendFields(b *bytes.Buffer) error {
	b.WriteString(`,"own":1`)
	return o.err
}

// A reply begins with schema, path and format, for every answer.
func TestReply(t *testing.T) {
	q := &Question{Name: "a.b"}
	none := &Question{Name: "a.b", NoFile: true}
	for _, test := range []struct {
		q      *Question
		at     At
		answer any
		want   string
	}{
		{q, At{Path: "a\"<b>", Format: "gbx"}, &struct {
			N string `json:"n"`
		}{"<}"}, `{"schema":"pakbox.a.b/1","path":"a\"<b>","format":"gbx","n":"<}"}`},
		{q, At{}, &struct{}{}, `{"schema":"pakbox.a.b/1","path":"","format":null}`},
		{q, At{}, (*parts)(nil), `{"schema":"pakbox.a.b/1","path":"","format":null}`},
		{q, At{}, own{}, `{"schema":"pakbox.a.b/1","path":"","format":null,"own":1}`},
		{none, At{Path: "p", Format: "gbx"}, &parts{[]string{"x"}}, `{"schema":"pakbox.a.b/1","all":["x"]}`},
	} {
		got, err := test.at.Reply(test.q, test.answer).MarshalJSON()
		if err != nil || string(got) != test.want || !json.Valid(got) {
			t.Errorf("%s, want %s, %v", got, test.want, err)
		}
	}
	for _, bad := range []any{own{errors.New("bad")}, &struct{ F func() }{}} {
		if _, err := new(At).Reply(q, bad).MarshalJSON(); err == nil {
			t.Errorf("%+v is written", bad)
		}
	}
}

// A command prints a line for each part of an answer, or one line without parts.
func TestParts(t *testing.T) {
	at := &At{Path: "p", Format: "gbx"}
	var lines []string
	for _, r := range at.Reply(&Question{Name: "a"}, &parts{[]string{"x", "y"}}).Parts() {
		b, err := r.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(b))
	}
	if want := `{"schema":"pakbox.a/1","path":"p","format":"gbx","one":"x"} {"schema":"pakbox.a/1","path":"p","format":"gbx","one":"y"}`; strings.Join(lines, " ") != want {
		t.Errorf("%q, want %q", lines, want)
	}
	if whole := at.Reply(&Question{}, &answer{}); !slices.Equal(whole.Parts(), []*Reply{whole}) {
		t.Error("an answer without parts has another part than itself")
	}
}

// at returns a host that reads folders.
func at(path string) *At {
	return &At{Path: path, Opener: source.NewOpener(archive.Registry{folder.Format{}})}
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	opens := map[string]func(*At) (*source.Source, func(), error){
		"Open":    func(a *At) (*source.Source, func(), error) { return a.Open(t.Context()) },
		"OpenAny": func(a *At) (*source.Source, func(), error) { return a.OpenAny(t.Context()) },
	}
	for name, open := range opens {
		a := at(dir)
		s, done, err := open(a)
		if err != nil || a.Format != "folder" {
			t.Fatalf(`%s: err = %v, a.Format = %q; want no error, a.Format = "folder"`, name, err, a.Format)
		}
		done()
		missing := at(filepath.Join(dir, "none"))
		if _, _, err := open(missing); !errors.Is(err, os.ErrNotExist) || missing.Format != "" {
			t.Errorf(`%s: err = %v; want err matching os.ErrNotExist, missing.Format = ""`, name, err)
		}
		// A host may keep a source open.
		kept := &At{Path: "kept", Host: testHost{source: func(path string) (*source.Source, func(), error) {
			if path != "kept" {
				return nil, nil, errors.New("unknown")
			}
			return s, func() { done = nil }, nil
		}}}
		got, back, err := open(kept)
		if err != nil || got != s || kept.Format != "folder" {
			t.Fatalf(`%s: err = %v, kept.Format = %q; want no error, got = %v, kept.Format = "folder"`, name, err, kept.Format, s)
		}
		if back(); done != nil {
			t.Errorf("%s: the source was not released", name)
		}
		kept.Path = "other"
		if _, _, err := open(kept); err == nil || err.Error() != "unknown" {
			t.Errorf(`%s: err = %v; want an error, err = "unknown"`, name, err)
		}
	}
}

func TestFilesBelow(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "in"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"b.Map.Gbx", "in/a.GBX", "in/c.txt"} {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	slashed := filepath.ToSlash(dir)
	files, err := at(dir).FilesBelow(t.Context(), ".gbx")
	if want := []string{slashed + "/b.Map.Gbx", slashed + "/in/a.GBX"}; err != nil || !slices.Equal(files, want) {
		t.Errorf("%q, want %q, %v", files, want, err)
	}
	if files, err := at(dir).FilesBelow(t.Context(), ".pak"); err != nil || files == nil || len(files) != 0 {
		t.Errorf("a folder without such files: %q, %v", files, err)
	}
	if files, err := at(filepath.Join(dir, "b.Map.Gbx")).FilesBelow(t.Context(), ".gbx"); err != nil || files != nil {
		t.Errorf("no folder: %q, %v", files, err)
	}
	other := &At{Path: "p", Host: testHost{}}
	if files, err := other.FilesBelow(t.Context(), ".gbx"); err != nil || !slices.Equal(files, []string{"p.gbx"}) {
		t.Errorf(`files = %q, err = %v; want no error, files equal to []string{"p.gbx"}`, files, err)
	}
}

// testHost is a host that keeps sources open.
type testHost struct {
	Local
	source func(path string) (*source.Source, func(), error)
}

func (h testHost) Source(_ context.Context, _ *source.Opener, path string) (*source.Source, func(), error) {
	return h.source(path)
}

func (testHost) FilesBelow(_ context.Context, path, extension string) ([]string, error) {
	return []string{path + extension}, nil
}

// Questions about other files use the same host, but their files do not stay open.
func TestFor(t *testing.T) {
	a := at(t.TempDir())
	a.Format = "gbx"
	a.Host = testHost{Local: Local{Limited: true}, source: func(string) (*source.Source, func(), error) { return nil, nil, errors.New("kept") }}
	b := a.For(a.Path)
	if b.Opener != a.Opener || !b.Bounded() || b.Format != "" {
		t.Errorf("For = %+v, want the same opener and limits, and no format", b)
	}
	if files, err := b.FilesBelow(t.Context(), ".gbx"); err != nil || !slices.Equal(files, []string{a.Path + ".gbx"}) {
		t.Errorf("FilesBelow = %q, %v, want those of the host", files, err)
	}
	_, done, err := b.OpenAny(t.Context())
	if err != nil {
		t.Fatalf("OpenAny = %v, want a source of its own", err)
	}
	done()
	if _, _, err := a.OpenAny(t.Context()); err == nil || err.Error() != "kept" {
		t.Errorf("OpenAny = %v, want the host's", err)
	}
}

// A program with only the file system has no indexes and no games.
func TestLocal(t *testing.T) {
	a := at("a")
	if _, err := a.MapPath(t.Context(), "uid"); !errors.Is(err, fault.Unsupported) {
		t.Errorf("MapPath = %v, want that it is not supported", err)
	}
	if _, _, err := a.Models(t.Context(), "game"); !IsUsage(err) {
		t.Errorf("Models = %v, want an error of usage", err)
	}
	if a.Bounded() {
		t.Error("a local program has limits")
	}
}

// A sequence is written as a list, and its schema is that of a list.
func TestSeq(t *testing.T) {
	type thing struct {
		Name string `json:"name" doc:"name of it"`
	}
	type list struct {
		Things Seq[*thing] `json:"things"`
	}
	for want, all := range map[string][]*thing{`{"things":[]}`: nil, `{"things":[{"name":"<a>"},{"name":"b"}]}`: {{"<a>"}, {"b"}}} {
		got, err := Marshal(&list{Seq[*thing](slices.Values(all))})
		if err != nil || string(got) != want {
			t.Errorf("Marshal(%d things) = %s, %v, want %s", len(all), got, err, want)
		}
	}
	if _, err := Marshal(Seq[func()](slices.Values([]func(){nil}))); err == nil {
		t.Error("a sequence of functions is written")
	}
	got, _ := Marshal(typeSchema(reflect.TypeFor[Seq[*thing]]()))
	want, _ := Marshal(typeSchema(reflect.TypeFor[[]thing]()))
	if string(got) != string(want) {
		t.Errorf("schema of a sequence = %s, want %s", got, want)
	}
	for kind, want := range map[reflect.Type]bool{reflect.TypeFor[Seq[int]](): true, reflect.TypeFor[[]int](): true, reflect.TypeFor[thing](): false} {
		if IsList(kind) != want {
			t.Errorf("IsList(%v) = %v", kind, !want)
		}
	}
}

type note struct {
	Text string   `json:"text" arg:"" doc:"what to note"`
	At   *float64 `json:"at" doc:"where"`
	File Content  `json:"file" doc:"a file"`
	Mine string   `json:"mine" local:""`
}

type noted struct {
	Length int `json:"length" doc:"length of the note"`
}

// A change reads parameters of every type from JSON, and refuses unknown names and wrong types.
func TestReadJSON(t *testing.T) {
	var room Room
	q := NewChange[note, noted](&room, "test.note", "notes.", func(_ context.Context, _ *At, p note) (*Revision, error) {
		return &Revision{Old: []byte("a"), Data: []byte(p.Text), Result: &noted{len(p.Text)}}, nil
	}).Asked()
	half := 0.5
	for given, want := range map[string]note{
		`{}`: {},
		`{"text":"b","at":0.5,"file":{"name":"f","data":"AQI="}}`: {Text: "b", At: &half, File: Content{Name: "f", Data: []byte{1, 2}}},
	} {
		t.Run(given, func(t *testing.T) {
			members := map[string]json.RawMessage{}
			if err := json.Unmarshal([]byte(given), &members); err != nil {
				t.Fatal(err)
			}
			if got, err := q.ReadJSON(members); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("ReadJSON(%s) = %+v, %v, want %+v", given, got, err, want)
			}
		})
	}
	for given, want := range map[string]string{
		`{"text":1}`: "text: expected a text", `{"at":"x"}`: "at: expected a number", `{"file":"x"}`: "file: expected a file: an object with name and data",
		`{"txt":"x"}`: `test.note has no parameter "txt"`, `{"mine":"x"}`: `test.note has no parameter "mine"`,
	} {
		t.Run(given, func(t *testing.T) {
			members := map[string]json.RawMessage{}
			if err := json.Unmarshal([]byte(given), &members); err != nil {
				t.Fatal(err)
			}
			if _, err := q.ReadJSON(members); err == nil || err.Error() != want || !IsUsage(err) {
				t.Errorf("ReadJSON(%s) fails with %v, want %s", given, err, want)
			}
		})
	}
	if _, err := q.ReadTexts(Texts{"file": {"x"}}); !IsUsage(err) {
		t.Errorf("a file given as text: %v", err)
	}
	r, err := q.Revise(t.Context(), &At{}, note{Text: "new"})
	if err != nil || r.Same() {
		t.Fatalf("Revise = %+v, %v", r, err)
	}
	text, err := r.Report(q, "p", "gbx", r.Saved("out")).MarshalJSON()
	if want := `{"schema":"pakbox.test.note/1","path":"p","format":"gbx","output":"out","dry_run":false,"size":3,"old_size":1,"notes":[],"length":3}`; err != nil || string(text) != want {
		t.Errorf("report %s, %v, want %s", text, err, want)
	}
	if properties := q.Schema(nil)["properties"].(Schema); properties["length"] == nil || properties["dry_run"] == nil {
		t.Errorf("the schema of a change lacks fields: %v", properties)
	}
}
