package page

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
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
	"changed": {answer: (*Explorer).changesMade},
	"undo":    {post: true, changes: true, answer: (*Explorer).undo},
	"forms":   {answer: declaredForms},
}

// rules returns explanations of findings, by the names of their rules.
func rules(_ *Explorer, c *call) (any, error) {
	list := []answer.Rule{}
	for _, r := range answer.Rules() {
		if slices.Contains(c.Params["name"], r.Name) {
			list = append(list, r)
		}
	}
	return new(question.Object).Add("rules", list), nil
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
	switch {
	case !ok || post && ofPage:
		return r, ofPage
	case q.Change:
		return changeRoute(q), true
	}
	r = route{answer: func(s *Explorer, c *call) (any, error) { return s.askDeclared(c, q) }}
	if post && q.TakesContent() { // a request with files
		r.post, r.takes = true, maxSent
	}
	return r, true
}

// askDeclared answers a declared question. The parameters of one that takes files may be
// sent as JSON.
func (s *Explorer) askDeclared(c *call, q *question.Question) (any, error) {
	at := s.at(c.param("path"))
	at.Opener = at.Opener.Apart()
	defer at.Opener.CleanUp()
	reply, err := askSent(c, q, at)
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
}

func askSent(c *call, q *question.Question, at *question.At) (*question.Reply, error) {
	if !c.Post {
		return q.AskWith(c.Context(), at, question.Texts(c.Params))
	}
	sent := map[string]json.RawMessage{}
	if err := decode(c, &sent); err != nil {
		return nil, err
	}
	params, err := q.ReadJSON(sent)
	if err != nil {
		return nil, err
	}
	return q.AskParams(c.Context(), at, params)
}

// Questions returns the names of the questions that are asked with GET, or of those that
// are posted.
func Questions(post bool) (names []string) {
	for name, q := range declared() {
		if q.Change == post {
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
func usage(format string, args ...any) error { return fault.Usagef("%s", fmt.Sprintf(format, args...)) }

// number reads a parameter that is a whole number, at least least.
func (c *call) number(name string, otherwise, least int64) (int64, error) {
	text := c.param(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.ParseInt(text, 0, 64)
	if err != nil || n < least {
		return 0, usage("%s: %q is not a number from %d", name, text, least)
	}
	return n, nil
}
