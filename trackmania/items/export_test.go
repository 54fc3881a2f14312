package items

// What the tests outside of the package look into.
var (
	IconPixels   = iconPixels
	LightmapGrid = lightmapGrid
)

const MaxItemVertices = maxItemVertices
