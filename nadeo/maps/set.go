package maps

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/internal/lib/spell"
	"pakbox/internal/lib/styled"
	"pakbox/nadeo"
	"pakbox/nadeo/internal/places"
)

// Functions that set facts. They write to every place of the file that states the fact,
// and leave a place that already has the value as it is.

// wrote returns an error if the file has no place for a fact.
func (m *Map) wrote(what string, n int) error {
	if n == 0 {
		return fault.New(fault.Unsupported, "the %s cannot be set: maps of this game do not store it", what)
	}
	return nil
}

// needs returns the error for a fact that means nothing without another one.
func needs(name, other string) error {
	return fault.Usagef("%s means nothing on a map without %s", name, other).Hint("set %s first", other)
}

// unknown returns the error for a value that no game knows.
func unknown(what, value string, known []string) error {
	u := fault.Usagef("unknown %s %q", what, value)
	if near := spell.Near(value, known, 3); len(near) > 0 {
		return u.Hint("did you mean %s?", strings.Join(near, ", "))
	}
	return u.Hint("known are %s", strings.Join(known, ", "))
}

// checkText rejects texts that games cannot store. A comment may have several lines.
func checkText(text string) error {
	if !utf8.ValidString(text) {
		return fault.New(fault.Unsupported, "the text %q is not UTF-8", text)
	}
	return nil
}

// setText makes the function that sets a text. check may reject a new value.
func setText(of *places.Fact[string], check func(m *Map, text string) error) func(*Map, string) error {
	return func(m *Map, text string) error {
		if err := nadeo.CheckName(text); err != nil {
			return err
		}
		if check != nil && styled.Unmarked(of.Read(m.site())) != text {
			if err := check(m, text); err != nil {
				return err
			}
		}
		n := of.Change(m.site(), styled.Marked(text))
		if n == 0 && text == "" {
			return nil
		}
		return m.wrote(of.What, n)
	}
}

// notEmpty rejects an empty text.
func notEmpty(_ *Map, text string) error {
	if text == "" {
		return fault.Usagef("the value is empty")
	}
	return nil
}

func setComments(m *Map, text string) error {
	if err := checkText(text); err != nil {
		return err
	}
	return m.wrote(mapComments.What, mapComments.Change(m.site(), styled.Marked(text)))
}

func setUID(m *Map, text string) error {
	if text == m.UID() && mapUID.Contradiction(m.site()) == "" {
		return nil
	}
	return m.SetUID(text)
}

// parseCount reads a whole number of 31 bits.
func parseCount(text string) (uint32, error) {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0, fault.Usagef("expected a whole number, got %q", text)
	}
	return uint32(n), nil
}

// setNumber makes the function that sets a whole number.
func setNumber(of *places.Fact[uint32]) func(*Map, string) error {
	return func(m *Map, text string) error {
		n, err := parseCount(text)
		if err != nil {
			return err
		}
		return m.wrote(of.What, of.Change(m.site(), n))
	}
}

func setScore(m *Map, text string) error {
	if text == "none" {
		return m.wrote(mapScore.What, mapScore.Change(m.site(), noScore(m.Generation())))
	}
	return setNumber(&mapScore)(m, text)
}

// parseFlag reads a yes or no.
func parseFlag(text string) (gbx.Bool, error) {
	switch strings.ToLower(text) {
	case "yes", "true", "1":
		return 1, nil
	case "no", "false", "0":
		return 0, nil
	}
	return 0, fault.Usagef("expected yes or no, got %q", text)
}

// setFlag makes the function that sets a yes or no.
func setFlag(of *places.Fact[gbx.Bool]) func(*Map, string) error {
	return func(m *Map, text string) error {
		v, err := parseFlag(text)
		if err != nil {
			return err
		}
		return m.wrote(of.What, of.Change(m.site(), v))
	}
}

// named finds a value of an enumeration by its name. Upper and lower case do not matter.
func named[T interface {
	~uint32
	String() string
}](what, text string, last T) (T, error) {
	var known []string
	for v := range last + 1 {
		if strings.EqualFold(v.String(), text) {
			return v, nil
		}
		known = append(known, v.String())
	}
	return 0, unknown(what, text, known)
}

func setMode(m *Map, text string) error {
	mode, err := named(mapMode.What, text, game.CGameCtnChallengePlayModeScript)
	if err != nil || mode == mapMode.Read(m.site()) && mapMode.Contradiction(m.site()) == "" {
		return err
	}
	if err := m.wrote(mapMode.What, mapMode.Change(m.site(), mode)); err != nil {
		return err
	}
	m.setXML("desc", "type", mode.String())
	return nil
}

// setKind leaves the places alone if the map already has the kind, because games keep
// only the header's correct.
func setKind(m *Map, text string) error {
	kind, err := named(mapKind.What, text, game.CGameCtnChallengeMapKindSoloNadeo)
	if err != nil || kind == mapKind.Read(m.site()) {
		return err
	}
	return m.wrote(mapKind.What, mapKind.Change(m.site(), kind))
}

// setLaps sets the number of laps. On a map without laps only the body has the number
// that the author chose: the header and its XML have fixed ones.
func setLaps(m *Map, text string) error {
	n, err := parseCount(text)
	if err != nil {
		return err
	}
	if !isLapRace(m.site()) {
		return m.wrote(mapLaps.What, (&places.Fact[uint32]{Text: mapLaps.Text, Places: mapLaps.Places[:1]}).Change(m.site(), n))
	}
	return m.wrote(mapLaps.What, mapLaps.Change(m.site(), n))
}

// setLapRace sets whether the race has laps, and the numbers of laps that depend on it.
func setLapRace(m *Map, text string) error {
	yes, err := parseFlag(text)
	if err != nil || yes.True() == isLapRace(m.site()) && mapIsLapRace.Contradiction(m.site()) == "" {
		return err
	}
	if err := m.wrote(mapIsLapRace.What, mapIsLapRace.Change(m.site(), yes)); err != nil {
		return err
	}
	if yes.True() {
		if n := mapLaps.Read(m.site()); n != noLaps {
			mapLaps.Change(m.site(), n)
		}
		return nil
	}
	const headerLaps, xmlLaps = 1, 0 // what games write for a race without laps
	if c, ok := head[*game.Header03043002](m); ok && c.Version >= 13 {
		c.NbLaps = headerLaps
	}
	m.setXML("desc", "nblaps", strconv.Itoa(xmlLaps))
	return nil
}

// setMedal makes the function that sets the medal of this name.
func setMedal(name string) func(*Map, string) error {
	return func(m *Map, text string) error {
		unit := m.Scoring().Others
		if name == "author" {
			unit = m.Scoring().Author
		}
		t, ok := ParseMedal(text, unit)
		switch why := gbx.TimeDoubt(text); {
		case unit == Times && why != "":
			return fault.Usagef("%s", why)
		case !ok && unit == Times:
			return fault.Usagef("expected a time, got %q", text).Hint("write it like 0:36.217, or none")
		case !ok:
			return fault.Usagef("expected points or respawns, got %q", text)
		}
		of := map[string]*places.Fact[gbx.Time]{"author": &mapAuthorTime, "gold": &mapGold, "silver": &mapSilver, "bronze": &mapBronze}[name]
		if _, scored := unitOf(m.site()); scored && of == &mapAuthorTime {
			return m.setAuthorScore(t)
		}
		return m.wrote(of.What, of.Change(m.site(), t))
	}
}

// setAuthorScore sets the author's medal of a mode in which it is the author's score.
func (m *Map) setAuthorScore(t gbx.Time) error {
	if t == authorScore(m.site()) && mapScore.Contradiction(m.site()) == "" {
		return nil // games state the lack of a score in two ways
	}
	score := uint32(t)
	if t == gbx.NoTime {
		score = noScore(nadeo.Forever)
	}
	return m.wrote(mapScore.What, mapScore.Change(m.site(), score))
}

// knownTitles are titles of Nadeo. Those of players have the form NAME@LOGIN.
var knownTitles = []string{
	"TMStadium", "TMCanyon", "TMValley", "TMLagoon", "TMAll", "SMStorm", "Trackmania", "TMStadium@nadeo", "TMCanyon@nadeo", "TMValley@nadeo",
	"TMLagoon@nadeo", "SMStorm@nadeo", "TMTurbo@nadeolabs", "Trackmania_2@nadeolabs", "SMStormElite@nadeolabs", "SMStormBattle@nadeolabs",
	"SMStormRoyal@nadeolabs", "SMStormJoust@nadeolabs", "SMStormSiege@nadeolabs", "SMStormCombo@nadeolabs", "SMStormWarlords@nadeolabs",
}

func setTitle(m *Map, text string) error {
	if text != m.Title() || mapTitle.Contradiction(m.site()) != "" {
		if err := nadeo.CheckName(text); err != nil {
			return err
		}
		if text != "" && !known(text, knownTitles) && !(strings.Contains(text, "@") && len(spell.Near(text, knownTitles, 1)) == 0) {
			return unknown("title", text, knownTitles)
		}
	}
	if text == "" && m.Title() == "" {
		return nil
	}
	return m.wrote(mapTitle.What, mapTitle.Change(m.site(), gbx.NewID(text)))
}

func known(text string, list []string) bool {
	for _, k := range list {
		if k == text {
			return true
		}
	}
	return false
}

// knownTypes are the map types of Nadeo. Those of title packs have folders of their own.
var knownTypes = []string{
	`TrackMania\TM_Race`, `TrackMania\TM_Platform`, `TrackMania\TM_Stunt`, `TrackMania\TM_Royal`,
	`Trackmania\Race`, `Trackmania\Platform`, `Trackmania\Stunts`, `TrackMania\Race`, `TrackMania\RaceCE`, "Race",
	`ShootMania\ObstacleArena`, `ShootMania\ObstacleTitleArena`, `ShootMania\RoyalArena`, `ShootMania\BattleArena`, `ShootMania\MeleeArena`,
	`ShootMania\EliteArena`, `ShootMania\SiegeArena`, `ShootMania\JoustArena`, `ShootMania\HeroesArena`, `ShootMania\TimeAttackArena`, "BattleArena",
}

// checkType rejects a map type in the folder of a game that this game does not have.
func checkType(_ *Map, text string) error {
	folder, _, ok := strings.Cut(text, `\`)
	if text == "" || known(text, knownTypes) || ok && !strings.EqualFold(folder, "TrackMania") && !strings.EqualFold(folder, "ShootMania") {
		return nil
	}
	return unknown("map type", text, knownTypes)
}

// mapVehicle has the name of the vehicle.
var mapVehicle = places.Fact[string]{What: "vehicle", Text: styled.Unmarked, Places: []places.Place[string]{
	{
		Name: places.InBody(func(c *game.Chunk0304300D) *gbx.Ident { return &c.PlayerModel }).Name,
		Get: func(s places.Site) (string, bool) {
			c, ok := gbx.Find[*game.Chunk0304300D](s.Node)
			if !ok {
				return "", false
			}
			return c.PlayerModel.ID.String(), true
		},
		Set: func(s places.Site, v string) {
			if c, ok := gbx.Find[*game.Chunk0304300D](s.Node); ok {
				c.PlayerModel = vehicleIdent(v)
			}
		},
	},
	places.InXML("playermodel", "id"),
}}

// vehicles lists the vehicles of Nadeo: those of Trackmania (2020) first.
var vehicles = []string{
	"CarSport", "CarSnow", "CarRally", "CarDesert", "CharacterPilot",
	"StadiumCar", "CanyonCar", "ValleyCar", "LagoonCar", "American", "Rally", "SnowCar", "SportCar", "BayCar", "CoastCar",
}

// latestVehicles is the number of vehicles of Trackmania (2020).
const latestVehicles = 5

// vehicleIdent returns the ident of a vehicle, as maps and runs of its game have it.
func vehicleIdent(name string) gbx.Ident {
	switch {
	case name == "":
		return places.NoIdent
	case known(name, vehicles[:latestVehicles]):
		return gbx.Ident{ID: gbx.NewID(name), Collection: gbx.NumberID(commonCollection), Author: gbx.NewID(nadeoAuthor)}
	}
	return gbx.Ident{ID: gbx.NewID(name), Collection: gbx.NewID("Vehicles"), Author: gbx.NewID(nadeoAuthor)}
}

// commonCollection is the collection of the vehicles of Trackmania (2020).
const commonCollection = 10003

// setVehicle sets the vehicle; an empty name is that of the environment.
func setVehicle(m *Map, text string) error {
	list := vehicles[latestVehicles:]
	if m.Generation() == nadeo.Trackmania2020 {
		list = vehicles[:latestVehicles]
	}
	if text != "" && text != m.Vehicle() && !known(text, list) {
		return unknown("vehicle", text, list)
	}
	return m.wrote(mapVehicle.What, mapVehicle.Change(m.site(), text))
}
