package archive_test

import (
	"testing"

	"pakbox/archive"
)

// A question names parts of a document by paths; what no path leads to is not
// wanted, and what several lead to is wanted whole.
func TestWant(t *testing.T) {
	w := new(archive.Want)
	w.AddMember("map").AddMember("author").AddAll()
	w.AddMember("blocks").AddEach().AddMember("name").AddAll()
	if w.All() || w.Member("map").All() || w.Each() != nil {
		t.Error("more is wanted than was asked for")
	}
	if !w.Member("map").Member("author").All() || w.Member("map").Member("name") != nil || w.Member("nothing") != nil {
		t.Error("of a member")
	}
	if w.Member("map").AddMember("author") != w.Member("map").Member("author") {
		t.Error("a member that is wanted already was begun again")
	}
	blocks := w.Member("blocks")
	if blocks.AddEach() != blocks.Each() || blocks.Each().All() || !blocks.Each().Member("name").All() || blocks.Each().Member("x") != nil {
		t.Error("of each element")
	}
	if blocks.Member("7") != blocks.Each() {
		t.Error("a member is one of each")
	}
	blocks.AddMember("7").AddMember("x").AddAll()
	if blocks.Member("7") != archive.Everything || blocks.Member("8") != blocks.Each() {
		t.Error("a member that is wanted for itself and as one of each")
	}
}

func TestWantAllAndNothing(t *testing.T) {
	var none *archive.Want
	if none.All() || none.Member("x") != nil || none.Each() != nil {
		t.Error("something is wanted of nothing")
	}
	all := new(archive.Want)
	all.AddAll()
	if !all.All() || !all.Member("x").All() || !all.Each().All() || !all.AddMember("x").All() || !all.AddEach().All() {
		t.Error("something is missing from all")
	}
	if !archive.Everything.All() {
		t.Error("not everything")
	}
}
