package explore

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pakbox/fault"
	"pakbox/internal/answer"
	"pakbox/internal/form"
	"pakbox/internal/lib/hint"
	"pakbox/internal/question"
	"pakbox/internal/rule"
	"pakbox/internal/source"
)

// routes are the questions by name. Questions with the name of a command return its JSON.
var routes = map[string]route{
	// files and folders
	"home":     {answer: (*Explorer).home},
	"what":     {answer: (*Explorer).what},
	"children": {answer: (*Explorer).children},
	"drop":     {post: true, takes: MaxDrop, answer: (*Explorer).drop},
	"remove":   {post: true, answer: (*Explorer).takeAway},
	"unlock":   {post: true, answer: (*Explorer).unlock},
	// content
	"content":   {answer: (*Explorer).content},
	"text":      {answer: (*Explorer).text},
	"picture":   {answer: (*Explorer).picture},
	"thumbnail": {answer: (*Explorer).thumbnail},
	"left":      {answer: (*Explorer).left},
	"tiles":     {answer: (*Explorer).tiles},
	// values and bytes
	"values":   {answer: (*Explorer).values},
	"value":    {answer: (*Explorer).value},
	"value-at": {answer: (*Explorer).valueAt},
	"layers":   {answer: (*Explorer).layers},
	"bytes":    {answer: (*Explorer).bytes},
	"search":   {answer: (*Explorer).search},
	// data for drawing
	"map.scene":         {answer: (*Explorer).mapScene},
	"simutrans.objects": {answer: (*Explorer).simObjects},
	"spans":             {answer: (*Explorer).spans},
	"rules":             {answer: rules},
	// the index of many files
	"collection": {answer: (*Explorer).collection},
	"facets":     {answer: (*Explorer).facets},
	"find":       asking(false, foundRows),
	"find.csv":   asking(false, foundCSV),
	"sql":        asking(true, foundRows),
	"sql.csv":    asking(true, foundCSV),
	// changes
	"changed":          {answer: (*Explorer).changesMade},
	"undo":             {post: true, changes: true, answer: (*Explorer).undo},
	"set":              {post: true, changes: true, answer: (*Explorer).set},
	"map.rename":       changing("map.rename", maxAsked, func() mapChange { return new(renaming) }),
	"map.medals":       changing("map.medals", maxAsked, func() mapChange { return new(newMedals) }),
	"map.thumbnail":    changing("map.thumbnail", maxSent, func() mapChange { return new(newThumbnail) }),
	"map.items.change": changing("map.items", maxSent, func() mapChange { return new(newItems) }),
	"map.meta.set":     changing("map.meta", maxAsked, func() mapChange { return new(newMeta) }),
}

// rules returns explanations of findings, by the names of their rules.
func rules(_ *Explorer, c *call) (any, error) {
	list := []rule.Rule{}
	for _, r := range rule.All() {
		if slices.Contains(c.Params["name"], r.Name) {
			list = append(list, r)
		}
	}
	return new(form.Object).Add("rules", list), nil
}

// declared are the questions that all interfaces of pakbox share.
var declared = sync.OnceValue(func() map[string]*question.Question {
	byName := map[string]*question.Question{}
	for _, q := range answer.Questions() {
		byName[q.Name] = q
	}
	return byName
})

// routeOf finds a question by name: one that only the page has, or a declared one.
func routeOf(name string, post bool) (route, bool) {
	r, ofPage := routes[name]
	q, ok := declared()[name]
	if !ok || post && ofPage {
		return r, ofPage
	}
	return route{answer: func(s *Explorer, c *call) (any, error) {
		opener := s.opener.WithoutAsking().Apart()
		defer opener.CleanUp()
		at := &question.At{Path: c.param("path"), Opener: opener, Kept: s.kept, Below: s.below, Game: s.game, Bounded: true}
		reply, err := q.AskWith(c.Context(), at, question.Texts(c.Params))
		if err != nil {
			return nil, err
		}
		f, isFile := reply.Answer.(*question.File)
		if !isFile {
			return reply, nil
		}
		a := bytesAnswer(OK, cmp.Or(f.Type, octets), f.Data)
		if f.Type == "" {
			a.File = f.Name
		}
		return a, nil
	}}, true
}

// kept returns a file that stays open between questions.
func (s *Explorer) kept(ctx context.Context, path string) (*source.Source, func(), error) {
	f, done, err := s.open.get(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	return f.Source, done, nil
}

// below lists the files below a folder, nil if the path is not a folder.
func (s *Explorer) below(ctx context.Context, name, ending string) (files []string, err error) {
	if info, err := s.files.Stat(name); err != nil || !info.IsDir() {
		return nil, nil
	}
	files = []string{}
	var bytes int64
	for folders := []string{name}; len(folders) > 0; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		dir := folders[0]
		folders = folders[1:]
		list, err := s.files.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range list {
			at := path.Join(dir, e.Name())
			switch {
			case e.IsDir():
				folders = append(folders, at)
			case strings.EqualFold(path.Ext(at), ending):
				if info, err := e.Info(); err == nil {
					bytes += info.Size()
				}
				files = append(files, at)
			}
		}
		if len(files) > maxBelow || len(folders) > maxBelow || bytes > maxBelowBytes {
			return nil, fault.InFile(fault.New(fault.Limit, "more than %d files, or %d bytes of them", maxBelow, maxBelowBytes), name)
		}
	}
	slices.Sort(files)
	return files, nil
}

// Limits for a question about a whole folder.
const (
	maxBelow      = 20000
	maxBelowBytes = 512 << 20
)

// Questions returns the names of the questions that are asked with GET, or of those that
// are posted.
func Questions(post bool) (names []string) {
	if !post {
		for name := range declared() {
			names = append(names, name)
		}
	}
	for name, r := range routes {
		if r.post == post {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// usage makes an error for a wrong request.
func usage(format string, args ...any) error { return hint.Usagef("%s", fmt.Sprintf(format, args...)) }

// number reads a parameter that is a whole number, at least least.
func (c *call) number(name string, otherwise, least int64) (int64, error) {
	text := c.param(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.ParseInt(text, 0, 64)
	if err != nil || n < least {
		return 0, usage("%s: %q is no number from %d", name, text, least)
	}
	return n, nil
}
