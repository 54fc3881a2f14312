package desc_test

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
	"pakbox/simutrans/desc"
	"pakbox/simutrans/node"
)

// TestFieldsAgreeWithTheGame compares every field of every descriptor of
// pak64 with what the game itself said it read from the same files. The test
// renders each descriptor as the game's log line and compares the lines.
func TestFieldsAgreeWithTheGame(t *testing.T) {
	log := readGameLog(t, filepath.Join(corpus.Dir(t, "simutrans"), "pak64-fields-as-the-game-reads-them.log"))
	compared := 0
	got := map[string]map[string][]string{}
	forAllNodes(t, corpus.Pak64(t), func(path string, n *node.Node) {
		d, err := desc.Decode(n)
		if err != nil {
			t.Fatal(err)
		}
		reader, line := gameLine(d)
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

func month(d desc.Date) string { return fmt.Sprintf("%d/%d", d.Month(), d.Year()) }

// gameLine renders a descriptor as the game's reader logs it.
func gameLine(d desc.Descriptor) (reader, line string) {
	switch d := d.(type) {
	case *desc.Vehicle:
		sound := fmt.Sprintf("sound=%d", d.Sound.ID)
		if d.Sound.ID >= 0 {
			sound = fmt.Sprintf("old sound %d", d.Sound.ID)
		} else if d.Sound.File != "" {
			sound = "sound " + d.Sound.File
		}
		return "vehicle", fmt.Sprintf("version=%d way=%d capacity=%d price=%d topspeed=%d weight=%d axle_load=%d power=%d running_cost=%d fixed_cost=%d %s prev=%d next=%d loading_time=%ddate=%s retire=%s gear=%d engine_type=%d freigh_imgs=%d len=%d",
			d.Version.Standard, int(d.Waytype), d.Capacity, d.Price, d.TopSpeed, d.WeightKilos/1000, d.AxleLoad, d.Power, d.RunningCost, d.FixedCost, sound, d.Prev, d.Next, d.LoadingTime, month(d.Intro), month(d.Retire), d.Gear, int(d.Engine), d.FreightImageTypes, d.Length)
	case *desc.Building:
		return "building", fmt.Sprintf("version=%d, btyp=%d, type=%d, price=%d, maintenance=%d, capacity=%d, level=%d, extra_data=%d, size.x=%d, size.y=%d, layouts=%d, enables=%X, flags=%d, chance=%d, climates=%X, metro=%d, anim=%d, intro=%s, retire=%s,",
			d.Version.Standard, d.GameType, int(d.Type), d.Price, d.Maintenance, d.Capacity, d.Level, d.Extra, d.SizeX, d.SizeY, d.Layouts, int(d.Enables), d.Flags, d.Chance, int(d.Climates), d.Underground, d.AnimationTime, month(d.Intro), month(d.Retire))
	case *desc.Tile:
		return "tile", fmt.Sprintf("phases=%d, index=%d, seasons=%d", d.Phases, d.Index, d.Seasons)
	case *desc.Factory:
		return "factory", fmt.Sprintf("version=%d, place=%d, productivity=%d, suppliers=%d, products=%d, fields=%d, range=%d, level=%dDemands: pax=%d / mail=%d / electric=%d,Boosts: pax=%d / mail=%d / electric=%d,Expand: prob=%d / min=%d / range=%d / times=%dchance=%d, sound: id=%d / interval=%d, color=%d",
			d.Version.Standard, int(d.Placement), d.Productivity, d.Suppliers, d.Products, d.Fields, d.Range, d.PaxLevel, d.PaxDemand, d.MailDemand, d.ElectricDemand, d.PaxBoost, d.MailBoost, d.ElectricBoost, d.ExpandProbability, d.ExpandMinimum, d.ExpandRange, d.ExpandTimes, d.Weight, d.Sound.ID, int32(d.SoundInterval), d.Color)
	case *desc.Good:
		return "goods", fmt.Sprintf("version=%d, value=%d, catg=%d, bonus=%d, weight=%d, color=%d", d.Version.Standard, d.Value, d.Category, d.SpeedBonus, d.Weight, d.Color)
	case *desc.Bridge:
		height := d.MaxHeight
		if height == 0 && d.PillarsEvery > 0 {
			height = 7 // what the game makes of pillars without a limit
		}
		return "bridge", fmt.Sprintf("version=%d, waytype=%d, price=%d, maintenance=%d, topspeed=%d, axle_load=%d, max_length=%d, max_height=%d, pillars=%d, asymmetric=%d, seasons=%d, intro=%s, retire=%s",
			d.Version.Standard, int(d.Waytype), d.Price, d.Maintenance, d.TopSpeed, d.AxleLoad, d.MaxLength, height, d.PillarsEvery, d.Asymmetric, d.Seasons, month(d.Intro), month(d.Retire))
	case *desc.Way:
		return "way", fmt.Sprintf("version=%d, price=%d, maintenance=%d, topspeed=%d, max_weight=%d, wtype=%d, styp=%d, intro=%s, retire=%s, axle_load=%d, ding=%d, seasons=%d",
			d.Version.Standard, d.Price, d.Maintenance, d.TopSpeed, d.MaxWeight, int(d.Waytype), d.SystemType, month(d.Intro), month(d.Retire), d.AxleLoad, d.DrawAsObject, d.Seasons)
	case *desc.WayObject:
		return "way_obj", fmt.Sprintf("version=%d price=%d maintenance=%d topspeed=%d wtype=%d own_wtype=%d intro=%s, retire=%s",
			d.Version.Standard, d.Price, d.Maintenance, d.TopSpeed, int(d.Waytype), int(d.OwnWaytype), month(d.Intro), month(d.Retire))
	case *desc.Tunnel:
		return "tunnel", fmt.Sprintf("version=%d, waytype=%d, price=%d, maintenance=%d, topspeed=%d, intro=%s, retire=%s, axle_load=%d, has_way=%d, seasons=%d, b_portals=%d",
			d.Version.Standard, int(d.Waytype), d.Price, d.Maintenance, d.TopSpeed, month(d.Intro), month(d.Retire), d.AxleLoad, d.HasWay, d.Seasons, d.BroadPortals)
	case *desc.Sign:
		return "roadsign", fmt.Sprintf("version=%d, min_speed=%d, price=%d, flags=%x, wtyp=%d, offset_left=%d, intro=%s, retire=%s",
			d.Version.Standard, d.MinSpeed*1024/80, d.Price/100, int(d.Flags), int(d.Waytype), d.OffsetLeft, month(d.Intro), month(d.Retire))
	case *desc.Crossing:
		sound := d.Sound.ID
		if sound == desc.NamedSound {
			sound = desc.NoSound // a sound the game did not find
		}
		return "crossing", fmt.Sprintf("version=%d, waytype1=%d, waytype2=%d, topspeed1=%d, topspeed2=%d, open_time=%d, close_time=%d, sound=%d",
			d.Version.Standard, int(d.Waytype1), int(d.Waytype2), d.TopSpeed1, d.TopSpeed2, d.OpenTime, d.ClosedTime, sound)
	}
	return gameLineSmall(d)
}

func gameLineSmall(d desc.Descriptor) (reader, line string) {
	switch d := d.(type) {
	case *desc.Supplier:
		return "factory_product", fmt.Sprintf("version=0, capacity=%d, count=%d, consumption=%d", d.Capacity, d.Count, d.Consumption)
	case *desc.Product:
		return "factory_product", fmt.Sprintf("version=%d, capacity=%d, factor=%x", d.Version.Standard, d.Capacity, int(d.Factor))
	case *desc.GroundObject:
		return "groundobj", fmt.Sprintf("version=%d, climates=$%X, seasons=%d, chance=%d, speed=%d, ways=%d, cost=%d, trees_on_top=%d",
			d.Version.Standard, int(d.Climates), d.Seasons, d.Weight, d.Speed, int(d.Waytype), d.Price, d.TreesOnTop)
	case *desc.Tree:
		return "tree", fmt.Sprintf("version=%d, climates=$%X, seasons=%d, chance=%d (node.size=6)", d.Version.Standard, int(d.Climates), d.Seasons, d.Weight)
	case *desc.CityCar:
		return "citycar", fmt.Sprintf("version=%d, speed=%d, chance=%d, intro=%s, retire=%s", d.Version.Standard, d.TopSpeed/16, d.Weight, month(d.Intro), month(d.Retire))
	case *desc.Pedestrian:
		return "pedestrian", fmt.Sprintf("version=%d, chance=%d", d.Version.Standard, d.Weight)
	}
	return "", ""
}
