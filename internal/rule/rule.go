// Package rule explains the findings of every check: what each kind means, and
// how to mend it.
package rule

import (
	"slices"
	"strings"

	"pakbox/fault"
	"pakbox/simutrans/check"
	"pakbox/trackmania/items/lint"
)

// Rule is a kind of finding: what it means, and what can be done about it.
type Rule struct {
	Name  string `json:"rule"`
	By    string `json:"by"` // the commands that find it
	Means string `json:"means"`
	Mend  string `json:"mend"`
}

// The commands that find things.
const (
	byVerify = "verify"
	byLint   = "map lint"
	byReplay = "replay check"
	byPakset = "simutrans check"
	byItem   = "item lint, map lint"
)

// Rules lists all kinds of findings, by the commands that find them.
func All() []Rule {
	rules := slices.Clone(rulesOfFiles)
	for _, r := range lint.Rules() {
		rules = append(rules, Rule{r.Name, byItem, r.Means + " How it is known: " + string(r.Confidence) + ".", r.Mend})
	}
	for _, r := range check.Rules() {
		rules = append(rules, Rule{r.Name, byPakset, "In the pakset there is " + r.Text + ".", r.Mend})
	}
	return rules
}

// ExplainRule returns what is known about a rule, which several commands may
// have. Names may be written with spaces or dashes.
func Explain(name string) (found []Rule) {
	name = strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(name))
	for _, r := range All() {
		if r.Name == name {
			found = append(found, r)
		}
	}
	return found
}

func verifyRule(kind fault.Kind, means, mend string) Rule {
	return Rule{string(kind), byVerify, means, mend}
}

const (
	anotherCopy = "Get another copy; what pakbox can still read, 'pakbox extract' gives."
	newerPakbox = "The file may be fine. A newer pakbox may read it; until then it is carried along untouched."
	madeByTool  = "A tool has made or changed the map. Games may still take it; saving it in the editor of the game mends it."
	giveKey     = "Give the key or passphrase: see 'pakbox help keys'."
)

var rulesOfFiles = []Rule{
	verifyRule(fault.NotFormat, "The file does not begin like any format that pakbox knows, or like the one that its name promises.", "See with 'pakbox info' and 'pakbox help formats' what it is."),
	verifyRule(fault.Corrupt, "The file contradicts itself or its format.", anotherCopy),
	verifyRule(fault.Unsupported, "The file uses something that pakbox does not know.", newerPakbox),
	verifyRule(fault.Key, "A key or passphrase is missing, or does not fit.", giveKey),
	verifyRule(fault.Unsafe, "A name in the file leads out of the folder that the file would be extracted to.", "Such an entry is never extracted. Nobody makes one by mistake: be careful with the rest of the file."),
	verifyRule(fault.Limit, "The file asks for more memory or disk than anything sensible needs.", "It may be made to do harm. If it is really so large, say where it is from."),
	verifyRule(fault.Access, "The system does not let pakbox at the file.", "Look at the disk and at the permissions; the data may be fine."),
	verifyRule(fault.NotFound, "There is no such file.", "Look at the name, and with 'pakbox ls' at what is there."),
	verifyRule(fault.Exists, "Something has the name already.", "Choose another name, or give --force to replace it."),
	verifyRule(fault.Permission, "The system forbids it.", "Choose a place that is yours, or ask its owner."),
	verifyRule(fault.Truncated, "The file ends before it should: a download or a copy was cut off.", anotherCopy),
	verifyRule(fault.BadHeader, "The beginning of the file has values that cannot be.", anotherCopy),
	verifyRule(fault.TableCorrupt, "The table of contents cannot be read.", anotherCopy),
	verifyRule(fault.BadEntry, "The line of the table of contents about one entry cannot be right.", anotherCopy),
	verifyRule(fault.EntryRange, "An entry is said to lie where the file has no bytes.", anotherCopy),
	verifyRule(fault.Overlap, "Two entries are said to lie at the same place.", anotherCopy),
	verifyRule(fault.Misaligned, "An entry does not begin where the format lets entries begin.", anotherCopy),
	verifyRule(fault.NameTooLong, "A name is longer than the format has room for.", anotherCopy),
	verifyRule(fault.DuplicateName, "Two entries have the same name; which of them a game takes is not said.", "Take one out with 'pakbox rm', and put it back with 'pakbox put'."),
	verifyRule(fault.SizeMismatch, "An entry unpacks to another size than the table of contents says.", anotherCopy),
	verifyRule(fault.DecompressFailed, "The packed bytes of an entry are no packed bytes.", anotherCopy),
	verifyRule(fault.HashMismatch, "The content is not what its checksum was made from: some bytes have changed.", anotherCopy),
	verifyRule(fault.HMACMismatch, "The content was changed by somebody who does not have the key, or the key is another.", anotherCopy),
	verifyRule(fault.TableAuthFailed, "The table of contents was changed by somebody who does not have the key.", anotherCopy),
	verifyRule(fault.DataAuthFailed, "The data was changed by somebody who does not have the key.", anotherCopy),
	verifyRule(fault.ReservedNonzero, "Bytes that mean nothing and should be zero are not. Games do not mind.", "'pakbox convert' writes the file anew, without them."),
	verifyRule(fault.NonzeroTrailer, "Bytes behind the data, which should be zero, are not. Games do not mind.", "'pakbox convert' writes the file anew, without them."),
	verifyRule(fault.TrailingData, "There are bytes behind the end of the archive.", "They are kept. 'pakbox convert' writes the file anew, without them."),
	verifyRule(fault.Pointer, "Git LFS has put a pointer in the place of the file.", "Fetch the file with 'git lfs pull' in its repository."),
	verifyRule(fault.UnsupportedVersion, "The file is of a version that pakbox does not know.", newerPakbox),
	verifyRule(fault.UnsupportedAlgorithm, "The file is packed or encrypted in a way that pakbox does not know.", newerPakbox),
	verifyRule(fault.UnknownClass, "The file holds an object of a class that pakbox does not know.", newerPakbox),
	verifyRule(fault.PassphraseRequired, "The file is encrypted, and no passphrase was given.", giveKey),
	verifyRule(fault.KeyRequired, "The file is encrypted, and its key is not among those given.", giveKey),
	verifyRule(fault.WrongKey, "The key or passphrase is not the one that the file was encrypted with.", giveKey),

	{"missing_embed", byLint, "The map uses an item or block that it does not bring along: who does not have it sees nothing there.", "Embed it: pakbox map items MAP --add FILE; or open and save the map in the editor of the game."},
	{"bad_url", byLint, "The map tells players to download a skin, a mod or music from an address that looks dead. Nothing was contacted.", "Set another in the editor of the game, or take the mod out."},
	{"medal_order", byLint, "A better medal is easier to get than a lesser one, which the game's menus do not expect.", "Set the times: pakbox map medals MAP --gold 0:41.000."},
	{"oversize", byLint, "Servers refuse maps of this size.", "See what takes the bytes: pakbox map size MAP. Shadows come off with pakbox map lightmap MAP --strip."},
	{"crc_mismatch", byLint, "The checksum of UID and password does not fit them; the game takes the map for tampered with.", "Save the map in the editor of the game."},
	{"uid_mismatch", byLint, "The map has one UID in its header and another in its body; sites and servers will disagree about it.", "Save the map in the editor of the game."},
	{"private_path", byLint, "A path in the map tells about its maker's computer, often with a name.", "List and remove such paths: pakbox map scrub MAP -o COPY."},
	{"unsafe_path", byLint, "An embedded file has a name that leads out of the player's folder.", "Take it out: pakbox map items MAP --remove NAME."},
	{"embedded_zip", byLint, "The zip with the embedded items cannot be read.", "Save the map in the editor of the game."},

	{"strict_generation", byLint, "The map was made by none of the games whose maps 'map lint --strict' knows, or does not say by which.", "Nothing is wrong with that; the usual checks were done."},
	{"strict_container", byLint, "The file around the map is not as in all real maps of its game.", madeByTool},
	{"strict_chunks", byLint, "A chunk that all real maps of this game have is missing, or in another place, form or version; or there is one that none has.", madeByTool},
	{"strict_header", byLint, "The header says something else than the body, or than its own XML; the games write both alike.", madeByTool},
	{"strict_identity", byLint, "The UID, its checksum or the environment are not of the form that the games give.", madeByTool},
	{"strict_thumbnail", byLint, "The thumbnail is not a JPEG of the size that the game writes.", "Set one of that size: pakbox map thumbnail MAP --set PICTURE."},
	{"strict_size", byLint, "The map's size does not fit its decoration or its ground.", madeByTool},
	{"strict_columns", byLint, "A chunk with one value for each block or item has more or fewer than there are.", madeByTool},

	{"time", byReplay, "The time that the run declares is not that of its last checkpoint.", ""},
	{"result", byReplay, "The run states its result twice, and not the same.", ""},
	{"checkpoints", byReplay, "The checkpoints are not in the order of time.", ""},
	{"samples", byReplay, "The recorded samples do not cover the run, or cannot be read.", ""},
	{"ticks", byReplay, "Samples are missing, repeated, or not at their times.", ""},
	{"jumps", byReplay, "The car is somewhere else from one sample to the next, faster than any car.", "Some maps have teleporters, and lag makes jumps in runs recorded online."},
	{"splits", byReplay, "The checkpoints that the run declares are not those in the game's record of the car.", "The record is right about the car that it shows."},
	{"start", byReplay, "The result and the build of the game name different waypoints as the start.", "Parts of two runs were put together."},
	{"turning", byReplay, "The turning that was stored is not that of the rotations.", "A program moved the car, or samples are of two cars."},
	{"steering", byReplay, "The steering in the samples is not that of the inputs.", "Inputs and samples are of two runs, or a program wrote the samples."},
	{"speeds", byReplay, "The speeds that were stored are not those of the positions.", ""},
	{"inputs", byReplay, "What was pressed does not fit the run: it ends at another time, or is not in order.", ""},
	{"tminterface", byReplay, "The inputs carry the mark of TMInterface, a program that plays scripts: the run was driven or changed with it.", ""},
	{"header_time", byReplay, "The time in the header of the replay was driven by no ghost in it.", ""},
	{"header_player", byReplay, "The player in the header of the replay is not the one who drove.", "A replay that somebody else saved has two names."},
	{"map", byReplay, "The map inside the replay is not the one that it says it was driven on.", ""},

	{"broken", byPakset, "A file of the pakset cannot be read as object files.", anotherCopy},
	{"unreadable", byPakset, "A file of the pakset cannot be opened.", "Look at the disk and at the permissions."},
}
