// Package hms holds the chunks of the Hms engine (06): lights, lightmaps,
// rendering.
package hms
