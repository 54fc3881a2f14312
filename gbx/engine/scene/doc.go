// Package scene holds the chunks of the Scene engine (0A).
package scene
