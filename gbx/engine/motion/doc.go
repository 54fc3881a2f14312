// Package motion holds the chunks of the motion engine (08): how the things of
// a scene move, in the games before TM2020.
package motion
