package answer

import (
	"context"
	"errors"

	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/gbx/classid"
	"pakbox/gbx/classid/member"
)

// classMember is a member of a class in class --json.
type classMember struct {
	Index   int    `json:"index"`
	Name    string `json:"name"`
	Type    string `json:"type"`
	Const   bool   `json:"const"`
	Class   string `json:"class"` // that declares it
	ClassID string `json:"class_id"`
}

// MemberPath is the answer of the command class about a path of members.
type MemberPath struct {
	Path string `json:"path"`
	classMember
	Method bool     `json:"method"`
	Values []string `json:"values"` // of an enumeration
}

func memberOf(m member.Member) classMember {
	class, _ := classid.Lookup(m.Class)
	return classMember{m.Index, m.Name, m.Type, m.Const, class.Name, m.Class.String()}
}

func membersOf(id classid.ID, inherited bool) []classMember {
	members := member.Of(id)
	if inherited {
		members = member.All(id)
	}
	list := make([]classMember, len(members))
	for i, m := range members {
		list[i] = memberOf(m)
	}
	return list
}

type memberParams struct {
	Path string `json:"name" arg:"" doc:"path such as CGameCtnReplayRecord.Challenge.MapInfo.Name"`
}

// ClassMember is the question to which member of a class a path leads.
var ClassMember = question.New(&room, "member", "the member of a class that a path of names leads to", func(_ context.Context, _ *question.At, q memberParams) (*MemberPath, error) {
	p, err := member.Resolve(q.Path)
	if e := (*member.PathError)(nil); errors.As(err, &e) && len(e.Near) > 0 {
		return nil, fault.Usagef("%s", e).Hint("is it %s?", question.OrList(e.Near))
	}
	if err != nil {
		return nil, fault.Usagef("%s", err)
	}
	m := p.Last()
	found := &MemberPath{Path: p.String(), classMember: memberOf(m), Method: m.IsMethod()}
	if e, ok := m.Enum(); ok {
		found.Values = e.Values
	}
	return found, nil
}).AboutNoFile()
