package wanted

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/itchyny/gojq"

	"pakbox/archive"
)

const document = `{
	"a": {"b": {"c": 1, "d": [1, 2]}, "e": "text", "f": null},
	"list": [{"k": "x", "v": 1, "deep": {"p": 1, "q": 2}}, {"k": "y", "v": 2, "deep": {"p": 3, "q": 4}}, {"k": "z", "v": null}],
	"key": "e", "n": 1, "yes": true, "no": false, "other": {"b": 5, "e": 6}
}`

// part returns the part of a value that is wanted. Of a part that nobody wants a mark
// stays, because a document keeps its other members and the length of its lists.
func part(v any, want *archive.Want) any {
	if want.All() {
		return v
	}
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, member := range v {
			if w := want.Member(name); w != nil {
				out[name] = part(member, w)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = "not wanted"
			if w := want.Each(); w != nil {
				out[i] = part(v[i], w)
			}
		}
		return out
	}
	return v
}

func results(q *gojq.Query, v any) (all []string) {
	for it := q.Run(v); ; {
		r, ok := it.Next()
		if !ok {
			return all
		}
		if err, failed := r.(error); failed {
			return append(all, "error: "+err.Error())
		}
		text, _ := json.Marshal(r)
		all = append(all, string(text))
	}
}

// An expression gives the same on the part that it wants as on the whole document. Of
// the members in the second column nothing is left.
func TestPartsSuffice(t *testing.T) {
	var whole any
	if err := json.Unmarshal([]byte(document), &whole); err != nil {
		t.Fatal(err)
	}
	for _, test := range [][2]string{
		{".", ""}, {".a", "list other key"}, {".a.b.c", "e d list"}, {".a.b", "e list"}, {`."a"."e"`, "b list"}, {`.["a"]["e"]`, "b list"},
		{".a[\"b\"].c", "e d"}, {".a?", "list"}, {".nothing", "a list"}, {".a.nothing", "b e list"}, {`.["\(.key)"]`, ""}, {`."\(.key)"`, ""},
		{".a | .e", "b list"}, {".a.e, .n", "b list"}, {".a | .e, .b.c", "d list"}, {".a.f // .n", "b e list"}, {".a.e // .n", "b list"}, {"(.a, .other) | .e", "list key"},
		{".list[].k", "v deep a"}, {".list[0].k", "v deep a"}, {".list[1:]", ""}, {".list[1:][0].k", ""}, {".list[-1].k", ""}, {".list[.n].k", ""}, {".list[.n + 1].k", ""},
		{".a[.key]", ""}, {".list[].deep.p", "k v a"}, {"[.list[].k]", "v deep a"}, {".list | map(.k)", "v deep a"}, {".list | map(.deep | .p)", "k v a"}, {"[]", "a list"},
		{".list[] | select(.k == \"y\") | .v", "deep a"}, {".list[] | select(.v) | .k", "deep a"}, {".list | length", "a"}, {".a | keys", "list"}, {".a | map(.c?)", "list"},
		{"{x: .a.e, n}", "b list"}, {"{n}", "a list"}, {"{(.key): .n}", ""}, {"{\"e\": .n}", ""}, {"{x: (.a | .e)}", "b list"}, {"{a: {e: .n}}", "b list"}, {"{$__loc__}", ""},
		{"if .yes then .a.e else .n end", "b list"}, {"if .no then .n elif .yes then .a.e else .key end", "b list"}, {"if .no then .n end", ""}, {"if .no then .n elif .no then .key else .other.b end", "list"},
		{"(if .yes then .a else .other end) | .e", "list key"}, {"(if .no then .n elif .n == 1 then .a else .other end) | .e", "list key"},
		{"-.n", "a list"}, {"-(.n)", "a list"}, {"-.other.b", "a list"}, {"\"x\\(.n) \\(.a.e)\"", "b list"}, {"\"x\"", "a list"}, {"1", "a list"}, {"null", "a"}, {"true, false", "a"},
		{".n + .other.b", "a list"}, {".n - .other.b", "a list"}, {".n * .other.b", "list"}, {".n / .other.b", "list"}, {".n % .other.b", "list"}, {".n == .other.b", "list"},
		{".n != .other.b", "list"}, {".n < .other.b", "list"}, {".n > .other.b", "list"}, {".n <= .other.b", "list"}, {".n >= .other.b", "list"}, {".yes and .no", "a"}, {".no or .yes", "a"},
		{".n += 1", ""}, {".a.e = 5", ""}, {".a |= .e", ""}, {"del(.a)", ""}, {"..", ""}, {"[paths]", ""}, {". as $x | $x.n", ""}, {". as {n: $n} | $n", ""}, {".a as $a | .n", ""},
		{"def f: .a.e; f", ""}, {"def select(f): 1; select(.n)", ""}, {"def map(f): .n; map(.k)", ""}, {"empty", "a list"}, {".a, empty", "list"}, {"first(.list[].k)", ""}, {"reduce .list[] as $x (0; . + 1)", ""},
		{"[foreach .list[] as $x (0; . + 1)]", ""}, {"try .a.e catch 1", ""}, {".list[]?.k", "v a"}, {".n | not", "a"}, {"[.list[] | .k, .v]", "deep a"}, {"[.list[].k] | length", "v deep a"},
		{".list[0] as {k: $k} | $k", ""}, {"label $out | .a.e, break $out, .n", ""}, {".a | .b, .e | type", ""}, {"(.a | .b).c", "e list"}, {".a.b[\"d\"][0]", "c e list"}, {"[.a[]]", "list"}, {".a[].c?", "list"},
		{"{a: .n}.a", ""}, {"[.n][0]", "a"}, {"@json", ""}, {"@base64 \"\\(.a.e)\"", ""}, {"input_line_number", ""}, {"select(.n == 1).a.e", "b list"}, {"select(.n == 2, .a.f)", ""}, {".list[.n:]", ""}, {".list[:.n][0].k", ""},
		{".[\"list\"][0].k", "v a"}, {".a[\"\\(.b.c)\"]", ""}, {"map(.b?)", ""}, {"map(.)", ""}, {".list | map(select(.v == 2)) | .[0].k", "a"}, {".list | map(select(.v == 2).k)", "deep a"}, {"true | not", "a"}, {"(1, .n) as $x | .a", ""},
	} {
		q, err := gojq.Parse(test[0])
		if err != nil {
			t.Fatalf("%s: %v", test[0], err)
		}
		small := part(whole, By(q))
		if got, want := results(q, small), results(q, whole); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %.300s, want %.300s", test[0], fmt.Sprint(got), fmt.Sprint(want))
		}
		text, _ := json.Marshal(small)
		for _, word := range strings.Fields(test[1]) {
			if strings.Contains(string(text), `"`+word+`":`) {
				t.Errorf("%s: %s is wanted: %s", test[0], word, text)
			}
		}
	}
}
