package answer

import (
	"cmp"
	"slices"
	"strings"

	"pakbox/fault"
	"pakbox/nadeo/lint"
	"pakbox/simutrans/check"
)

// Rule is a kind of finding: its meaning, and a remedy.
type Rule struct {
	Name  string `json:"rule" doc:"name of the rule"`
	By    string `json:"by" doc:"commands that report it"`
	Means string `json:"means" doc:"meaning of a finding"`
	Mend  string `json:"mend" doc:"remedy"`
	Sure  string `json:"sure,omitempty" doc:"evidence for the rule, if known"`
}

// The commands that report findings.
const (
	byVerify = "verify"
	byLint   = "map lint"
	byReplay = "replay check"
	byPakset = "simutrans check"
	byItem   = "item lint, map lint"
)

// Rules lists all kinds of findings, by the commands that report them.
func Rules() []Rule {
	rules := slices.Clone(rulesOfFiles)
	for _, r := range lint.Rules() {
		by := byLint
		if r.OfItems() {
			by = byItem
		}
		rules = append(rules, Rule{Name: r.Name, By: by, Means: r.Means, Mend: cmp.Or(remedies[r.Name], r.Mend), Sure: r.Evidence.Words(r.Fact)})
	}
	for _, r := range check.Rules() {
		rules = append(rules, Rule{Name: r.Name, By: byPakset, Means: "In the pakset there is " + r.Text + ".", Mend: r.Mend})
	}
	return rules
}

// Explain returns the rules with a name; several commands may have the same rule. The
// name may be written with spaces or dashes.
func Explain(name string) (found []Rule) {
	name = strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(name))
	for _, r := range Rules() {
		if r.Name == name {
			found = append(found, r)
		}
	}
	return found
}

func verifyRule(kind fault.Kind, means, mend string) Rule {
	return Rule{Name: string(kind), By: byVerify, Means: means, Mend: mend}
}

const (
	anotherCopy = "Get another copy; what pakbox can still read, 'pakbox extract' gives."
	newerPakbox = "The file may be fine. A newer pakbox may read it; until then it is carried along untouched."
	madeByTool  = "A tool has made or changed the map. Games may still take it; saving it in the editor of the game fixes it."
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
	verifyRule(fault.NotFound, "The file does not exist.", "Look at the name, and with 'pakbox ls' at what is there."),
	verifyRule(fault.Exists, "Something has the name already.", "Choose another name, or give --force to replace it."),
	verifyRule(fault.Permission, "The system forbids it.", "Choose a place that is yours, or ask its owner."),
	verifyRule(fault.Changed, "The file was written while it was read.", "Check it again when the writer has finished."),
	verifyRule(fault.Truncated, "The file ends before it should: a download or a copy was cut off.", anotherCopy),
	verifyRule(fault.BadHeader, "The beginning of the file has values that cannot be.", anotherCopy),
	verifyRule(fault.TableCorrupt, "The table of contents cannot be read.", anotherCopy),
	verifyRule(fault.BadEntry, "The line of the table of contents about one entry cannot be right.", anotherCopy),
	verifyRule(fault.EntryRange, "The declared position of an entry is behind the end of the file.", anotherCopy),
	verifyRule(fault.Overlap, "Two entries have overlapping positions.", anotherCopy),
	verifyRule(fault.Misaligned, "An entry does not begin where the format lets entries begin.", anotherCopy),
	verifyRule(fault.NameTooLong, "A name is longer than the format has room for.", anotherCopy),
	verifyRule(fault.DuplicateName, "Two entries have the same name; it is unknown which of them a game takes.", "Take one out with 'pakbox rm', and put it back with 'pakbox put'."),
	verifyRule(fault.SizeMismatch, "An entry unpacks to another size than declared in the table of contents.", anotherCopy),
	verifyRule(fault.DecompressFailed, "The compressed bytes of an entry cannot be decompressed.", anotherCopy),
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

	{Name: "strict_generation", By: byLint, Means: "The map was made by none of the games whose maps 'map lint --strict' knows, or does not say by which.", Mend: "Nothing is wrong with that; the usual checks were done."},
	{Name: "strict_container", By: byLint, Means: "The file around the map is not as in all real maps of its game.", Mend: madeByTool},
	{Name: "strict_chunks", By: byLint, Means: "A chunk that all real maps of this game have is missing, or in another place, form or version; or there is one that none has.", Mend: madeByTool},
	{Name: "strict_header", By: byLint, Means: "The header contradicts the body or its own XML; the games write the same values to both.", Mend: madeByTool},
	{Name: "strict_identity", By: byLint, Means: "The UID, its checksum or the environment are not of the form that the games give.", Mend: madeByTool},
	{Name: "strict_thumbnail", By: byLint, Means: "The thumbnail is not a JPEG of the size that the game writes.", Mend: "Set one of that size: pakbox map thumbnail MAP --set PICTURE."},
	{Name: "strict_size", By: byLint, Means: "The map's size does not fit its decoration or its ground.", Mend: madeByTool},
	{Name: "strict_columns", By: byLint, Means: "A chunk with one value for each block or item has more or fewer than there are.", Mend: madeByTool},

	{Name: "time", By: byReplay, Means: "The time that the run declares is not that of its last checkpoint.", Mend: ""},
	{Name: "result", By: byReplay, Means: "The run states its result twice, and not the same.", Mend: ""},
	{Name: "checkpoints", By: byReplay, Means: "The checkpoints are not in the order of time.", Mend: ""},
	{Name: "samples", By: byReplay, Means: "The recorded samples do not cover the run, or cannot be read.", Mend: ""},
	{Name: "ticks", By: byReplay, Means: "Samples are missing, repeated, or not at their times.", Mend: ""},
	{Name: "jumps", By: byReplay, Means: "The car is somewhere else from one sample to the next, faster than any car.", Mend: "Some maps have teleporters, and lag makes jumps in runs recorded online."},
	{Name: "splits", By: byReplay, Means: "The checkpoints that the run declares are not those in the game's record of the car.", Mend: "The record is right about the car that it shows."},
	{Name: "start", By: byReplay, Means: "The result and the build of the game name different waypoints as the start.", Mend: "Parts of two runs were put together."},
	{Name: "turning", By: byReplay, Means: "The turning that was stored is not that of the rotations.", Mend: "A program moved the car, or samples are of two cars."},
	{Name: "steering", By: byReplay, Means: "The steering in the samples is not that of the inputs.", Mend: "Inputs and samples are of two runs, or a program wrote the samples."},
	{Name: "speeds", By: byReplay, Means: "The speeds that were stored are not those of the positions.", Mend: ""},
	{Name: "inputs", By: byReplay, Means: "The inputs do not fit the run: they end at another time, or are not in order.", Mend: ""},
	{Name: "tminterface", By: byReplay, Means: "The inputs carry the mark of TMInterface, a program that plays scripts: the run was driven or changed with it.", Mend: ""},
	{Name: "header_time", By: byReplay, Means: "The time in the header of the replay was driven by no ghost in it.", Mend: ""},
	{Name: "header_player", By: byReplay, Means: "The player in the header of the replay is not the one who drove.", Mend: "A replay that somebody else saved has two names."},
	{Name: "map", By: byReplay, Means: "The map inside the replay is not the map that the replay names.", Mend: ""},

	{Name: "broken", By: byPakset, Means: "A file of the pakset cannot be read as object files.", Mend: anotherCopy},
	{Name: "unreadable", By: byPakset, Means: "A file of the pakset cannot be opened.", Mend: "Look at the disk and at the permissions."},
}
