package plug

import (
	"pakbox/gbx"
	"pakbox/gbx/code"
)

// EntityList is the list of recorded entities. Each entity has a byte that is set if
// another one follows; it is in the middle, between samples and notices.
type EntityList struct {
	Entities []RecordedEntity
}

// RecordedEntity is an entity with its recorded samples and notices.
type RecordedEntity struct {
	Entity  CPlugEntRecordDataEntity
	Notices []CPlugEntRecordDataNotice // from version 2 on
}

// Code reads or writes the list.
func (l *EntityList) Code(x *gbx.Coder, version int) {
	x.Group("entities", &l.Entities)
	more := code.While(x, &l.Entities, 0, "entities")
	for i := 0; more; i++ {
		x.Elem(i, &l.Entities[i])
		l.Entities[i].Entity.Code(x, version)
		more = code.While(x, &l.Entities, i+1, "entities") // reading may move the list in memory
		if version >= 2 {
			l.Entities[i].codeNotices(x)
		}
		x.EndElem()
	}
	x.EndGroup()
}

func (e *RecordedEntity) codeNotices(x *gbx.Coder) {
	x.Group("notices", &e.Notices)
	for i := 0; code.While(x, &e.Notices, i, "notices"); i++ {
		x.Elem(i, &e.Notices[i])
		e.Notices[i].Code(x)
		x.EndElem()
	}
	x.EndGroup()
}
