// Package trackmania holds the chunks that stayed in the TrackMania engine (24).
package trackmania
