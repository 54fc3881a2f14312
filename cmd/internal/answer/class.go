package answer

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/gbx/classid"
	"pakbox/gbx/classid/member"
	"pakbox/gbx/engine"
)

// Class is the answer of the command class --json.
type Class struct {
	ID        string            `json:"id"`
	Name      *string           `json:"name"`
	Engine    string            `json:"engine"`
	Parent    *string           `json:"parent"`
	Extension *string           `json:"extension"`
	Older     []string          `json:"older_ids"`
	Former    []string          `json:"former_names"`
	Parents   map[string]string `json:"parents"` // by game
	Ancestors []string          `json:"ancestors"`
	Children  []string          `json:"children"`
	Members   []classMember     `json:"members"`
	Enums     []member.Enum     `json:"enums"`
	Chunks    []classChunk      `json:"chunks"`
	Sheet     *string           `json:"sheet"`

	Of classid.ID `json:"-"`
}

type classChunk struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Header bool   `json:"header"`
}

type classParams struct {
	Name    string `json:"name" arg:"" doc:"name or ID of a class, or ID of a chunk"`
	Members bool   `json:"members" doc:"list all members, the inherited too"`
}

// ClassInfo is the question what is known about a class.
var ClassInfo = question.New(&room, "class", "facts about a class of Nadeo's engines", func(_ context.Context, _ *question.At, p classParams) (*Class, error) {
	id, err := findClass(p.Name)
	if err != nil {
		return nil, err
	}
	c := classOf(id, p.Members)
	if c.Name == nil && c.Sheet == nil && len(c.Older) == 0 {
		return nil, fault.Usagef("nothing is known about class %s", c.ID)
	}
	return c, nil
}).AboutNoFile()

// findClass returns the latest ID of a class, given the name or number of a class or
// chunk.
func findClass(arg string) (classid.ID, error) {
	if c, ok := classid.ByName(arg); ok {
		return c.ID.Latest(), nil
	}
	for _, c := range engine.Registry().Classes() {
		if strings.EqualFold(c.Name, arg) {
			return c.ID, nil
		}
	}
	digits := strings.TrimPrefix(strings.ToLower(arg), "0x")
	if n, err := strconv.ParseUint(digits, 16, 32); err == nil {
		switch len(digits) {
		case 5:
			return classid.ID(n << 12).Latest(), nil
		case 8:
			return classid.ID(n).Latest(), nil
		}
	}
	const most = 5 // number of suggestions
	err := fault.Usagef("%s is neither a known class nor an ID of five or eight hex digits", arg)
	if like := classid.Similar(arg, most); len(like) > 0 {
		return 0, err.Hint("is it %s?", question.OrList(like))
	}
	return 0, err
}

// classOf collects the facts about a class from the tables and the sheets. inherited
// includes the members of its ancestors.
func classOf(id classid.ID, inherited bool) *Class {
	j := &Class{Of: id, ID: id.Class().String(), Engine: classid.EngineName(id.Engine()), Parents: map[string]string{},
		Ancestors: []string{}, Children: []string{}, Older: []string{}, Former: []string{}, Chunks: []classChunk{}}
	c, ok := classid.Lookup(id)
	if ok {
		j.Name, j.Parent, j.Extension = question.NonEmpty(c.Name), question.NonEmpty(c.Parent), question.NonEmpty(c.Extension)
		j.Former = append(j.Former, c.Former...)
		for _, parent := range c.Ancestors() {
			j.Ancestors = append(j.Ancestors, parent.Name)
		}
		for _, child := range c.Children() {
			j.Children = append(j.Children, child.Name)
		}
	}
	for _, g := range classid.Games {
		if parent, ok := c.ParentIn(g); ok {
			j.Parents[gameKey[g]] = parent
		}
	}
	for _, old := range id.Older() {
		j.Older = append(j.Older, old.String())
		if then, ok := classid.LookupExact(old); ok && then.Name != c.Name && !slices.Contains(j.Former, then.Name) {
			j.Former = append(j.Former, then.Name)
		}
	}
	j.Members, j.Enums = membersOf(id, inherited), append([]member.Enum{}, member.Enums(id)...)
	info, ok := engine.Registry().Class(id)
	if !ok {
		return j
	}
	j.Name = question.NonEmpty(info.Name)
	for _, c := range info.Chunks {
		j.Chunks = append(j.Chunks, classChunk{c.ID.String(), c.Name, c.Header})
	}
	if sheet, ok := engine.Sheet(info.Name); ok {
		if id.Chunk() != 0 {
			sheet = sheetPart(sheet, id)
		}
		j.Sheet = question.NonEmpty(sheet)
	}
	return j
}

// gameKey has the names of games in JSON.
var gameKey = map[classid.Game]string{
	classid.TM2020: "tm2020", classid.ManiaPlanet4: "maniaplanet_4", classid.ManiaPlanet2: "maniaplanet_2", classid.Earlier: "earlier",
}

// sheetPart returns the text about one chunk in a sheet.
func sheetPart(sheet string, id classid.ID) string {
	var b strings.Builder
	inside := false
	for line := range strings.Lines(sheet) {
		if len(line) > 1 && line[0] != ' ' {
			fields := strings.Fields(line)
			inside = len(fields) > 1 && (fields[0] == "chunk" || fields[0] == "header") &&
				(strings.EqualFold(fields[1], fmt.Sprintf("%03X", id.Chunk())) || strings.EqualFold(fields[1], id.String()))
		}
		if inside {
			b.WriteString(line)
		}
	}
	return strings.TrimRight(b.String(), "\n")
}
