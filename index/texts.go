package index

import (
	"strings"

	"pakbox/trackmania"
)

// texts is what people search a file for: its name and what it calls itself,
// who made or drove it, and what they wrote about it. Its rows are behind those
// that were there before, among those of the files in it.
func (r *Rows) texts(f *File, before *Rows) SearchText {
	var names, authors, comments words
	names.add(f.Name)
	for _, m := range r.Maps[len(before.Maps):] {
		if m.File == f.File {
			names.add(m.Name)
			authors.add(m.AuthorLogin, m.AuthorNick)
			comments.add(deref(m.Comments))
		}
	}
	for _, it := range r.Items[len(before.Items):] {
		if it.File == f.File {
			names.add(it.Name)
			authors.add(it.AuthorLogin)
			comments.add(deref(it.Description))
		}
	}
	for _, p := range r.Replays[len(before.Replays):] {
		if p.File == f.File {
			authors.add(p.Login, p.Nick)
		}
	}
	for _, g := range r.Ghosts[len(before.Ghosts):] {
		if g.File == f.File {
			authors.add(g.Login, g.Nick)
		}
	}
	for _, p := range r.Packs[len(before.Packs):] {
		if p.File == f.File {
			names.add(deref(p.TitleID))
			authors.add(deref(p.Author), deref(p.AuthorLogin), deref(p.AuthorNick))
			comments.add(deref(p.Comment))
		}
	}
	for _, o := range r.SimObjects[len(before.SimObjects):] {
		if o.File == f.File {
			names.add(o.Name)
			authors.add(o.Copyright)
		}
	}
	return SearchText{File: f.File, Name: names.text(), Author: text(authors.text()), Comments: text(comments.text())}
}

// AddTexts adds what people search for to rows that were made by hand.
func (r *Rows) AddTexts() {
	for i := range r.Files {
		r.Texts = append(r.Texts, r.texts(&r.Files[i], &Rows{}))
	}
}

// words gathers texts, each once.
type words struct {
	list []string
	seen map[string]bool
}

func (w *words) add(texts ...string) {
	for _, s := range texts {
		s = strings.TrimSpace(trackmania.Plain(s))
		if s == "" || w.seen[s] {
			continue
		}
		if w.seen == nil {
			w.seen = map[string]bool{}
		}
		w.seen[s] = true
		w.list = append(w.list, s)
	}
}

func (w *words) text() string { return strings.Join(w.list, "\n") }

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
