package question

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"

	"pakbox/fact"
)

// tree has parts of its own type.
type tree struct {
	Name  string `json:"name"`
	Parts []tree `json:"parts"`
}

type described struct {
	Text    string         `json:"text" doc:"some text"`
	Maybe   *string        `json:"maybe"`
	Flag    bool           `json:"flag"`
	Number  float64        `json:"number"`
	Small   float32        `json:"small,omitempty"`
	Count   int            `json:"count"`
	Maybes  *int64         `json:"maybes"`
	Lists   [][]bool       `json:"lists"`
	Three   [3]int         `json:"three"`
	Inside  struct{ tree } `json:"inside"`
	Tree    tree           `json:"tree"`
	Map     map[string]int `json:"map"`
	Any     any            `json:"any"`
	Skipped int            `json:"-"`
	NoTag   int
}

func same(t *testing.T, got any, want string) {
	t.Helper()
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	var a, b any
	if err := json.Unmarshal([]byte(want), &b); err != nil {
		t.Fatal(err)
	}
	if json.Unmarshal(text, &a); !reflect.DeepEqual(a, b) {
		t.Errorf("%s, want %s", text, want)
	}
}

// A schema has the fields of the answer's JSON, with their types.
func TestSchema(t *testing.T) {
	var room Room
	q := New(&room, "a.b", "Doc.", func(_ context.Context, _ *At, _ NoParams) (*described, error) { return nil, nil }).Asked()
	const fields = `"text":{"type":"string","description":"some text"},"maybe":{"type":["string","null"]},"flag":{"type":"boolean"},"number":{"type":"number"},"small":{"type":"number"},
		"count":{"type":"integer"},"maybes":{"type":["integer","null"]},"lists":{"type":"array","items":{"type":"array","items":{"type":"boolean"}}},"three":{"type":"array","items":{"type":"integer"}},
		"inside":{"type":"object","properties":{"name":{"type":"string"},"parts":{"type":"array"}}},"tree":{"type":"object","properties":{"name":{"type":"string"},"parts":{"type":"array"}}},"map":{"type":"object"},"any":{}`
	const head = `"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"pakbox.a.b/1","title":"a.b","description":"Doc.","type":"object"`
	same(t, q.Schema(nil), `{`+head+`,"required":["schema","path","format"],"properties":{"schema":{"const":"pakbox.a.b/1"},
		"path":{"type":"string","description":"path that was asked about"},"format":{"type":["string","null"],"description":"format of the file"},`+fields+`}}`)
	q.NoFile = true
	same(t, q.Schema(nil), `{`+head+`,"required":["schema"],"properties":{"schema":{"const":"pakbox.a.b/1"},`+fields+`}}`)

	picture := New(&room, "a.c", "Draws.", func(_ context.Context, _ *At, _ NoParams) (*File, error) { return nil, nil }).AboutNoFile()
	if !picture.NoFile || !picture.IsFile() || q.IsFile() || len(room) != 2 {
		t.Errorf("picture = %+v; want picture.NoFile = true, picture.IsFile() = true, q.IsFile() = false, room of length 2", picture)
	}
	same(t, picture.Asked().Schema(nil), `{"title":"a.c","description":"Draws.; the answer is a file"}`)
}

// ofAll has the facts of all formats, ofOwn those of its own subject.
type ofAll struct{}

func (*ofAll) Subjects() []*fact.Subject { return nil }

type ofOwn struct{}

func (*ofOwn) Subjects() []*fact.Subject {
	return []*fact.Subject{{Facts: []*fact.Fact{{Name: "own", Kind: fact.Hash, Doc: "its own"}}}}
}

func TestSchemaOfFacts(t *testing.T) {
	formats := []*fact.Subject{
		{Facts: []*fact.Fact{
			{Name: "size", Kind: fact.Bytes, Doc: "the size"}, {Name: "card", Kind: fact.Group}, {Name: "m.gold", Kind: fact.Time, Doc: "gold"}, {Name: "m.all", Kind: fact.Times},
			{Name: "n", Kind: fact.Count}, {Name: "day", Kind: fact.Moment}, {Name: "ratio", Kind: fact.Number}, {Name: "big", Kind: fact.Flag}, {Name: "tags", Kind: fact.List},
			{Name: "id", Kind: fact.ID}, {Name: "any", Kind: fact.Object}, {Name: "title", Kind: fact.Styled}}},
		{Facts: []*fact.Fact{{Name: "size", Kind: fact.Text, Doc: "another"}, {Name: "m.gold", Kind: fact.Text, Doc: "another"}, {Name: "more", Kind: fact.Login}}},
	}
	var room Room
	q := New(&room, "a", "Doc.", func(_ context.Context, _ *At, _ NoParams) (*ofAll, error) { return nil, nil }).AboutNoFile().Asked()
	same(t, q.Schema(formats)["properties"], `{"schema":{"const":"pakbox.a/1"},
		"size":{"description":"the size","type":["integer","null"],"x-unit":"bytes"},
		"m":{"type":"object","properties":{"gold":{"description":"gold","type":["integer","null"],"x-unit":"milliseconds"},
			"all":{"description":"","type":["array","null"],"items":{"type":["integer","null"]},"x-unit":"milliseconds"}}},
		"n":{"description":"","type":["integer","null"]},"day":{"description":"","type":["integer","null"],"x-unit":"milliseconds since 1970"},
		"ratio":{"description":"","type":["number","null"]},"big":{"description":"","type":["boolean","null"]},
		"tags":{"description":"","type":["array","null"],"items":{"type":"string"}},"id":{"description":"","type":["string","integer","null"]},"any":{"description":""},
		"title":{"description":"","type":["string","null"]},"more":{"description":"","type":["string","null"]}}`)
	q = New(&room, "a", "Doc.", func(_ context.Context, _ *At, _ NoParams) (*ofOwn, error) { return nil, nil }).AboutNoFile().Asked()
	same(t, q.Schema(formats)["properties"], `{"schema":{"const":"pakbox.a/1"},"own":{"description":"its own","type":["string","null"]}}`)
}

// The shape of an answer has the names of its schema, in the order of the JSON.
func TestShape(t *testing.T) {
	type leaf struct {
		N    int         `json:"n"`
		Seen bool        `json:"-"`
		Kind fact.Record `json:"kind"` // marshals itself
	}
	type tree struct {
		leaf
		Name  string     `json:"name"`
		Parts []*tree    `json:"parts"`
		Words []string   `json:"words"`
		Last  *leaf      `json:"last,omitempty"`
		All   Seq[*leaf] `json:"all"`
	}
	for want, answer := range map[string]reflect.Type{
		"n, kind, name, parts, words, last {n, kind}, all [{n, kind}]": reflect.TypeFor[*tree](),
		"":               reflect.TypeFor[*File](),
		"a, b {c, d}, e": reflect.TypeFor[*shaped](),
		"all": reflect.TypeFor[*struct {
			All []string `json:"all"`
		}](),
	} {
		if got := (&Question{Answer: answer}).Shape(); got != want {
			t.Errorf("Shape() of %v = %q, want %q", answer, got, want)
		}
	}
	if got := (&Question{Answer: reflect.TypeFor[*parts]()}).Shape(); got != "" {
		t.Errorf("Shape() of an answer of several parts = %q", got)
	}
}

// shaped is an answer with facts.
type shaped struct{}

func (*shaped) Subjects() []*fact.Subject {
	facts := func(names ...string) *fact.Subject {
		s := new(fact.Subject)
		for _, n := range names {
			s.Facts = append(s.Facts, &fact.Fact{Name: n})
		}
		return s
	}
	return []*fact.Subject{facts("a", "b.c"), facts("a", "b.d", "b.c", "e")}
}

// hexadecimal is a number that is written as a text.
type hexadecimal uint32

func (hexadecimal) MarshalText() ([]byte, error) { return []byte("00"), nil }

// The schema has the type of the JSON, which may differ from that of the field.
func TestSchemaOfMarshalers(t *testing.T) {
	type fields struct {
		Flags  *hexadecimal  `json:"flags"`
		Ghosts []fact.Record `json:"ghosts"`
	}
	got, err := Marshal(typeSchema(reflect.TypeFor[fields]())["properties"])
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"flags":{"type":["string","null"]},"ghosts":{"items":{"type":"object"},"type":"array"}}`; string(got) != want {
		t.Errorf("schema = %s, want %s", got, want)
	}
}

// A tree of pointers has a schema, too: its parts are not described again.
func TestTreeOfPointers(t *testing.T) {
	type branch struct {
		Name  string    `json:"name" doc:"a name"`
		Needs []*branch `json:"needs"`
	}
	same(t, typeSchema(reflect.TypeFor[branch]()), `{"type":"object","properties":{"name":{"type":"string","description":"a name"},"needs":{"type":"array"}}}`)
	r := Report{Name: "a", When: "--tree", Doc: "a tree", Fields: reflect.TypeFor[branch]()}
	if got, want := r.Shape(), "with --tree name, needs"; got != want {
		t.Errorf("Shape() = %q, want %q", got, want)
	}
	s := Schema{"properties": Schema{"name": "known"}}
	r.AddTo(s)
	same(t, s, `{"properties":{"name":"known","needs":{"type":"array"}}}`)
	file := Schema{"title": "a.b"}
	r.AddTo(file)
	if file["title"] != "a.b" || file["properties"] == nil {
		t.Errorf("AddTo(a file) = %v, want the title a.b and properties", file)
	}
}
