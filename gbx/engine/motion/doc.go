// Package motion holds the chunks of the motion engine (08), before TM2020.
package motion
