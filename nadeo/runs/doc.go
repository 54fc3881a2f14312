// Package runs reads recorded runs: ghosts and replays, their times, the inputs
// of the driver and the movement of the car. It checks whether a run is
// consistent with itself. Nothing in this package changes a file.
package runs
