package gltf

// document is the JSON of a glTF file, as far as it is used here.
type document struct {
	Asset     asset         `json:"asset"`
	Scene     int           `json:"scene"`
	Scenes    []sceneObject `json:"scenes"`
	Nodes     []node        `json:"nodes"`
	Meshes    []meshObject  `json:"meshes"`
	Materials []material    `json:"materials,omitempty"`
	Accessors []accessor    `json:"accessors"`
	Views     []view        `json:"bufferViews"`
	Buffers   []buffer      `json:"buffers"`
}

type asset struct {
	Version   string `json:"version"`
	Generator string `json:"generator"`
}

type sceneObject struct {
	Name  string `json:"name,omitempty"`
	Nodes []int  `json:"nodes"`
}

type node struct {
	Name        string      `json:"name,omitempty"`
	Mesh        *int        `json:"mesh,omitempty"`
	Children    []int       `json:"children,omitempty"`
	Translation *[3]float32 `json:"translation,omitempty"`
	Rotation    *[4]float32 `json:"rotation,omitempty"`
	Scale       *[3]float32 `json:"scale,omitempty"`
	Extras      nodeExtras  `json:"extras,omitzero"`
}

// nodeExtras are what glTF has no words for.
type nodeExtras struct {
	Role  string `json:"role,omitempty"`
	Level int    `json:"level,omitempty"`
}

type meshObject struct {
	Name       string      `json:"name,omitempty"`
	Primitives []primitive `json:"primitives"`
}

type primitive struct {
	Attributes attributes `json:"attributes"`
	Indices    *int       `json:"indices,omitempty"`
	Material   *int       `json:"material,omitempty"`
	Mode       int        `json:"mode,omitempty"` // triangles where it is not said
}

// modeLine is OpenGL's number for a line through all positions.
const modeLine = 3

type attributes struct {
	Position  int  `json:"POSITION"`
	Normal    *int `json:"NORMAL,omitempty"`
	TexCoord0 *int `json:"TEXCOORD_0,omitempty"`
	TexCoord1 *int `json:"TEXCOORD_1,omitempty"`
	Color     *int `json:"COLOR_0,omitempty"`
}

type material struct {
	Name   string         `json:"name"`
	PBR    pbr            `json:"pbrMetallicRoughness"`
	Extras materialExtras `json:"extras,omitzero"`
}

type materialExtras struct {
	Link string `json:"link,omitempty"`
}

type pbr struct {
	Color     *[4]float32 `json:"baseColorFactor,omitempty"`
	Metallic  float32     `json:"metallicFactor"`
	Roughness float32     `json:"roughnessFactor"`
}

type accessor struct {
	View       int       `json:"bufferView"`
	Component  int       `json:"componentType"`
	Normalized bool      `json:"normalized,omitempty"`
	Count      int       `json:"count"`
	Type       string    `json:"type"`
	Min        []float32 `json:"min,omitempty"`
	Max        []float32 `json:"max,omitempty"`
}

// Component types and targets are OpenGL's numbers.
const (
	typeByte   = 5121
	typeUint16 = 5123
	typeUint32 = 5125
	typeFloat  = 5126

	targetVertices = 34962
	targetIndices  = 34963
)

type view struct {
	Buffer int   `json:"buffer"`
	Offset int64 `json:"byteOffset"`
	Length int64 `json:"byteLength"`
	Target int   `json:"target"`
}

type buffer struct {
	Length int64 `json:"byteLength"`
}
