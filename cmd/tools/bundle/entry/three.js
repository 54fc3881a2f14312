// What the explorer uses of three.js.
export {
  AmbientLight, BoxGeometry, BufferAttribute, BufferGeometry, Color, SRGBColorSpace, DirectionalLight, DoubleSide, Euler,
  GridHelper, Group, HemisphereLight, InstancedMesh, Line, LineBasicMaterial, Matrix4, Mesh, MeshLambertMaterial,
  MeshBasicMaterial, PerspectiveCamera, Quaternion, Raycaster, Scene, SphereGeometry, Vector2, Vector3,
  WebGLRenderer, Box3, LineSegments, EdgesGeometry, LinearFilter, RepeatWrapping, Texture,
} from "three";
export { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
export { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
