package runs

import (
	"encoding/binary"
	"math"
	"slices"

	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine/plug"
	"pakbox/nadeo/items/library"
)

// The kinds of events.
const (
	EventCheckpoint = "checkpoint"
	EventFinish     = "finish"
	EventEffect     = "effect"
)

// Event is a waypoint or an effect, such as Turbo, that the car drove through.
type Event struct {
	Driver   int // 0 for the ghost's driver; others come from the record of a server
	Time     gbx.Time
	Kind     string
	Waypoint int    // number of the waypoint on the map; -1 if unknown
	Effect   string // for EventEffect: Turbo, FreeWheeling, …
}

// classPlayer is the class of recorded entities with a player's events.
const classPlayer classid.ID = 0x032CB000

// Codes of notices in such entities, and the sizes of their values in bytes.
const (
	noticeWaypoint, waypointBytes = 21, 24
	noticeEffect, effectBytes     = 22, 6
)

// Events returns the events of the run, in order. Trackmania (2020) stores them in its
// record, with the waypoints. For other games the events are the checkpoints that the
// ghost declares.
func (g *Ghost) Events() ([]Event, error) {
	list, err := g.recordedEvents()
	if err != nil || len(list) > 0 {
		return list, err
	}
	for _, t := range g.Checkpoints() {
		kind := EventCheckpoint
		if g.IsFinish(t) {
			kind = EventFinish
		}
		if t != gbx.NoTime {
			list = append(list, Event{Time: t, Kind: kind, Waypoint: -1})
		}
	}
	return list, nil
}

// recordedEvents returns the events in the record of Trackmania (2020). The first player
// in the record is the driver.
func (g *Ghost) recordedEvents() ([]Event, error) {
	r, err := g.records()
	if err != nil || r == nil {
		return nil, err
	}
	var list []Event
	driver := 0
	for i := range r.Entities.Entities {
		e := &r.Entities.Entities[i]
		if classOf(r, &e.Entity) != classPlayer {
			continue
		}
		for _, n := range e.Notices {
			if int64(n.Type) >= int64(len(r.NoticeRecordDescs)) {
				continue
			}
			if event, ok := eventOf(int(r.NoticeRecordDescs[n.Type].U02), &n); ok {
				event.Driver = driver
				list = append(list, event)
			}
		}
		driver++
	}
	slices.SortStableFunc(list, func(a, b Event) int { return int(a.Time) - int(b.Time) })
	return list, nil
}

func eventOf(code int, n *plug.CPlugEntRecordDataNotice) (Event, bool) {
	word := func(at int) int { return int(binary.LittleEndian.Uint16(n.Data[at:])) }
	switch {
	case code == noticeWaypoint && len(n.Data) >= waypointBytes:
		e := Event{Time: gbx.Time(binary.LittleEndian.Uint32(n.Data[4:])), Kind: EventCheckpoint, Waypoint: word(20)}
		if word(22) == 1 {
			e.Kind = EventFinish
		}
		return e, true
	case code == noticeEffect && len(n.Data) >= effectBytes:
		return Event{Time: n.Time, Kind: EventEffect, Waypoint: -1, Effect: effectName(word(4))}, true
	}
	return Event{}, false
}

// effectName returns the name of an effect, "" for an unknown number.
func effectName(number int) string {
	if number > math.MaxUint8 {
		return ""
	}
	return library.GameplayName(uint8(number))
}
