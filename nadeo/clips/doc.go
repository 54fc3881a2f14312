// Package media reads and makes clips of the MediaTracker: tracks of blocks such as
// cameras, texts, pictures and sounds. Package maps puts clips on maps.
package clips
