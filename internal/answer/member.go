package answer

import (
	"errors"

	"pakbox/gbx/classid"
	"pakbox/gbx/classid/member"
	"pakbox/internal/lib/hint"
)

// Member is a member of a class in class --json.
type Member struct {
	Index   int    `json:"index"`
	Name    string `json:"name"`
	Type    string `json:"type"`
	Const   bool   `json:"const"`
	Class   string `json:"class"` // that declares it
	ClassID string `json:"class_id"`
}

// Enum is an enumeration of a class in class --json.
type Enum struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// MemberPath is what class says about a path of members.
type MemberPath struct {
	Schema string `json:"schema"`
	Path   string `json:"path"`
	Member
	Method bool     `json:"method"`
	Values []string `json:"values"` // of an enumeration
}

func memberOf(m member.Member) Member {
	class, _ := classid.Lookup(m.Class)
	return Member{m.Index, m.Name, m.Type, m.Const, class.Name, m.Class.String()}
}

func membersOf(id classid.ID, inherited bool) []Member {
	members := member.Of(id)
	if inherited {
		members = member.All(id)
	}
	list := make([]Member, len(members))
	for i, m := range members {
		list[i] = memberOf(m)
	}
	return list
}

func enumsOf(id classid.ID) []Enum {
	list := []Enum{}
	for _, e := range member.Enums(id) {
		list = append(list, Enum{e.Name, e.Values})
	}
	return list
}

// MemberAt follows a path such as CGameCtnReplayRecord.Challenge.MapInfo.Name.
func MemberAt(path string) (*MemberPath, error) {
	p, err := member.Resolve(path)
	if e := (*member.PathError)(nil); errors.As(err, &e) && len(e.Near) > 0 {
		return nil, hint.Usagef("%s", e).Hint("is it %s?", OrList(e.Near))
	}
	if err != nil {
		return nil, hint.Usagef("%s", err)
	}
	m := p.Last()
	found := &MemberPath{Schema: "pakbox.member/1", Path: p.String(), Member: memberOf(m), Method: m.IsMethod()}
	if e, ok := m.Enum(); ok {
		found.Values = e.Values
	}
	return found, nil
}
