// Package scene holds the chunks of the Scene engine (0A): what stands in a
// scene.
package scene
