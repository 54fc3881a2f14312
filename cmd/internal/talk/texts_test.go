package talk_test

import (
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pakbox"
	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/cmd/internal/talk"
)

// Parameters in JSON are texts, numbers, true and false, and lists of them.
func TestTextsOf(t *testing.T) {
	for params, want := range map[string]question.Texts{
		`{}`: {}, `{"a":"x y"}`: {"a": {"x y"}}, `{"a":""}`: {"a": {""}}, `{"a":1.50}`: {"a": {"1.50"}}, `{"a":true,"b":false}`: {"a": {"true"}, "b": {"false"}},
		`{"a":["x",2,true]}`: {"a": {"x", "2", "true"}}, `{"a":[]}`: {"a": nil}, `{"a":null}`: {"a": nil}, `{"a":["x",null]}`: {"a": {"x"}}, `{"a":"\u00e9\n"}`: {"a": {"é\n"}}, `{"a": [ "x" ] }`: {"a": {"x"}},
		`{"a":{}}`: nil, `{"a":[["x"]]}`: nil, `{"a":[{"b":1}]}`: nil,
	} {
		t.Run(params, func(t *testing.T) {
			var raw map[string]json.RawMessage
			if err := json.Unmarshal([]byte(params), &raw); err != nil {
				t.Fatal(err)
			}
			got, err := talk.TextsOf(raw)
			if !reflect.DeepEqual(got, want) || (err != nil) != (want == nil) || err != nil && !question.IsUsage(err) {
				t.Errorf("%s: got = %q, err = %v; want got equal to %q, an error of usage exactly if nothing is expected", params, got, err, want)
			}
		})
	}
	for _, raw := range []string{"", `"cut`, `["cut`} { // input of a caller that is not JSON
		if got, err := talk.TextsOf(map[string]json.RawMessage{"a": json.RawMessage(raw)}); err == nil {
			t.Errorf("%q is %q", raw, got)
		}
	}
}

// An unknown name is an error with a hint at similar names.
func TestUnknown(t *testing.T) {
	ls, err := talk.Find("ls")
	if err != nil || ls.Name != "ls" {
		t.Fatalf(`err = %v; want no error, ls.Name = "ls"`, err)
	}
	if err := ls.CheckNames([]string{"pattern"}); err != nil {
		t.Error(err)
	}
	nothing := &question.Question{Name: "n", Params: reflect.TypeFor[question.NoParams]()}
	for _, test := range []struct {
		err        error
		text, hint string
	}{
		{ls.CheckNames([]string{"pattrn"}), `ls has no parameter "pattrn"`, "did you mean pattern?"},
		{ls.CheckNames([]string{"qqqqqqqq"}), `ls has no parameter "qqqqqqqq"`, "its parameters: "},
		{nothing.CheckNames([]string{"a"}), `n has no parameter "a"`, ""},
		{func() error { _, err := talk.Find("infos"); return err }(), `unknown question "infos"`, "did you mean info?"},
	} {
		hints := strings.Join(question.Hints(test.err), "")
		if test.err == nil || test.err.Error() != test.text || !strings.HasPrefix(hints, test.hint) || test.hint == "" && hints != "" {
			t.Errorf(`test.err = %v, hints = %q; want test.err other than nil, test.err = test.text, hints beginning with test.hint, (test.hint not empty or hints = "")`, test.err, hints)
		}
	}
	if _, err := talk.Ask(t.Context(), question.At{Opener: source.NewOpener(pakbox.Formats())}, ls, map[string]json.RawMessage{"none": json.RawMessage("1")}); !question.IsUsage(err) {
		t.Errorf("err = %v; want question.IsUsage(err) = true", err)
	}
}

// The schema has every parameter that a request may set, with its type.
func TestParamsSchema(t *testing.T) {
	kinds := map[reflect.Kind]string{reflect.Bool: "boolean", reflect.String: "string", reflect.Int: "integer", reflect.Int64: "integer", reflect.Float64: "number", reflect.Slice: "array", reflect.Struct: "object"}
	kind := func(t reflect.Type) string {
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		return kinds[t.Kind()]
	}
	seen, local := map[string]bool{}, 0
	for _, q := range answer.Questions() {
		schema := talk.ParamsSchema(q)
		open := talk.Parameters(q)
		for _, p := range q.Parameters() {
			s, ok := schema[p.Name].(question.Schema)
			if shown := slices.ContainsFunc(open, func(o question.Param) bool { return o.Name == p.Name }); ok == p.Local || shown == p.Local {
				t.Errorf("%s: %s is shown: %v", q.Name, p.Name, ok)
			}
			if p.Local {
				local++
				continue
			}
			if s["description"] != p.Doc || s["type"] != kind(p.Type) {
				t.Errorf("%s: %s is %v", q.Name, p.Name, s)
			}
			items, _ := s["items"].(question.Schema)
			if list := p.Type.Kind() == reflect.Slice; list != (items != nil) || list && items["type"] != kind(p.Type.Elem()) {
				t.Errorf("%s: elements of %s are %v", q.Name, p.Name, items)
			}
			seen[kind(p.Type)] = true
		}
		if len(schema) != len(open) {
			t.Errorf("%s: schema = %v; want schema of length len(open)", q.Name, schema)
		}
	}
	if len(seen) != 6 || local == 0 {
		t.Errorf("seen %v, %d parameters only for commands", seen, local)
	}
}

// full is a writer that accepts this many lines.
type full struct{ lines int }

func (f *full) Write(p []byte) (int, error) {
	if f.lines--; f.lines < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

// Lines that are not questions get an error; empty ones are ignored. A closed output ends
// the session.
func TestNoQuestions(t *testing.T) {
	var out strings.Builder
	l := &talk.Lines{Opener: source.NewOpener(pakbox.Formats())}
	in := "\n  \nnonsense\n[]\n" + `{"id":7,"ask":"infos"}` + "\n" + `{"id":8,"ask":"ls","with":{"pattern":{}}}` + "\n" + `{"cancel":99}` + "\n"
	if err := l.Serve(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	slices.Sort(lines)
	want := []string{`{"id":7,"error":{"kind":"usage","message":"unknown question \"infos\"`, `{"id":8,"error":{"kind":"usage"`, `{"id":null,"error":{"kind":"usage","message":"the line is not a question`, `{"id":null,"error":{"kind":"usage","message":"the line is not a question`}
	if len(lines) != len(want) {
		t.Fatalf("lines = %q; want lines of length len(want)", lines)
	}
	for i := range want {
		if !strings.HasPrefix(lines[i], want[i]) {
			t.Errorf("%s, want %s", lines[i], want[i])
		}
	}
	for _, takes := range []int{0, 1} {
		err := (&talk.Lines{Opener: source.NewOpener(pakbox.Formats())}).Serve(t.Context(), strings.NewReader(strings.Repeat("nonsense\n", 5)), &full{takes})
		if !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("after %d lines: %v", takes, err)
		}
	}
}
