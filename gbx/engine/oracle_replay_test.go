package engine_test

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/plug"
)

var (
	replayHeader = head("Version", 0x03093000)
	replayClip   = clip(body("Clip", 0x03093015, 0x0309300C))
)

func inReplayHeader(field string, version int) value {
	return from(version, head(field, 0x03093000), func(s source) any {
		if v := replayHeader(s); v != uint32(0xFFFFFFFF) {
			return v
		}
		return uint32(6) // what it has is that of version 6
	})
}

var replayValues = table{
	"header_version": func(s source) any {
		if v, ok := replayHeader(s).(uint32); ok {
			return int32(v)
		}
		return absent
	},
	"player_login":      inReplayHeader("PlayerLogin", 6),
	"player_nick":       inReplayHeader("PlayerNickname", 2),
	"time":              inReplayHeader("Time", 2),
	"map":               inReplayHeader("MapInfo", 2),
	"map_uid":           part(inReplayHeader("MapInfo", 2), "ID"),
	"title_id":          first(body("TitleID", 0x03093018), inReplayHeader("TitleID", 8)),
	"author_login":      first(body("AuthorLogin", 0x03093018), head("AuthorLogin", 0x03093002)),
	"author_nick":       first(body("AuthorNick", 0x03093018), head("AuthorNick", 0x03093002)),
	"author_zone":       first(body("AuthorZone", 0x03093018), head("AuthorZone", 0x03093002)),
	"xml_len":           textLen(head("XML", 0x03093001)),
	"events_duration":   body("EventsDuration", 0x0309300D, 0x03093003),
	"playground_script": body("PlaygroundScript", 0x0309301C),
	"embedded_map":      body("Map", 0x03093002),
	"ghosts_count":      count(body("Ghosts", 0x03093014, 0x03093004)),
	"clip":              replayClip,
	"record_data":       recordData(body("RecordData", 0x03093024)),
	"inputs_tm1":        oldInputs,
	"ghosts_in_clip": func(s source) any {
		v, ok := replayClip(s).(map[string]any)
		if !ok {
			return absent
		}
		return v["ghosts"]
	},
}

// replay compares a replay, the map in it and its ghosts.
func (o *oracle) replay(where string, want map[string]any, s source) {
	rest := map[string]any{}
	for k, v := range want {
		switch inner := v.(type) {
		case map[string]any:
			if k == "embedded_map_values" {
				o.embeddedMap(where, inner, s)
				continue
			}
		case []any:
			if k == "ghosts" {
				o.replayGhosts(where, inner, s)
				continue
			}
		}
		rest[k] = v
	}
	o.object(where, "replay.", rest, replayValues, "", s)
}

func (o *oracle) embeddedMap(where string, want map[string]any, s source) {
	data, ok := body("Map", 0x03093002)(s).([]byte)
	if !ok {
		o.count("replay.embedded_map_values").absent++
		return
	}
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		o.t.Errorf("%s: the map inside: %v", where, err)
		return
	}
	o.mapFile(where, "replay.embedded_map_values.", want, source{f, f.Body, len(data)})
}

func (o *oracle) replayGhosts(where string, want []any, s source) {
	ghosts, ok := body("Ghosts", 0x03093014, 0x03093004)(s).([]gbx.Ref)
	if !ok {
		o.count("replay.ghosts").absent++
		return
	}
	if len(ghosts) != len(want) {
		o.t.Errorf("%s: %d ghosts, want %d", where, len(ghosts), len(want))
		return
	}
	for i, w := range want {
		g := w.(map[string]any)
		if i == 0 {
			// The other implementation moves inputs and the like of older
			// replays into the first ghost.
			g = movedToGhost(o, where, g, s)
		}
		o.ghost(where, "replay.ghosts.", g, source{s.file, ghosts[i].Node, s.size})
	}
}

// movedToGhost compares the values of a replay's own chunks that the oracle
// gives as the first ghost's, and returns the others.
func movedToGhost(o *oracle, where string, want map[string]any, s source) map[string]any {
	moved := table{
		"inputs":        replayInputs,
		"exe_version":   body("ExeVersion", 0x0309300F, 0x03093008),
		"exe_checksum":  hexWord(body("ExeChecksum", 0x0309300F)),
		"os_kind":       body("OsKind", 0x0309300F),
		"cpu_kind":      body("CPUKind", 0x0309300F),
		"race_settings": body("RaceSettings", 0x0309300F),
	}
	rest := map[string]any{}
	for k, v := range want {
		if find, ok := moved[k]; ok && find(s) != absent {
			o.compare(where, "replay.ghosts."+k, v, find(s))
			continue
		}
		rest[k] = v
	}
	return rest
}

var events = body("Events", 0x03092025, 0x03092019, 0x03092011)

// bodyOrEvents is a value of chunk 02D, or of the inputs.
func bodyOrEvents(field string) value {
	return first(body(field, 0x0309202D), part(eventsIfAny, field))
}

func eventsIfAny(s source) any {
	d, ok := body("EventsDuration", 0x03092025, 0x03092019, 0x03092011)(s).(gbx.Time)
	if !ok || d == 0 && !goesOnWithoutEvents(s.node) {
		return absent
	}
	return events(s)
}

// goesOnWithoutEvents reports whether a ghost without inputs still names the
// device that it was driven with.
func goesOnWithoutEvents(n *gbx.Node) bool {
	c, ok := gbx.Find[*game.Chunk03092025](n)
	return ok && c.Version >= 1
}

var ghostValues = table{
	"race_time":         body("RaceTime", 0x03092005),
	"respawns":          body("Respawns", 0x03092008),
	"stunt_score":       body("StuntScore", 0x0309200A),
	"checkpoints":       checkpoints,
	"login":             body("GhostLogin", 0x0309200F),
	"nickname":          body("GhostNickname", 0x03092000, 0x03092017, 0x0309200D, 0x03092006, 0x03092003),
	"avatar":            body("GhostAvatarName", 0x03092000, 0x03092017),
	"trigram":           from(6, body("GhostTrigram", 0x03092000), body("Version", 0x03092000)),
	"zone":              from(7, body("GhostZone", 0x03092000), body("Version", 0x03092000)),
	"club_tag":          from(8, body("GhostClubTag", 0x03092000), body("Version", 0x03092000)),
	"recording_context": from(2, body("RecordingContext", 0x03092000), body("Version", 0x03092000)),
	"player_model":      body("PlayerModel", 0x03092000, 0x03092018, 0x0309200D, 0x03092006, 0x03092003),
	"uid":               ghostUID,
	"validate_map_uid":  body("ChallengeUID", 0x03092010),
	"exe_version":       bodyOrEvents("ExeVersion"),
	"exe_checksum":      hexWord(bodyOrEvents("ExeChecksum")),
	"os_kind":           bodyOrEvents("OsKind"),
	"cpu_kind":          bodyOrEvents("CPUKind"),
	"race_settings":     first(body("Plugins", 0x0309202D), part(eventsIfAny, "RaceSettings")),
	"seed":              first(body("U03", 0x0309202D), afterEvents),
	"title_id":          first(body("TitleID", 0x0309202D), oldTitle),
	"ghost_version":     body("GhostVersion", 0x03092014),
	"skins":             count(body("SkinPackDescs", 0x03092000, 0x03092017)),
	"events_duration":   body("EventsDuration", 0x03092025, 0x03092019, 0x03092011),
	"inputs":            ghostInputs,
	"player_inputs":     playerInputs,
	"samples":           samplesValues,
	"record_data":       recordData(from(5, body("RecordData", 0x03092000), body("Version", 0x03092000))),
	"chunks":            chunkIDs,
}

// afterEvents is the number behind the inputs.
func afterEvents(s source) any {
	if eventsIfAny(s) == absent {
		return absent
	}
	return body("U01", 0x03092025, 0x03092019)(s)
}

// oldTitle is the title in a chunk that is empty without inputs.
func oldTitle(s source) any {
	if c, ok := gbx.Find[*game.Chunk03092028](s.node); ok && c.TitleChecksum != (gbx.Hash256{}) {
		return c.TitleID
	}
	return absent
}

func (o *oracle) ghost(where, key string, want map[string]any, s source) {
	if s.node == nil {
		o.count(strings.TrimSuffix(key, ".")).absent++
		return
	}
	o.object(where, key, want, ghostValues, "", s)
}

func checkpoints(s source) any {
	if c, ok := gbx.Find[*game.Chunk0309200B](s.node); ok {
		list := []any{}
		for _, p := range c.Checkpoints {
			list = append(list, []any{plain(p.Time), plain(p.StuntsScore)})
		}
		return list
	}
	if c, ok := gbx.Find[*game.Chunk03092004](s.node); ok {
		list := []any{}
		for _, p := range c.Checkpoints {
			list = append(list, []any{plain(p.Time), nil, plain(p.Speed)})
		}
		return list
	}
	return absent
}

// ghostUID is an ID, or in newer files a number in front of a longer one.
func ghostUID(s source) any {
	id, ok := body("GhostUID", 0x0309200E)(s).(gbx.ID)
	if !ok {
		return absent
	}
	return collection(id)
}

// samplesValues are the samples of the older ghosts.
func samplesValues(s source) any {
	if c, ok := gbx.Find[*game.Chunk0303F003](s.node); ok {
		v := map[string]any{
			"version": plain(c.SampleVersion), "period": plain(c.SamplePeriod), "fixed_step": c.IsFixedTimeStep.True(),
			"bytes": float64(len(c.Samples)), "offsets": float64(len(c.SampleOffsets)), "state_times": float64(len(c.SampleTimes)),
			"usize": float64(len(c.Samples)), "from": "raw",
		}
		if c, ok := gbx.Find[*game.Chunk0303F004](s.node); ok {
			v["saved_mobil"], v["class"] = plain(c.SampleClass), plain(c.SampleClass)
		}
		if list, err := c.Decode(); err == nil {
			addSamples(v, list, c.SampleVersion)
		}
		return v
	}
	z, ok := gbx.Find[*game.Chunk0303F005](s.node)
	if c, is := gbx.Find[*game.Chunk0303F006](s.node); is {
		z, ok = &c.Chunk0303F005, true
	}
	if !ok {
		return absent
	}
	v := map[string]any{"from": "zlib", "usize": float64(z.Samples.Size)}
	c, err := z.Samples.Content()
	if err != nil {
		return v
	}
	v["class"] = plain(c.SampleClass)
	if c.SampleClass == 0xFFFFFFFF {
		return v
	}
	v["version"], v["period"], v["fixed_step"] = plain(c.SampleVersion), plain(c.SamplePeriod), c.IsFixedTimeStep.True()
	v["bytes"] = float64(len(c.SampleData))
	if list, err := c.Decode(); err == nil {
		addSamples(v, list, c.SampleVersion)
	}
	return v
}

// versionSpeed is the first version of samples in which the other
// implementation finds speeds.
const versionSpeed = 7

func addSamples(v map[string]any, list []game.GhostSample, version uint32) {
	v["count"] = float64(len(list))
	if len(list) == 0 {
		return
	}
	var box bounds
	top, forward := 0.0, math.Inf(-1)
	for i := range list {
		box.add([]gbx.Vec3{list[i].Position})
		speed := list[i].Velocity()
		top = max(top, kilometresAnHour(speed))
		forward = max(forward, 3.6*list[i].ForwardSpeed())
	}
	ends := func(s *game.GhostSample) any {
		b, _ := gbx.EncodeRecord(s)
		return map[string]any{"t": float64(s.Time), "pos": plain(s.Position), "size": float64(len(b))}
	}
	v["first"], v["last"] = ends(&list[0]), ends(&list[len(list)-1])
	v["pos_min"], v["pos_max"] = plain(box.min), plain(box.max)
	v["max_speed_kmh"] = top
	if version >= versionSpeed {
		v["max_speed_forward_kmh"] = forward
	}
}

// recordData are the facts about recorded entities that the ghost tests leave
// out.
func recordData(ref value) value {
	return func(s source) any {
		n := follow(ref(s))
		if n == nil {
			return absent
		}
		c, ok := gbx.Find[*plug.Chunk0911F000](n)
		if !ok {
			return absent
		}
		v := map[string]any{"version": plain(c.Version), "usize": float64(c.Data.Size)}
		content, err := c.Data.Content()
		if err != nil {
			return v
		}
		r := &content.Records
		descs := []any{}
		for _, d := range r.EntRecordDescs {
			descs = append(descs, plain(d.ClassID))
		}
		notices, custom := len(r.NoticeRecordDescs), len(r.CustomModuleLists)
		v["descs"], v["start"], v["end"], v["notice_descs"] = descs, plain(r.Start), plain(r.End), float64(notices)
		v["bulk_notices"], v["custom_lists"] = float64(len(r.BulkNotices)), float64(custom)
		ents := []any{}
		for i := range r.Entities.Entities {
			ents = append(ents, entityValues(r, &r.Entities.Entities[i], c.Version))
		}
		v["ents"] = ents
		return v
	}
}

func entityValues(r *plug.CPlugEntRecordDataRecords, e *plug.RecordedEntity, version uint32) any {
	samples := e.Entity.DecodedSamples()
	later := e.Entity.U02
	if version < 6 { // where the other implementation takes the earlier one
		later = e.Entity.U01
	}
	v := map[string]any{
		"type": plain(e.Entity.Type), "class": plain(r.EntRecordDescs[e.Entity.Type].ClassID), "u01": plain(e.Entity.U01),
		"u02": float64(e.Entity.Start), "u03": float64(e.Entity.End), "u04": plain(later),
		"samples": float64(len(samples)), "samples2": float64(len(e.Notices)),
	}
	if len(samples) == 0 {
		return v
	}
	h := sha256.New()
	for _, s := range samples {
		h.Write(s.Data)
	}
	last := len(samples) - 1
	v["data_sha256"], v["sample_size"] = hex.EncodeToString(h.Sum(nil)), float64(len(samples[0].Data))
	v["first_t"], v["last_t"] = float64(samples[0].Time), float64(samples[last].Time)
	if v["class"] != "0A018000" {
		return v
	}
	var box bounds
	top := 0.0
	for i, s := range samples {
		position, speed := carAt(s.Data)
		box.add([]gbx.Vec3{position})
		top = max(top, kilometresAnHour(speed))
		switch i {
		case 0:
			v["first_pos"] = plain(position)
		case last:
			v["last_pos"] = plain(position)
		}
	}
	v["pos_min"], v["pos_max"], v["max_speed_kmh"] = plain(box.min), plain(box.max), top
	return v
}

func kilometresAnHour(v gbx.Vec3) float64 {
	x, y, z := float64(v.X), float64(v.Y), float64(v.Z)
	return 3.6 * math.Sqrt(x*x+y*y+z*z)
}
