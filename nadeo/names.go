package nadeo

import (
	"encoding/base64"
	"fmt"
	"unicode"
	"unicode/utf8"

	"pakbox/fault"
	"pakbox/gbx"
)

// CheckName rejects a name that the header's XML cannot hold: with control characters, or
// not valid UTF-8.
func CheckName(name string) error {
	if !utf8.ValidString(name) {
		return fault.New(fault.Unsupported, "the name %q is not UTF-8", name)
	}
	for _, r := range name {
		if unicode.IsControl(r) || r == 0xFFFE || r == 0xFFFF {
			return fault.New(fault.Unsupported, "the name %q holds the control character %U, which the map's XML cannot hold", name, r)
		}
	}
	return nil
}

// IDValue returns an ID in the form of JSON: a name, a number, or nil.
func IDValue(id gbx.ID) any {
	if n, ok := id.Number(); ok {
		return n
	}
	if id.IsEmpty() {
		return nil
	}
	return id.String()
}

// Player is a person who made a map or drove a run.
type Player struct {
	Login string
	Nick  string // with colour codes
	Zone  string // World|Europe|…
}

// TimeText formats a time as players write it: 0:36.217, or -:--.--- if none exists.
func TimeText(t gbx.Time) string {
	if t == gbx.NoTime {
		return "-:--.---"
	}
	return t.String()
}

// AccountID returns the account of a login of Trackmania (2020). Such logins are the 16
// bytes of the account's UUID in base64url.
func AccountID(login string) (string, bool) {
	b, err := base64.RawURLEncoding.DecodeString(login)
	if err != nil || len(b) != 16 || b[6]>>4 != 4 || b[8]>>6 != 2 {
		return "", false // accounts have random UUIDs (version 4), and this one is not
	}
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]), true
}

// collections are the names of the environments whose IDs are numbers in maps.
var collections = map[uint32]string{
	0: "Speed", 1: "Alpine", 2: "Rally", 3: "Island", 4: "Bay", 5: "Coast", 6: "Stadium",
	7: "Basic", 8: "Plain", 9: "Moon", 10: "Toy",
	11: "Valley", 12: "Canyon", 13: "Lagoon", 14: "Deprecated_Arena", 15: "GreenCoast", 16: "RedIsland", 17: "TMCommon",
	18: "Canyon4", 19: "Canyon256", 20: "Valley4", 21: "Valley256", 22: "Lagoon4", 23: "Lagoon256", 24: "Stadium4", 25: "Stadium256",
	26: "Stadium2020", 28: "BlueBay", 29: "WhiteShore",
	100: "History", 101: "Society", 102: "Galaxy",
	200: "Gothic", 201: "Paris", 202: "Storm", 203: "Cryo", 204: "Meteor", 205: "Meteor4", 206: "Meteor256", 299: "SMCommon",
	10000: "Vehicles", 10001: "Orbital", 10002: "Actors", 10003: "Common",
}

// CollectionName returns the name of an environment, whose ID in a file is a name or a
// number.
func CollectionName(id gbx.ID) string {
	if n, ok := id.Number(); ok {
		if name, ok := collections[n]; ok {
			return name
		}
	}
	return id.String()
}

// EnvironmentName returns the name that players use for an environment.
func EnvironmentName(collection string) string {
	switch collection {
	case "Speed":
		return "Desert"
	case "Alpine":
		return "Snow"
	case "Stadium2020":
		return "Stadium"
	}
	return collection
}

// LoginWords adds the account ID to a login of Trackmania (2020), because players know
// the account by this ID.
func LoginWords(login string) string {
	if id, ok := AccountID(login); ok {
		return fmt.Sprintf("%s (account %s)", login, id)
	}
	return ""
}
