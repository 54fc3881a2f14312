package plug

import "pakbox/gbx"

// EntityList is the list of recorded entities. The byte for "another follows" is
// in the middle of each, between samples and notices.
type EntityList struct {
	Entities []RecordedEntity
}

// RecordedEntity is an entity with what was recorded about it.
type RecordedEntity struct {
	Entity  CPlugEntRecordDataEntity
	Notices []CPlugEntRecordDataNotice // from version 2 on
}

// Code reads or writes the list.
func (l *EntityList) Code(x *gbx.Coder, version int) {
	x.Group("entities", &l.Entities)
	more := gbx.While(x, &l.Entities, 0, "entities")
	for i := 0; more; i++ {
		x.Elem(i, &l.Entities[i])
		l.Entities[i].Entity.Code(x, version)
		more = gbx.While(x, &l.Entities, i+1, "entities") // may move the list
		if version >= 2 {
			l.Entities[i].codeNotices(x)
		}
		x.EndElem()
	}
	x.EndGroup()
}

func (e *RecordedEntity) codeNotices(x *gbx.Coder) {
	x.Group("notices", &e.Notices)
	for i := 0; gbx.While(x, &e.Notices, i, "notices"); i++ {
		x.Elem(i, &e.Notices[i])
		e.Notices[i].Code(x)
		x.EndElem()
	}
	x.EndGroup()
}
