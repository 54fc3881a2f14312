// glTF files in a scene.

// modelOf reads a glTF file, and draws it once for each matrix. pictures finds the picture
// of a material, by its name and that of the game's material that it is based on.
export async function modelOf(three, data, { matrices, pictures, mipmaps }) {
  const loaded = await new three.GLTFLoader().parseAsync(data, "");
  loaded.scene.updateMatrixWorld(true);
  const group = new three.Group();
  const toned = new Set();
  loaded.scene.traverse((o) => {
    if (!o.isMesh) return;
    if (!toned.has(o.material)) {
      toned.add(o.material);
      const picture = o.geometry.getAttribute("uv") && pictures?.(o.material.name, o.material.userData.link);
      tone(o.material, picture && textureOf(three, picture, mipmaps));
    }
    group.add(copiesOf(three, o, matrices));
  });
  return group;
}

// tone darkens a material: a white surface shows its shape only below full light.
function tone(material, texture) {
  if (texture) {
    material.map = texture;
    material.color.setScalar(0.8);
  } else material.color?.multiplyScalar(0.55);
  // Decals have no picture here, and lie in the surface.
  if (/^(Decal|SpecialFX)/.test(material.name))
    Object.assign(material, {
      transparent: true,
      opacity: 0.25,
      depthWrite: false,
      polygonOffset: true,
      polygonOffsetFactor: -2,
    });
}

// copiesOf draws a mesh once for each matrix, or once where it is.
function copiesOf(three, mesh, matrices) {
  const n = matrices ? matrices.length / 16 : 1;
  const copies = new three.InstancedMesh(mesh.geometry, mesh.material, n),
    m = new three.Matrix4();
  for (let i = 0; i < n; i++) {
    if (matrices) m.fromArray(matrices, i * 16).multiply(mesh.matrixWorld);
    else m.copy(mesh.matrixWorld);
    copies.setMatrixAt(i, m);
  }
  copies.computeBoundingSphere();
  return copies;
}

// textureOf is the texture of a surface. A graphics card uses smaller copies of it for
// distant surfaces. The processor draws such copies too dark.
function textureOf(three, picture, mipmaps) {
  const repeat = three.RepeatWrapping,
    plain = mipmaps ? {} : { generateMipmaps: false, minFilter: three.LinearFilter };
  return Object.assign(new three.Texture(picture), {
    flipY: false,
    colorSpace: three.SRGBColorSpace,
    wrapS: repeat,
    wrapT: repeat,
    ...plain,
    needsUpdate: true,
  });
}
