package library

// surfaceColors are the colours that people associate with surfaces.
var surfaceColors = map[string][4]uint8{
	"Grass": {96, 150, 60, 255}, "Green": {80, 160, 80, 255}, "Dirt": {140, 96, 60, 255}, "Sand": {215, 190, 130, 255},
	"Ice": {150, 205, 235, 255}, "RoadIce": {150, 205, 235, 255}, "Snow": {235, 240, 245, 255}, "Wood": {170, 125, 75, 255},
	"Plastic": {225, 90, 50, 255}, "Asphalt": {95, 98, 105, 255}, "Rubber": {60, 60, 64, 255}, "Concrete": {170, 170, 165, 255},
}

// SurfaceColor returns the colour of a surface in drawings: red, green, blue and 255, or
// four zeros if the surface has none.
func SurfaceColor(surface string) [4]uint8 { return surfaceColors[surface] }
