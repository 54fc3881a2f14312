// Package trackmania holds the chunks of the TrackMania engine (24) that were
// not moved to the Game engine.
package trackmania
