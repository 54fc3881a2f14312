// Package maniaplanet shows the files of a game as the game sees them: on drives.
//
// The game keeps five file trees in memory, each rooted at a drive that is isolated from
// the others (ManiaPlanet internals, "File and folder structure"). They are built from
// the folders on disk; then the packs and zip files in ManiaPlanet/Packs and
// Common/PacksCache are merged into them. The result is one tree without regard to case,
// in which every file has its origin. GBX files refer to each other through that tree: by
// a path relative to their own folder, or by number into the Resource drive. Files of all
// drives may refer to the Resource drive, and to no other drive but their own.
//
// If several files have the same path, the one loaded first is in effect: the disk before
// Packs, Packs before PacksCache, and inside those folders the archives by name. The
// specification gives the order of loading but not the result of a conflict. [Drive.All]
// lists all files of a path.
package drives
