package object_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pakbox/internal/testkit/corpus"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// TestFieldsAgreeWithTheGame compares every field of every descriptor of
// pak64 with the values that the game itself logged for the same files. The test
// renders each descriptor as the game's log line and compares the lines.
func TestFieldsAgreeWithTheGame(t *testing.T) {
	log := readGameLog(t, filepath.Join(corpus.Dir(t, "simutrans"), "pak64-fields-as-the-game-reads-them.log"))
	compared := 0
	got := map[string]map[string][]string{}
	forAllNodes(t, corpus.Pak64(t), func(path string, n *node.Node) {
		d, err := object.Decode(n)
		if err != nil {
			t.Fatal(err)
		}
		reader, line := gameLine(n.Type, d)
		if reader == "" {
			return
		}
		if got[path] == nil {
			got[path] = map[string][]string{}
		}
		got[path][reader] = append(got[path][reader], line)
	})
	for path, readers := range got {
		for reader, lines := range readers {
			want := log[path][reader]
			for i, line := range lines {
				compared++
				if i >= len(want) {
					t.Errorf("%s: the game read only %d × %s", path, len(want), reader)
				} else if want[i] != line {
					t.Errorf("%s: the game read\n%s, not\n%s", path, want[i], line)
				}
			}
		}
	}
	if compared < 1500 {
		t.Errorf("only %d descriptors compared", compared)
	}
	t.Logf("%d descriptors agree with the game", compared)
}

// readGameLog returns the log's lines by file and reader.
func readGameLog(t *testing.T, path string) map[string]map[string][]string {
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	log := map[string]map[string][]string{}
	current, sound := "", ""
	for lines := bufio.NewScanner(file); lines.Scan(); {
		reader, text, _ := strings.Cut(strings.TrimPrefix(lines.Text(), "Message: "), "\t")
		reader, method, _ := strings.Cut(reader, "_reader_t::")
		switch {
		case strings.HasPrefix(text, "filename="):
			current = filepath.Base(strings.Trim(strings.TrimPrefix(text, "filename="), "'"))
			log[current] = map[string][]string{}
		case reader == "vehicle" && strings.HasPrefix(method, "register_obj"):
			// "old sound 5 to -1", "sound steam.wav to -1": the game
			// replaces sounds it does not have, so this is the value.
			sound = strings.TrimSuffix(text, " to -1")
		case strings.HasPrefix(method, "read_node"):
			if sound != "" {
				text, sound = strings.Replace(text, "sound=-1", sound, 1), ""
			}
			log[current][reader] = append(log[current][reader], asInFile(reader, strings.TrimSpace(text)))
		}
	}
	return log
}

// asInFile takes back what the game does to values after it has read them.
func asInFile(reader, line string) string {
	switch reader {
	case "building":
		// Bit 8 is the game's own note that there is a cursor.
		flags := regexp.MustCompile(`flags=(\d+)`)
		return flags.ReplaceAllStringFunc(line, func(s string) string {
			n, _ := strconv.Atoi(s[len("flags="):])
			return fmt.Sprintf("flags=%d", n&^8)
		})
	case "way":
		// Tram tracks become tracks of the system type tram.
		return strings.Replace(line, "wtype=2, styp=7", "wtype=7, styp=0", 1)
	}
	return line
}

// gameLines are the lines that the game's readers log, by type of node.
var gameLines = map[node.Type]struct{ reader, line string }{
	node.VHCL: {"vehicle", "version={version} way={waytype} capacity={capacity} price={price} topspeed={topspeed} weight={tons} axle_load={axle_load} power={power} running_cost={running_cost} fixed_cost={fixed_cost} {voice} prev={prev} next={next} loading_time={loading_time}date={intro:m} retire={retire:m} gear={gear} engine_type={engine_type} freigh_imgs={freight_image_types} len={length}"},
	node.BUIL: {"building", "version={version}, btyp={game_type}, type={building_type}, price={price}, maintenance={maintenance}, capacity={capacity}, level={level}, extra_data={extra_data}, size.x={size_x}, size.y={size_y}, layouts={layouts}, enables={enables:X}, flags={flags}, chance={chance}, climates={climates:X}, metro={allow_underground}, anim={animation_time}, intro={intro:m}, retire={retire:m},"},
	node.TILE: {"tile", "phases={phases}, index={index}, seasons={seasons}"},
	node.FACT: {"factory", "version={version}, place={placement}, productivity={productivity}, suppliers={suppliers}, products={products}, fields={fields}, range={range}, level={pax_level}Demands: pax={pax_demand} / mail={mail_demand} / electric={electric_demand},Boosts: pax={pax_boost} / mail={mail_boost} / electric={electric_boost},Expand: prob={expand_probability} / min={expand_minimum} / range={expand_range} / times={expand_times}chance={distribution_weight}, sound: id={sound} / interval={interval}, color={color}"},
	node.GOOD: {"goods", "version={version}, value={value}, catg={category}, bonus={speed_bonus}, weight={weight_per_unit}, color={color}"},
	node.BRDG: {"bridge", "version={version}, waytype={waytype}, price={price}, maintenance={maintenance}, topspeed={topspeed}, axle_load={axle_load}, max_length={max_length}, max_height={height}, pillars={pillars_every}, asymmetric={pillar_asymmetric}, seasons={seasons}, intro={intro:m}, retire={retire:m}"},
	node.WAY:  {"way", "version={version}, price={price}, maintenance={maintenance}, topspeed={topspeed}, max_weight={max_weight}, wtype={waytype}, styp={system_type}, intro={intro:m}, retire={retire:m}, axle_load={axle_load}, ding={draw_as_object}, seasons={seasons}"},
	node.WYOB: {"way_obj", "version={version} price={price} maintenance={maintenance} topspeed={topspeed} wtype={waytype} own_wtype={own_waytype} intro={intro:m}, retire={retire:m}"},
	node.TUNL: {"tunnel", "version={version}, waytype={waytype}, price={price}, maintenance={maintenance}, topspeed={topspeed}, intro={intro:m}, retire={retire:m}, axle_load={axle_load}, has_way={has_way}, seasons={seasons}, b_portals={broad_portals}"},
	node.SIGN: {"roadsign", "version={version}, min_speed={game_speed}, price={credits}, flags={flags:x}, wtyp={waytype}, offset_left={offset_left}, intro={intro:m}, retire={retire:m}"},
	node.CRSS: {"crossing", "version={version}, waytype1={waytype_1}, waytype2={waytype_2}, topspeed1={topspeed_1}, topspeed2={topspeed_2}, open_time={open_animation_time}, close_time={closed_animation_time}, sound={found_sound}"},
	node.FSUP: {"factory_product", "version={version}, capacity={capacity}, count={count}, consumption={consumption}"},
	node.FPRO: {"factory_product", "version={version}, capacity={capacity}, factor={factor:x}"},
	node.GOBJ: {"groundobj", "version={version}, climates=${climates:X}, seasons={seasons}, chance={distribution_weight}, speed={topspeed}, ways={waytype}, cost={price}, trees_on_top={trees_on_top}"},
	node.TREE: {"tree", "version={version}, climates=${climates:X}, seasons={seasons}, chance={distribution_weight} (node.size=6)"},
	node.CCAR: {"citycar", "version={version}, speed={speed}, chance={distribution_weight}, intro={intro:m}, retire={retire:m}"},
	node.PASS: {"pedestrian", "version={version}, chance={distribution_weight}"},
}

var placeholder = regexp.MustCompile(`\{(\w+)(?::(\w))?\}`)

// gameLine renders a body as the game's reader logs it.
func gameLine(t node.Type, d *object.Body) (reader, line string) {
	form := gameLines[t]
	return form.reader, placeholder.ReplaceAllStringFunc(form.line, func(s string) string {
		m := placeholder.FindStringSubmatch(s)
		v := d.Int(m[1])
		switch m[2] {
		case "m":
			return fmt.Sprintf("%d/%d", v%12+1, v/12)
		case "x":
			return fmt.Sprintf("%x", v)
		case "X":
			return fmt.Sprintf("%X", v)
		}
		if text, ok := madeByTheGame(m[1], d); ok {
			return text
		}
		return strconv.FormatInt(v, 10)
	})
}

// madeByTheGame are the values that the game logs in other units.
func madeByTheGame(name string, d *object.Body) (text string, ok bool) {
	v := int64(0)
	switch name {
	case "version":
		v = int64(d.Version.Standard)
	case "tons":
		v = d.Int("weight") / 1000
	case "interval":
		v = int64(int32(d.Int("sound_interval")))
	case "game_speed":
		v = d.Int("min_speed") * 1024 / 80
	case "credits":
		v = d.Int("price") / 100
	case "speed":
		v = d.Int("topspeed") / 16
	case "found_sound":
		v = max(d.Int("sound"), -1) // a sound that has a file is not found
	case "height":
		if v = d.Int("max_height"); v == 0 && d.Int("pillars_every") > 0 {
			v = 7 // what the game makes of pillars without a limit
		}
	case "voice":
		switch f, named := d.Field("sound_file"); {
		case named:
			return "sound " + f.Text, true
		case d.Int("sound") >= 0:
			return fmt.Sprintf("old sound %d", d.Int("sound")), true
		}
		return fmt.Sprintf("sound=%d", d.Int("sound")), true
	default:
		return "", false
	}
	return strconv.FormatInt(v, 10), true
}
