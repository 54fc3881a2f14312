package check_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/finding"
	"pakbox/internal/testkit/corpus"
	"pakbox/simutrans/check"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

func load(t *testing.T, paths ...string) *check.Set {
	t.Helper()
	set, err := check.Load(context.Background(), paths, nil)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// The twelve references of pak64 that lead nowhere are known: eleven to
// smoke that is not smoke and one to a locomotive without its article.
func TestDanglingReferencesOfPak64(t *testing.T) {
	var smoke, vehicles int
	for _, f := range load(t, corpus.Pak64(t)).Run(nil) {
		if f.Rule != "dangling" {
			continue
		}
		switch {
		case strings.Contains(f.Message, "the smoke"):
			smoke++
		case strings.Contains(f.Message, `the vehicle "General"`):
			vehicles++
		default:
			t.Errorf("unexpected finding %v", f)
		}
	}
	if smoke != 11 || vehicles != 1 {
		t.Errorf("%d to smoke, %d to vehicles", smoke, vehicles)
	}
}

// sources compiles a pakset that breaks every rule once.
const sources = `obj=good
name=Coal
catg=0
---
obj=good
name=None
---
obj=vehicle
name=Engine
waytype=track
intro_year=1950
retire_year=1940
freight=None
smoke=steam
constraint[next][0]=Tender
emptyimage[s]=-
emptyimage[w]=-
emptyimage[sw]=sheet.0.0
emptyimage[se]=sheet.0.0
---
obj=vehicle
name=Tender
waytype=track
freight=Coall
constraint[prev][0]=Locomotive
---
obj=vehicle
name=Locomotive
waytype=track
constraint[next][0]=any
---
obj=smoke
name=Steam
---
obj=building
name=Hut
type=res
dims=2,1,1
backimage[0][0][0][0][0][0]=sheet.0.0
backimage[0][0][0][0][0][1]=sheet.0.0
backimage[0][0][1][0][0][0]=sheet.0.0,40,0
---
obj=building
name=hut
type=res
---
obj=ground
name=Outside
image[0][0]=sheet.0.0
---
`

func TestEveryRuleFindsItsFault(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "set.dat"), sources)
	writePNG(t, filepath.Join(dir, "sheet.png"))
	out := filepath.Join(dir, "pak") + "/"
	result, err := compile.Run(context.Background(), compile.Options{Sources: []string{filepath.Join(dir, "set.dat")}, Out: out})
	if err != nil || result.Failed() {
		t.Fatalf("err = %v, result.Problems = %v; want no error, result.Failed() = false", err, result.Problems)
	}
	data, err := node.New(&node.Node{Type: node.SMOK, Children: []*node.Node{node.NewText("Steam"), node.NewText("other")}}).Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "pak", "zzz.pak"), string(data))
	writeFile(t, filepath.Join(dir, "pak", "broken.pak"), "Simutrans object file\n\x1a\xeb\x03\x00\x00")

	var got []string
	for _, f := range load(t, out).Run(nil) {
		got = append(got, strings.TrimPrefix(f.String(), out))
	}
	want := `broken.pak: error: broken: root at 0x1b: the file ends after its header; the compiler stopped before the first node (compile it again)
building.Hut.pak: note: outside: 1 images reach out of the cell of 64 pixels, the first is backimage[0][0][1][0][0][0]
building.Hut.pak: warning: seasons: tile 1 has no image in season 1 (give every tile an image in every season)
building.hut.pak: warning: case: its name differs only in case from Hut in ` + out + `building.Hut.pak
building.hut.pak: warning: no_image: it has no image, so it is invisible (set backimage[0][0][0][0][0])
good.Coal.pak: note: goods: no factory makes it
good.Coal.pak: note: goods: no factory needs it
good.Coal.pak: warning: goods: no vehicle carries it
vehicle.Engine.pak: warning: dangling: it wants the smoke "steam", which is not there (there is Steam)
vehicle.Engine.pak: warning: coupling: Tender may follow it, but not the other way round (add constraint[prev] to Tender)
vehicle.Engine.pak: warning: dates: it is introduced in 1950-01 and retires in 1940-01, so it is never available (set retire_year behind intro_year)
vehicle.Engine.pak: warning: directions: 2 of 4 directions have no image, so it is invisible there (give an image for every direction)
vehicle.Locomotive.pak: warning: directions: it has no image, so it is invisible (set emptyimage for every direction)
vehicle.Tender.pak: error: dangling: it needs the good "Coall", which is not there (did you mean Coal?)
vehicle.Tender.pak: warning: directions: it has no image, so it is invisible (set emptyimage for every direction)
zzz.pak: warning: duplicate: there is another one in ` + out + `smoke.Steam.pak (keep one of them)`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}

func TestConfig(t *testing.T) {
	config, err := check.ParseConfig(strings.NewReader("# quiet\n* * off\ndangling vehicle.The* error # loud\n"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"The One", "Another"} {
		x := node.NewXref(node.Xref{Type: node.SMOK, Name: "gone"})
		data, _ := node.New(&node.Node{Type: node.VHCL, Children: []*node.Node{node.NewText(name), node.NewText(""), x}}).Append(nil)
		writeFile(t, filepath.Join(dir, name+".pak"), string(data))
	}
	set := load(t, dir)
	if findings := set.Run(config); len(findings) != 1 || finding.Worst(findings) != finding.Error || findings[0].Entry != "vehicle.The One" {
		t.Errorf(`findings = %v; want findings of length 1, finding.Worst(findings) = finding.Error, findings[0].Entry = "vehicle.The One"`, findings)
	}
	for _, bad := range []string{"dangling *", "nothing * off", "case * loud", "case [ off"} {
		if _, err := check.ParseConfig(strings.NewReader(bad)); err == nil {
			t.Errorf("%q is not an error", bad)
		}
	}
}

// An upgrade of a vehicle of Extended does not count as a coupling.
func TestUpgradesAreNoCouplings(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "set.dat"), `obj=vehicle
name=Old
waytype=road
upgrade[0]=New
---
obj=vehicle
name=New
waytype=road
constraint[prev][0]=Another
---
obj=vehicle
name=Another
waytype=road
constraint[next][0]=New
`)
	out := filepath.Join(dir, "pak") + "/"
	result, err := compile.Run(context.Background(), compile.Options{Sources: []string{filepath.Join(dir, "set.dat")}, Out: out, Target: object.Extended})
	if err != nil || result.Failed() {
		t.Fatalf("err = %v, result.Problems = %v; want no error, result.Failed() = false", err, result.Problems)
	}
	for _, f := range load(t, out).Run(nil) {
		if f.Rule == "coupling" {
			t.Errorf(`f = %v; want f.Rule other than "coupling"`, f)
		}
	}
}
