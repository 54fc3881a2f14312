// Package hms holds the chunks of the Hms engine (06): lights, lightmaps and
// what else the renderer is told about a scene.
package hms
