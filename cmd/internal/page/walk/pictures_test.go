package walk

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/nadeo/nadeotest/runsample"
)

// TestPictures takes the pictures of docs/explorer.md, if PAKBOX_SHOTS names a folder
// for them. They show the samples, and tracks and runs that are made here: nothing of
// other people.
func TestPictures(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "files")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	samples := filepath.Join("..", "..", "..", "..", "samples")
	for _, name := range []string{"Sample.Item.Gbx", "Sample.Mesh.Gbx", "Sample.Replay.Gbx"} {
		write(t, filepath.Join(dir, name), read(t, filepath.Join(samples, "trackmania", name)))
	}
	for _, name := range []string{"vehicle.Sample_Tram.pak", "tree.Sample_Fir.pak", "good.Sample_Parcels.pak"} {
		write(t, filepath.Join(dir, name), read(t, filepath.Join(samples, "simutrans", name)))
	}
	write(t, filepath.Join(dir, "hello.vpk"), read(t, filepath.Join(samples, "hello.vpk")))
	tracks := recipes(t)
	makeTrack(t, dir, "Sixty.Map.Gbx", "Sixty blocks", tracks["track"])
	makeTrack(t, dir, "Canal.Map.Gbx", "Sixty blocks, older", tracks["mp4"], "--game", "mp4", "--mood", "Sunset")
	forever := makeTrack(t, dir, "Forever.Challenge.Gbx", "Sixty blocks forever", tracks["tmf"], "--game", "tmf", "--mood", "Sunrise")
	for i := range 4 {
		driveTrack(t, filepath.Join(dir, fmt.Sprintf("run %d.Replay.Gbx", i+1)), forever, tracks["tmf"], i)
	}
	w := &trip{tab: open(t, served(t, "--index", indexed(t, dir), dir)), dir: dir, root: "files"}
	w.size(1280, "light")
	for _, picture := range []struct{ name, at, ready string }{
		{"map", w.at("Sixty.Map.Gbx", ""), `document.querySelector("main img, main svg") !== null`},
		{"collection", "#:collection", `document.querySelectorAll(".gallery .tile-link").length > 5`},
		{"3d", w.at("Sixty.Map.Gbx", "?tab=3d"), `Number(document.querySelector(".scene")?.dataset.frames) > 0`},
		{"runs", w.at("run 1.Replay.Gbx", "?tab=compare&with=run 2.Replay.Gbx%2Frun 3.Replay.Gbx%2Frun 4.Replay.Gbx"), `document.querySelector("#status").innerText.includes("4 runs")`},
		{"bytes", w.at("Sixty.Map.Gbx", "?tab=bytes"), `document.querySelector("main").innerText.includes("Spawn")`},
		{"mesh", w.at("Sample.Mesh.Gbx", ""), `Number(document.querySelector(".scene")?.dataset.frames) > 0`},
		{"objects", w.at("vehicle.Sample_Tram.pak", ""), `document.querySelector("main img, main canvas") !== null`},
	} {
		w.visit(picture.at)
		w.wait(picture.ready)
		if picture.name == "map" || picture.name == "collection" {
			w.pictures()
		}
		w.shoot(picture.name)
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// recipes are the tracks of sixty blocks that the script of 'map edit' builds, by name.
func recipes(t *testing.T) map[string]string {
	text := string(read(t, filepath.Join("..", "..", "..", "..", "cmd", "pakbox", "testdata", "script", "track.txtar")))
	found := map[string]string{}
	for _, part := range strings.Split(text, "\n-- ")[1:] {
		head, body, _ := strings.Cut(part, " --\n")
		found[strings.TrimSuffix(head, ".recipe")] = body
	}
	return found
}

// makeTrack makes a map by a recipe, with a thumbnail that pakbox draws, and returns its
// path.
func makeTrack(t *testing.T, dir, file, name, recipe string, flags ...string) string {
	t.Helper()
	path, scratch := filepath.Join(dir, file), t.TempDir()
	steps, drawn := filepath.Join(scratch, "track.recipe"), filepath.Join(scratch, "drawn.png")
	write(t, steps, []byte(recipe))
	for _, args := range [][]string{
		append([]string{"map", "create", "--name", name, path}, flags...),
		{"map", "edit", steps, path},
		{"map", "medals", path, "--author", "0:52.000", "--gold", "0:56.000", "--silver", "1:03.000", "--bronze", "1:18.000"},
		{"map", "picture", "--3d", path, "-o", drawn},
		{"map", "thumbnail", path, "--set", drawn},
	} {
		if out, err := exec.Command(program, append([]string{"-q"}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("pakbox %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	return path
}

// driveTrack writes a run over the blocks of a recipe. Each number drives a little
// differently.
func driveTrack(t *testing.T, path, mapFile, recipe string, number int) {
	t.Helper()
	way := wayOver(recipe)
	speed := func(driven float64) float64 {
		return math.Min(8+driven/4, 36+float64(number)+7*math.Sin(driven/(70+9*float64(number))))
	}
	driven := []float64{0} // every hundredth of a second
	for driven[len(driven)-1] < float64(len(way)-1) {
		d := driven[len(driven)-1]
		driven = append(driven, d+speed(d)/100)
	}
	finish := gbx.Time(len(driven)-1) * 10
	facts := printedJSON(t, "info", mapFile)
	uid, _ := facts["uid"].(string)
	run := &runsample.Run{
		Login: "pakbox", Nick: fmt.Sprintf("Driver %d", number+1),
		Map:      gbx.Ident{ID: gbx.NewID(uid), Collection: gbx.NewID("Stadium"), Author: gbx.NewID("pakbox")},
		Declared: finish, Splits: []gbx.Time{finish / 4 / 10 * 10, finish / 2 / 10 * 10, finish * 3 / 4 / 10 * 10, finish},
		Presses: []runsample.Press{{Time: 0, Control: runsample.Accelerate, Value: 1}},
		Car: func(seconds float64) runsample.Car {
			d := driven[min(int(seconds*100), len(driven)-1)]
			i := min(int(d), len(way)-2)
			x, z := way[i+1].x-way[i].x, way[i+1].z-way[i].z
			aside := float64(number-1) * 2.5 * math.Sin(d/80)
			return runsample.Car{Speed: speed(d), Heading: math.Atan2(x, z), Position: gbx.Vec3{
				X: float32(way[i].x + z*aside), Y: float32(way[i].y), Z: float32(way[i].z - x*aside),
			}}
		},
	}
	data, err := run.Replay(read(t, mapFile)).Encode()
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, data)
}

type place struct{ x, y, z float64 }

var straightBlock = regexp.MustCompile(`(?m)^place block=(\S+) at=(\d+),(\d+),(\d+) facing=(\w+)`)

// wayOver is the middle of the road over the blocks of a recipe, a place for each metre.
// Between straight blocks of two directions it is an arc.
func wayOver(recipe string) (way []place) {
	var last place
	var before string
	for _, m := range straightBlock.FindAllStringSubmatch(recipe, -1) {
		if strings.Contains(m[1], "Curve") || strings.Contains(m[1], "Slope") {
			continue
		}
		number := func(s string) float64 { n, _ := strconv.Atoi(s); return float64(n) }
		at := place{number(m[2])*32 + 16, number(m[3])*8 + 1, number(m[4])*32 + 16}
		if before != "" {
			corner := place{(last.x + at.x) / 2, 0, (last.z + at.z) / 2}
			switch northSouth := before == "north" || before == "south"; {
			case before != m[5] && northSouth:
				corner = place{last.x, 0, at.z}
			case before != m[5]:
				corner = place{at.x, 0, last.z}
			}
			steps := int(math.Hypot(corner.x-last.x, corner.z-last.z) + math.Hypot(at.x-corner.x, at.z-corner.z))
			for i := range steps {
				s := float64(i) / float64(steps)
				bend := func(a, b, c float64) float64 { return (1-s)*(1-s)*a + 2*s*(1-s)*b + s*s*c }
				way = append(way, place{bend(last.x, corner.x, at.x), last.y + s*(at.y-last.y), bend(last.z, corner.z, at.z)})
			}
		}
		last, before = at, m[5]
	}
	return way
}
