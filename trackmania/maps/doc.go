// Package maps reads, checks, changes and makes maps: their names and medals,
// the blocks and items on them, the files they embed, their pictures and clips.
// Campaigns, which list maps, are here too.
package maps
