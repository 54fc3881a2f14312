package engine_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/script"
)

var (
	mapParams  = body("ChallengeParameters", 0x03043011)
	descOf     = head("Version", 0x03043002)
	commonOf   = head("Version", 0x03043003)
	bodyInfo   = body("MapInfo", 0x0304301F, 0x03043013, 0x0304300F)
	headerInfo = first(head("MapInfo", 0x03043003), head("MapInfo", 0x03043002))
	mapInfo    = first(bodyInfo, headerInfo)
)

// desc is a value of the description in the header, from a version on.
func desc(field string, version int) value { return from(version, head(field, 0x03043002), descOf) }

// common is a value of the common part of the header, from a version on.
func common(field string, version int) value { return from(version, head(field, 0x03043003), commonOf) }

// medal is a medal's time: the last place that gives it counts.
func medal(field string) value {
	return first(in(mapParams, body(field, 0x0305B00A, 0x0305B004)), desc(field, 1))
}

var mapValues = table{
	"name":         first(body("MapName", 0x0304301F, 0x03043013, 0x03043012), head("MapName", 0x03043003)),
	"uid":          part(mapInfo, "ID"),
	"author_ident": part(mapInfo, "Author"),
	"author_login": first(body("AuthorLogin", 0x03043042), head("AuthorLogin", 0x03043008), part(mapInfo, "Author")),
	"author_nick":  first(body("AuthorNick", 0x03043042), head("AuthorNick", 0x03043008)),
	"author_zone":  first(body("AuthorZone", 0x03043042), head("AuthorZone", 0x03043008)),
	"collection":   func(s source) any { return collection(mapInfo(s).(gbx.Ident).Collection) },
	"decoration":   first(body("Decoration", 0x0304301F, 0x03043013, 0x0304300F), common("Decoration", 2)),

	"header.v002":          descOf,
	"header.v003":          commonOf,
	"header.name":          head("MapName", 0x03043003),
	"header.uid":           part(headerInfo, "ID"),
	"header.kind.v":        head("Kind", 0x03043003),
	"header.bronze":        desc("BronzeTime", 1),
	"header.silver":        desc("SilverTime", 1),
	"header.gold":          desc("GoldTime", 1),
	"header.author":        desc("AuthorTime", 1),
	"header.cost":          desc("Cost", 4),
	"header.is_lap_race":   desc("IsLapRace", 5),
	"header.mode.v":        desc("Mode", 7),
	"header.author_score":  signed(desc("AuthorScore", 10)),
	"header.checkpoints":   desc("NbCheckpoints", 13),
	"header.laps":          desc("NbLaps", 13),
	"header.map_type":      common("MapType", 6),
	"header.map_style":     common("MapStyle", 6),
	"header.title":         common("TitleID", 11),
	"header.comments":      from(1, head("Comments", 0x03043007), head("Version", 0x03043007)),
	"header.thumb_version": head("Version", 0x03043007),
	"header.xml_len":       textLen(head("XML", 0x03043005)),
	"thumbnail":            from(1, head("Thumbnail", 0x03043007), head("Version", 0x03043007)),

	"size":                body("Size", 0x0304301F, 0x03043013, 0x0304300F),
	"bronze":              medal("BronzeTime"),
	"silver":              medal("SilverTime"),
	"gold":                medal("GoldTime"),
	"author":              medal("AuthorTime"),
	"medals_from":         medalsFrom,
	"params.tip":          in(mapParams, first(body("Tip", 0x0305B00A), tip)),
	"params.author_score": signed(in(mapParams, body("AuthorScore", 0x0305B00A, 0x0305B008))),
	"params.time_limit":   in(mapParams, body("TimeLimit", 0x0305B00A, 0x0305B008)),
	"params.map_type":     in(mapParams, body("MapType", 0x0305B00E)),
	"params.map_style":    in(mapParams, body("MapStyle", 0x0305B00E)),
	"params.chunks":       in(mapParams, chunkIDs),
	"is_lap_race":         first(body("IsLapRace", 0x03043018), desc("IsLapRace", 5)),
	"laps":                first(body("NbLaps", 0x03043018), desc("NbLaps", 13)),
	"nb_checkpoints":      desc("NbCheckpoints", 13),
	"checkpoint_coords":   count(body("Checkpoints", 0x03043017)),
	"map_type":            first(in(mapParams, body("MapType", 0x0305B00E)), common("MapType", 6)),
	"map_style":           first(in(mapParams, body("MapStyle", 0x0305B00E)), common("MapStyle", 6)),
	"title_id":            first(body("TitleID", 0x03043051), common("TitleID", 11)),
	"build":               body("BuildVersion", 0x03043051),
	"kind.v":              body("Kind", 0x03043011),
	"player_model":        body("PlayerModel", 0x0304300D),
	"need_unlock":         body("NeedUnlock", 0x0304301F, 0x03043013, 0x0304300F),

	"blocks":               placedBlocks,
	"blocks_chunk":         blocksChunk,
	"blocks_version":       body("Version", 0x0304301F),
	"baked":                bakedBlocks,
	"baked_blocks_version": body("BlocksVersion", 0x03043048),
	"baked_clips":          count(body("BakedClips", 0x03043048)),
	"items":                mapItems,
	"macroblock_instances": count(body("Macroblocks", 0x03043069)),
	"embedded":             embeddedFiles,
	"comments":             first(body("Comments", 0x0304302D, 0x03043036, 0x03043028), from(1, head("Comments", 0x03043007), head("Version", 0x03043007))),
	"password_hash":        body("PasswordHash", 0x03043029),
	"crc32":                hexWord(body("CRC32", 0x03043029)),
	"password_legacy":      first(body("Password", 0x03043014), common("Password", 1)),
	"metadata":             metadata,
	"clips.intro":          clip(body("ClipIntro", 0x03043049, 0x03043021, 0x03043020)),
	"clips.podium":         clip(body("ClipPodium", 0x03043049)),
	"clips.ambiance":       clip(body("ClipAmbiance", 0x03043049)),
	"clips.global":         clip(body("ClipGlobal", 0x03043026)),
	"clips.ingame":         clipGroup(body("ClipGroupInGame", 0x03043049, 0x03043021, 0x03043020)),
	"clips.endrace":        clipGroup(body("ClipGroupEndRace", 0x03043049, 0x03043021, 0x03043020)),
	"mod":                  body("ModPackDesc", 0x03043019),
	"music":                body("CustomMusicPackDesc", 0x03043024),
	"block_stock":          in(body("BlockStock", 0x03043011), count(body("Collectors", 0x0301B000))),
	"offzones":             count(body("Offzones", 0x03043050)),
	"bot_paths":            count(body("BotPaths", 0x03043053)),
	"map_coord_origin":     body("MapCoordOrigin", 0x03043025, 0x03043023),
	"genealogy":            genealogies,
	"lightmap":             lightmap,
	"body_chunks":          chunkIDs,
	"nodes":                func(s source) any { return s.file.NumNodes },

	"independent.blocks":         countedBlocks,
	"independent.blocks_version": body("Version", 0x0304301F),
	"independent.kind":           body("Kind", 0x03043011),
	"independent.size":           body("Size", 0x0304301F),
	"independent.medals_bsga": func(s source) any {
		return []any{plain(medal("BronzeTime")(s)), plain(medal("SilverTime")(s)), plain(medal("GoldTime")(s)), plain(medal("AuthorTime")(s))}
	},
}

func genealogies(s source) any {
	c, ok := gbx.Find[*game.Chunk03043043](s.node)
	if !ok {
		return absent
	}
	return float64(c.ZoneGenealogies.Len())
}

// mapFile compares a map, of its own file or inside a replay.
func (o *oracle) mapFile(where, key string, want map[string]any, s source) {
	rest := map[string]any{}
	for k, v := range want {
		if ghost, ok := v.(map[string]any); ok && k == "validation_ghost" {
			ref := first(in(mapParams, body("RaceValidateGhost", 0x0305B00D, 0x0305B00F)))(s)
			o.ghost(where, key+k+".", ghost, source{s.file, follow(ref), s.size})
			continue
		}
		rest[k] = v
	}
	if want["unlimiter"] == true {
		delete(rest, "blocks") // replaced by those of a chunk of another program
		delete(rest, "unlimiter")
	}
	o.object(where, key, rest, mapValues, "", s)
}

func medalsFrom(s source) any {
	if in(mapParams, body("BronzeTime", 0x0305B00A, 0x0305B004))(s) != absent {
		return "0305B"
	}
	return "header"
}

// tip is the only text of a map's older parameters that maps use.
func tip(s source) any { return body("Tip1", 0x0305B001)(s) }

func hexWord(v value) value {
	return func(s source) any {
		if w, ok := v(s).(uint32); ok {
			return fmt.Sprintf("%08X", w)
		}
		return absent
	}
}

func mapItems(s source) any {
	c, ok := gbx.Find[*game.Chunk03043040](s.node)
	if !ok {
		return absent
	}
	h := sha256.New()
	models := map[string]bool{}
	var x, y, z float64
	waypoints := 0
	var firstItem, version any
	for i, r := range c.Items {
		a, ok := gbx.Find[*game.Chunk03101002](r.Node)
		if !ok {
			return absent
		}
		p, q := a.AbsolutePositionInMap, a.YawPitchRoll
		fmt.Fprint(h, a.ItemModel.ID.String())
		for _, f := range []float32{p.X, p.Y, p.Z, q.X, q.Y, q.Z} {
			fmt.Fprintf(h, "\t%08X", math.Float32bits(f))
		}
		fmt.Fprintln(h)
		models[a.ItemModel.ID.String()] = true
		x, y, z = x+float64(p.X), y+float64(p.Y), z+float64(p.Z)
		waypoints += truth(a.Waypoint.Node != nil)
		if i == 0 {
			version = float64(a.Version)
			firstItem = map[string]any{
				"model": plain(a.ItemModel), "pos": plain(p), "yaw_pitch_roll": plain(q),
				"pivot": plain(a.PivotPosition), "scale": plain(a.Scale),
			}
		}
	}
	return map[string]any{
		"count": float64(len(c.Items)), "distinct_models": float64(len(models)), "pos_sum": []any{x, y, z},
		"waypoints": float64(waypoints), "sha256": hex.EncodeToString(h.Sum(nil)), "first": firstItem, "v03101002": version,
		"snapped_on_block": snapped(c, c.SnappedBlocks), "snapped_on_item": snapped(c, c.SnappedItems),
		"placed_on_item": placedOnItem(c),
	}
}

// snapped counts the items that are fixed to something of a list.
func snapped(c *game.Chunk03043040, list []int32) any {
	n := 0
	for _, i := range c.ItemSnapIndexes {
		if i >= 0 && int(i) < len(list) && list[i] >= 0 {
			n++
		}
	}
	return float64(n)
}

func placedOnItem(c *game.Chunk03043040) any {
	on := map[int32]bool{}
	for _, p := range c.ConnectedItemPairs {
		on[p.Y] = true
	}
	return float64(len(on))
}

func embeddedFiles(s source) any {
	c, ok := gbx.Find[*game.Chunk03043054](s.node)
	if !ok {
		return absent
	}
	v := map[string]any{
		"expected_count": float64(len(c.EmbeddedItemModels)), "expected": plain(c.EmbeddedItemModels),
		"textures": float64(len(c.Textures)), "zip": nil,
	}
	if len(c.EmbeddedZip) == 0 {
		return v
	}
	v["zip"] = plain(c.EmbeddedZip)
	if z, err := zip.NewReader(bytes.NewReader(c.EmbeddedZip), int64(len(c.EmbeddedZip))); err == nil {
		names, sizes := []any{}, []any{}
		for _, f := range z.File {
			names = append(names, f.Name)
			sizes = append(sizes, float64(f.UncompressedSize64))
		}
		v["entries"], v["entry_sizes"] = names, sizes
	}
	return v
}

// metadata is what scripts stored in the map.
func metadata(s source) any {
	c, ok := gbx.Find[*game.Chunk03043044](s.node)
	if !ok {
		return absent
	}
	t, ok := gbx.Find[*script.Chunk11002000](c.ScriptMetadata.Node)
	if !ok {
		return absent
	}
	traits := []any{}
	for i := range t.Traits.Traits {
		trait := &t.Traits.Traits[i]
		traits = append(traits, map[string]any{
			"name": trait.Name, "type": typeName(trait.Type), "value": scriptValue(trait.Type, &trait.Value),
		})
	}
	return map[string]any{"version": float64(t.Version), "count": float64(len(traits)), "traits": traits}
}

var kindNames = []string{
	"Void", "Boolean", "Integer", "Real", "Class", "Text", "Enum", "Array", "ParamArray", "Vec2", "Vec3", "Int3", "Iso4", "Ident", "Int2", "Struct",
}

func typeName(t *script.Type) string {
	switch {
	case t.Kind == script.Array && t.Key.Kind == script.Void:
		return typeName(t.Value) + "[]"
	case t.Kind == script.Array:
		return typeName(t.Value) + "[" + typeName(t.Key) + "]"
	case t.Kind == script.Struct:
		return t.Name
	}
	return kindNames[t.Kind]
}

func scriptValue(t *script.Type, v *script.Value) any {
	switch t.Kind {
	case script.Boolean:
		return v.Bool != 0
	case script.Integer:
		return float64(v.Int)
	case script.Real:
		return float64(v.Real)
	case script.Text:
		return v.Text
	case script.Vec2:
		return plain(v.Vec2)
	case script.Vec3:
		return plain(v.Vec3)
	case script.Int3:
		return plain(v.Int3)
	case script.Array:
		out := map[string]any{"count": float64(len(v.Pairs)), "first": nil}
		if len(v.Pairs) > 0 {
			out["first"] = scriptValue(t.Value, &v.Pairs[0].Value)
		}
		return out
	}
	return absent
}

// lightmap sums up the lightmap.
func lightmap(s source) any {
	has := false
	var l *game.CGameCtnChallengeLightmaps
	if c, ok := gbx.Find[*game.Chunk0304305B](s.node); ok {
		has, l = c.HasLightmaps.True(), &c.Lightmaps
	} else if c, ok := gbx.Find[*game.Chunk0304303D](s.node); ok {
		has, l = c.HasLightmaps.True(), &c.Lightmaps
	} else {
		return absent
	}
	v := map[string]any{"has": has}
	if !has {
		return v
	}
	frames := l.Frames
	if l.Version < 5 {
		frames = []game.CGameCtnChallengeLightmapFrame{l.Frame}
	}
	sizes := []any{}
	for _, f := range frames {
		pictures := []any{float64(len(f.Image1)), float64(len(f.Image2)), float64(len(f.Image3))}
		if l.Version < 6 {
			pictures[2] = nil
		}
		sizes = append(sizes, pictures...)
	}
	v["version"], v["frames"], v["frame_bytes"] = float64(l.Version), float64(len(frames)), sizes
	v["cache_usize"], v["cache_parse"] = nil, nil
	if len(l.Cache.Stored) == 0 {
		return v
	}
	v["cache_usize"], v["cache_parse"] = float64(l.Cache.Size), "ok"
	if _, err := l.Cache.Content(); err != nil {
		v["cache_parse"] = err.Error()
	}
	return v
}
