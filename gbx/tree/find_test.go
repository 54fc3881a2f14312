package tree

import (
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
)

// A path leads to the values whose whole path it is, else to those whose path ends
// with it, else to those whose path has its names in order.
func TestFindForms(t *testing.T) {
	_, tr := formsTree(t, allForms())
	for _, test := range []struct{ path, want string }{
		{"body.3F0AA001.yes", "body.3F0AA001.yes"},
		{"BODY.3f0aa001.YES", "body.3F0AA001.yes"},
		{"yes", "body.3F0AA001.yes"},
		{"body.yes", "body.3F0AA001.yes"},
		{"header", "header"}, {"body", "body"}, {"header.body", ""}, {"body.header", ""}, {"header.header", ""},
		{"3F0AA002", "header.3F0AA002 body.3F0AA002"},
		{"body.3F0AA002", "body.3F0AA002"},
		{"3F0AA002#2", "header.3F0AA002#2 body.3F0AA002#2"},
		{"word", "header.3F0AA002.word header.3F0AA002#2.word body.3F0AA001.word body.3F0AA001.people[0].node.3F0AB002.word body.3F0AA002.word body.3F0AA002#2.word body.3F0AA003.inner.content.word"},
		{"3F0AA002.word", "header.3F0AA002.word body.3F0AA002.word"},
		{"node.word", "body.3F0AA001.people[0].node.3F0AB002.word"},
		{"people.word", "body.3F0AA001.people[0].node.3F0AB002.word"},
		{"people[0].age", "body.3F0AA001.people[0].age"}, {"people[4].age", ""},
		{"[0]", "header.externals[0] body.3F0AA001.numbers[0] body.3F0AA001.corners[0] body.3F0AA001.people[0]"},
		{"corners[1]", "body.3F0AA001.corners[1]"}, {"corners[1].x", "body.3F0AA001.corners[1].x"}, {"numbers[17]", "body.3F0AA001.numbers[17]"},
		{"inner.word", "body.3F0AA003.inner.content.word"}, {"content", "body.3F0AA003.inner.content"},
		{"x", "body.3F0AA001.place.x body.3F0AA001.corners[0].x body.3F0AA001.corners[1].x"},
		{"nothing", ""}, {"yes.nothing", ""}, {"", ""}, {".", ""},
	} {
		found, err := tr.Find(test.path)
		if err != nil || pathsOf(found) != test.want {
			t.Errorf("%s leads to %s, want %s (%v)", test.path, pathsOf(found), test.want, err)
		}
	}
	for _, test := range []struct{ path, want string }{
		{"yes", "body.3F0AA001.yes"},
		{"numNodes", "header.numNodes"},
		{"header", "header"},
		{"corners[0]", "body.3F0AA001.corners[0]"},
		{"people[0].node", "body.3F0AA001.people[0].node"},
		{"content.word", "body.3F0AA003.inner.content.word"},
		{"people.word", "body.3F0AA001.people[0].node.3F0AB002.word"},
		{"word", "!word: can mean 6 values: header.3F0AA002.word (7), header.3F0AA002#2.word (8), body.3F0AA001.word (99), body.3F0AA002.word (5), body.3F0AA002#2.word (6), body.3F0AA003.inner.content.word (1234)"}, {"x", "!x: can mean 3 values: body.3F0AA001.place.x (1), body.3F0AA001.corners[0].x (1), body.3F0AA001.corners[1].x (2)"}, {"[0]", "![0]: can mean 4 values: header.externals[0], body.3F0AA001.numbers[0] (0), body.3F0AA001.corners[0], body.3F0AA001.people[0]"}, {"3F0AA002", "!3F0AA002: can mean 2 values: header.3F0AA002, body.3F0AA002"}, {"numbers[18]", "!numbers[18]: value not found: the elements of body.3F0AA001.numbers go from [0] to [17]"}, {"numbers[0][1]", "!numbers[0][1]: value not found: body.3F0AA001.numbers[0] is not a list, or an empty one"}, {"body.3F0AA009.x", `!body.3F0AA009.x: value not found: body.3F0AA009 has no "x"; it has opaque`}, {"yess", "!yess: value not found"}, {"people.ages", `!people.ages: value not found: body.3F0AA001.people has no "ages"`}, {"3F0AA001.xyzzy", `!3F0AA001.xyzzy: value not found: body.3F0AA001 has no "xyzzy"; it has yes, tiny, short, word, long, float, text, name, time, data, hash, class and 7 more`},
		{"header.3F0AA003", `!header.3F0AA003: value not found: header has no "3F0AA003"`}, {"header.x", `!header.x: value not found: header has no "x"`}, {"people[0].node.x", `!people[0].node.x: value not found: body.3F0AA001.people[0].node has no "x"; it has 3F0AB002`},
	} {
		found, err := tr.Resolve(test.path)
		got := pathsOf(found)
		if err != nil {
			got = "!" + err.Error()
		}
		if got != test.want {
			t.Errorf("%s means %s, want %s", test.path, got, test.want)
		}
	}
	many := make([]any, 30)
	for i := range many {
		many[i] = formsClass | 2 + i%2*(i/2-formsClass-2) // chunks with words 0, 1, 2, ...
	}
	_, tr = formsTree(t, formsFile(many...))
	if _, err := tr.Resolve("body.word"); err == nil || err.Error() != "body.word: can mean 15 values: body.3F0AA002.word (0), body.3F0AA002#2.word (1), body.3F0AA002#3.word (2), body.3F0AA002#4.word (3), body.3F0AA002#5.word (4), body.3F0AA002#6.word (5), body.3F0AA002#7.word (6), body.3F0AA002#8.word (7), body.3F0AA002#9.word (8), body.3F0AA002#10.word (9), body.3F0AA002#11.word (10), body.3F0AA002#12.word (11), …" {
		t.Errorf("err = %v", err)
	}
	if m, err := tr.Resolve("3F0AA002#9.word"); err != nil || len(m) != 1 || m[0].Value.Text() != "8" {
		t.Errorf(`m = %v, err = %v; want no error, m of length 1, m[0].Value.Text() = "8"`, m, err)
	}
	// The same in header and body is one value.
	both := build("GBX\x06\x00BUUR", formsClass, 16, 1, formsClass|2, 4, 5, 1, 0, formsClass|2, 5, endMark)
	_, tr = formsTree(t, both)
	if m, err := tr.Resolve("word"); err != nil || pathsOf(m) != "header.3F0AA002.word body.3F0AA002.word" {
		t.Errorf(`pathsOf(m) = %s, err = %v; want no error, pathsOf(m) = "header.3F0AA002.word body.3F0AA002.word"`, pathsOf(m), err)
	}
	f, _ := formsTree(t, both)
	if m, err := Set(f, "word", "6"); err != nil || len(m) != 2 {
		t.Errorf("m = %v, err = %v; want no error, m of length 2", m, err)
	}
	if _, after := formsTree(t, must(f.Encode())); after.At("header.3F0AA002.word").Text() != "6" || after.At("body.3F0AA002.word").Text() != "6" {
		t.Error("only one of two was set")
	}
	// Chunks go by any number that their class has had.
	for name, want := range map[string]bool{"24003018": true, "03043018": true, "03043019": false, "2400301": false} {
		if same("03043018", name) != want {
			t.Errorf(`%s: !want = %t; want same("03043018", name) = %v`, name, !want, want)
		}
	}
}

func must(data []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return data
}

// wanted makes a wish of paths, in which each is an element of a list.
func wanted(paths ...string) *archive.Want {
	w := new(archive.Want)
	for _, path := range paths {
		at := w
		for name := range strings.SplitSeq(path, ".") {
			if name == "[]" {
				at = at.AddEach()
			} else {
				at = at.AddMember(name)
			}
		}
		at.AddAll()
	}
	return w
}

// Only the wanted parts of a document are written.
func TestWantedForms(t *testing.T) {
	for _, test := range []struct {
		paths []string
		want  string
	}{
		{nil, "{}"},
		{[]string{"rest"}, `{"rest":{"base64":"cmVzdA=="}}`},
		{[]string{"header.numNodes"}, `{"header":{"version":6,"letters":"BUUR","numNodes":4}}`},
		{[]string{"header.chunks"}, `{"header":{"version":6,"letters":"BUUR","chunks":[{"chunk":"3F0AA002","values":{"word":7}},{"chunk":"3F0AA002","heavy":true,"values":{"word":8}}]}}`},
		{[]string{"header.chunks.[].heavy"}, `{"header":{"version":6,"letters":"BUUR","chunks":[{"chunk":"3F0AA002"},{"chunk":"3F0AA002","heavy":true}]}}`},
		{[]string{"header.externals.[].fileName"}, `{"header":{"version":6,"letters":"BUUR","externals":[{"fileName":"a.dds"}]}}`},
		{[]string{"header.externals.[].fileName", "header.classID", "header.folders"}, `{"header":{"version":6,"letters":"BUUR","classID":"3F0AA000","folders":[],"externals":[{"fileName":"a.dds"}]}}`},
		{[]string{"body.class"}, `{"body":{"class":"3F0AA000","name":"CForms"}}`},
		{[]string{"body.chunks.[].values.word"}, `{"body":{"class":"3F0AA000","name":"CForms","chunks":[{"chunk":"3F0AA001","values":{"word":99}},{"chunk":"3F0AA002","skip":true,"values":{"word":5}},{"chunk":"3F0AA002","values":{"word":6}},{"chunk":"3F0AA003","values":{}},{"chunk":"3F0AA004","values":{}},{"chunk":"3F0AA009","skip":true}]}}`},
		{[]string{"body.chunks.[].values.corners.[].x", "body.chunks.[].values.place.y"}, `{"body":{"class":"3F0AA000","name":"CForms","chunks":[{"chunk":"3F0AA001","values":{"place":{"y":0},"corners":[{"x":1},{"x":2}]}},{"chunk":"3F0AA002","skip":true,"values":{}},{"chunk":"3F0AA002","values":{}},{"chunk":"3F0AA003","values":{}},{"chunk":"3F0AA004","values":{}},{"chunk":"3F0AA009","skip":true}]}}`},
		{[]string{"body.chunks.[].values.people.[].node.class", "body.chunks.[].opaque"}, `{"body":{"class":"3F0AA000","name":"CForms","chunks":[{"chunk":"3F0AA001","values":{"people":[{"node":{"index":1,"class":"3F0AB000","name":"COther"}},{"node":{"index":1}},{"node":null},{"node":{"index":3}}]}},{"chunk":"3F0AA002","skip":true,"values":{}},{"chunk":"3F0AA002","values":{}},{"chunk":"3F0AA003","values":{}},{"chunk":"3F0AA004","values":{}},{"chunk":"3F0AA009","skip":true,"opaque":{"base64":"MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=","reason":"unknown chunk"}}]}}`},
		{[]string{"body.chunks.[].values.inner.content", "idVersion", "recordedRuns", "trailer"}, `{"body":{"class":"3F0AA000","name":"CForms","chunks":[{"chunk":"3F0AA001","values":{}},{"chunk":"3F0AA002","skip":true,"values":{}},{"chunk":"3F0AA002","values":{}},{"chunk":"3F0AA003","values":{"inner":{"content":{"word":1234}}}},{"chunk":"3F0AA004","values":{}},{"chunk":"3F0AA009","skip":true}]}}`},
	} {
		if got := formsDocument(t, allForms(), wanted(test.paths...)); got != test.want {
			t.Errorf("%q: %s, want %s", test.paths, got, test.want)
		}
	}
	main := formsFile(people(0)) // a reference to the main node itself
	if got := formsDocument(t, main, wanted("body.chunks.[].values.people")); !strings.Contains(got, `"people":[{"age":7,"node":{"index":0}}]`) {
		t.Errorf("got = %s; want got with `\"people\":[{\"age\":7,\"node\":{\"index\":0}}]`", got)
	}
	if _, tr := formsTree(t, main); tr.NodeText(tr.At("body.3F0AA001.people[0].node")) != "#0" {
		t.Errorf("%s", tr.NodeText(tr.At("body.3F0AA001.people[0].node")))
	}
	if got := formsDocument(t, compressedFile("abc"), wanted("trailer", "compressedBody")); got != `{"trailer":{"base64":"YWJj"},"compressedBody":{"base64":"HQKgCj8FAAAAAd7K+hEAAA=="}}` {
		t.Errorf("got = %s; want `{\"trailer\":{\"base64\":\"YWJj\"},\"compressedBody\":{\"base64\":\"HQKgCj8FAAAAAd7K+hEAAA==\"}}`", got)
	}
}

// An invalid document is rejected with a reason.
func TestWrongDocuments(t *testing.T) {
	whole := formsDocument(t, allForms(), archive.Everything)
	for _, test := range []struct{ old, new, want string }{
		{whole, "", "at 0x0: not a JSON document: EOF"},
		{whole, "{", "at 0x1: not a JSON document: EOF"},
		{whole, "[]", "the document has no header and body; 'dump --json' writes documents that have them"},
		{whole, whole + " x", "at 0x5d1: not a JSON document: unexpected EOF"},
		{whole, strings.Repeat("[", 6000), "at 0x1389: not a JSON document: values nest deeper than 5000"},
		{`"version":6`, `"version":2`, "the version of the header is missing, or is not one of 3 to 6"},
		{`"version":6`, `"version":7`, "the version of the header is missing, or is not one of 3 to 6"},
		{`"version":6`, `"version":"x"`, `version: "x" is not a whole number of 16 bits`},
		{`"BUUR"`, `"BUU"`, ""},
		{`"BUUR"`, `"BCUR"`, "the letters of the header are missing, or are not like BUCR"},
		{`"BUUR"`, `"BUUĀ"`, "the letters of the header are missing, or are not like BUCR"},
		{`"BUUR"`, `"BUUÿ"`, ""},
		{`"BUUR"`, `5`, "the letters of the header are missing, or are not like BUCR"},
		{`"rest":{"base64":"cmVzdA=="}`, `"rest":5`, `rest: 5 is not {"base64": …}`},
		{`"age":35`, `"age":"` + strings.Repeat("y", 70) + `"`, `body.3F0AA001.people[2].age: "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"… is not a whole number of 8 bits`},
		{`"age":35`, `"age":[]`, "body.3F0AA001.people[2].age: a list is not a whole number of 8 bits"},
		{`"age":35`, `"age":{}`, "body.3F0AA001.people[2].age: a group is not a whole number of 8 bits"},
		{`"age":35`, `"age":true`, "body.3F0AA001.people[2].age: true is not a whole number of 8 bits"},
		{`"index":3`, `"index":-3`, "body.3F0AA001.people[3].node.index: -3 is not a whole number of 32 bits"},
		{`"class":"3F0AB000"`, `"class":"3F0AB00"`, `body.3F0AA001.people[0].node.class: "3F0AB00" is not an ID of eight hex digits`},
		{`"chunk":"3F0AB002"`, `"chunk":"3F0AB00"`, `body.3F0AA001.people[0].node.chunk: "3F0AB00" is not an ID of eight hex digits`},
		{`"chunk":"3F0AB002",`, ``, "body.3F0AA001.people[0].node.chunk: is missing"},
		{`"opaque":{"base64":"MTIz`, `"opaque":{"base65":"MTIz`, `body.opaque: a group is not {"base64": …}`},
		{`"body":{"class":"3F0AA000",`, `"body":{`, "body.class: is missing"},
		{`"numbers":[`, `"numbers":["x",`, `body.3F0AA001.numbers[0]: "x" is not a whole number of 32 bits`},
		{`"folders":[]`, `"folder":[]`, "header.folders: is missing"},
		{`"text":"say \"x"`, `"text":5`, "body.3F0AA001.text: 5 is not a text"},
		{`"text":"say \"x"`, `"text":{"base64":"/w=="}`, ""},
		{`"name":"one"`, `"name":{"text":5,"word":"40000000"}`, "body.3F0AA001.name: 5 is not a text"},
		{`"name":"one"`, `"name":{"text":"x"}`, "body.3F0AA001.name: a group is no ID"},
		{`"name":"one"`, `"name":true`, "body.3F0AA001.name: true is no ID"},
		{`"float":1.5`, `"float":"1.5"`, `body.3F0AA001.float: "1.5" is not a number for a float`},
		{`"float":1.5`, `"float":1e99`, "body.3F0AA001.float: 1e99 is not a number for a float"},
		{`"time":36217`, `"time":null`, ""},
		{`"time":36217`, `"time":"0:36.217"`, `body.3F0AA001.time: "0:36.217" is not a whole number of 32 bits`},
		{`"yes":true`, `"yes":1`, ""},
		{`"short":-2`, `"short":-32769`, "body.3F0AA001.short: -32769 is not a whole number of 16 bits"},
		{`"hash":"3031`, `"hash":"30`, `body.3F0AA001.hash: "303233343536373839616263646566" is not 32 hex digits`},
		{`"heavy":true`, `"heavy":1`, ""},
		{`"compressed":{`, `"rest":{`, ""},
	} {
		if strings.Count(whole, test.old) != 1 {
			t.Fatalf("%s is there %d times", test.old, strings.Count(whole, test.old))
		}
		_, err := ReadJSON([]byte(strings.Replace(whole, test.old, test.new, 1)), forms)
		got := ""
		if err != nil {
			if got = err.Error(); fault.KindOf(err) == "" {
				t.Errorf("%.40s: no fault", test.new)
			}
		}
		if got != test.want {
			t.Errorf("%.40s: %s, want %s", test.new, got, test.want)
		}
	}
}

// The form that a body was stored in must be bytes, and is used only if it fits.
func TestDocumentsOfCompressed(t *testing.T) {
	whole := formsDocument(t, compressedFile("abc"), archive.Everything)
	for _, test := range []struct{ old, new, want string }{
		{`"compressedBody":{"base64"`, `"compressedBody":{"base65"`, `compressedBody: a group is not {"base64": …}`},
		{`"word":5`, `"word":6`, ""},
		{`"HQKg`, `"AAAA`, ""},
		{`"BUCR"`, `"BUUR"`, ""},
	} {
		f, err := ReadJSON([]byte(strings.Replace(whole, test.old, test.new, 1)), forms)
		if test.want != "" {
			if err == nil || err.Error() != test.want {
				t.Errorf("%s: err = %v; want an error, err = %v", test.new, err, test.want)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		word := "5"
		if test.new == `"word":6` {
			word = "6"
		}
		_, tr := formsTree(t, must(f.Encode()))
		if got := tr.At("body.3F0AA002.word").Text(); got != word || string(tr.File.Trailer)+string(tr.File.Rest) != "abc" {
			t.Errorf(`%s: got = %s, tr.File.Trailer = %q; want got = %s, string(tr.File.Trailer) + string(tr.File.Rest) = "abc"`, test.new, got, tr.File.Trailer, word)
		}
	}
}
