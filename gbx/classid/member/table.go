package member

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"io"
	"strconv"
	"strings"
	"sync"

	"pakbox/gbx/classid"
)

//go:generate go run ./pack

// packed is members.txt, compressed with deflate. It is a tenth of the program's data,
// and is unpacked only when members are needed.
//
//go:embed members.deflate
var packed []byte

type classMembers struct {
	members []Member
	enums   []Enum
}

// A mistake in the table is a bug that the tests find.
var table = sync.OnceValue(func() map[classid.ID]classMembers {
	text, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		panic("member: " + err.Error())
	}
	return parseTable(string(text))
})

func parseTable(text string) map[classid.ID]classMembers {
	t := map[classid.ID]classMembers{}
	var id classid.ID
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch c := t[id]; line[0] {
		case '#':
		case ' ':
			c.members = append(c.members, parseMember(line[1:], id, c.members))
			t[id] = c
		case '=':
			words := strings.Fields(line[1:])
			c.enums = append(c.enums, Enum{id, words[0], words[1:]})
			t[id] = c
		default:
			n, err := strconv.ParseUint(line, 16, 20)
			if err != nil {
				panic("member: " + err.Error())
			}
			id = classid.ID(n << 12)
		}
	}
	return t
}

// parseMember parses a line. Without a number of its own, the member gets the number
// after the one before.
func parseMember(line string, id classid.ID, before []Member) Member {
	m := Member{Class: id}
	if n := len(before); n > 0 {
		m.Index = before[n-1].Index + 1
	}
	if at := strings.LastIndex(line, " #"); at > 0 {
		n, err := strconv.Atoi(line[at+2:])
		if err != nil {
			panic("member: " + err.Error())
		}
		m.Index, line = n, line[:at]
	}
	at := strings.IndexAny(line, " :")
	m.Name, m.Type, m.Const = line[:at], line[at+1:], line[at] == ':'
	return m
}
