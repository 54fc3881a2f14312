// Package maniaplanet sees a game's files the way the game does: as drives.
//
// The game keeps five file trees in memory, each rooted at a drive that is
// isolated from the others (ManiaPlanet internals, "File and folder
// structure"). They are built from the folders on disk; then the packs and
// zip files in ManiaPlanet/Packs and Common/PacksCache are merged into them.
// The outcome is one tree without regard to case, in which every file knows
// where it comes from. GBX files refer to each other through that tree: by
// folders relative to their own place, or by number into the Resource drive,
// which is the one drive that files of all others may refer to.
//
// Where the same path comes from several places, the one loaded first is in
// effect: the disk before Packs, Packs before PacksCache, and inside those
// folders the archives by name. The specification gives the order of loading
// and not what a conflict leads to; [Drive.All] shows what else there is.
package maniaplanet
