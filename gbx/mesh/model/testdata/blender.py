# Makes the files of this folder: blender -b --factory-startup --python blender.py
# They hold one scene in several forms, and truth.json says where its vertices are.
import json
import math
import os

import bpy

folder = os.path.dirname(os.path.abspath(__file__))
bpy.ops.wm.read_factory_settings(use_empty=True)
tech, grass = bpy.data.materials.new("PlatformTech"), bpy.data.materials.new("Grass")

bpy.ops.mesh.primitive_cube_add(size=2, location=(1, 2, 3), rotation=(0.3, 0.5, 0.7))
wall = bpy.context.object
wall.name, wall.scale = "Wall_Lod0", (1, 2, 0.5)
wall.data.materials.append(tech)
wall.data.materials.append(grass)
for i, polygon in enumerate(wall.data.polygons):
    polygon.material_index = i % 2
wall.data.uv_layers[0].name = "BaseMaterial"
for i, corner in enumerate(wall.data.uv_layers.new(name="LightMap").data):
    corner.uv = (i / 24.0, (i % 5) / 5.0)

bpy.ops.object.empty_add(location=(5, 6, 7), rotation=(0, 0, math.pi / 2))
bpy.context.object.name = "_socket_start"

bpy.ops.mesh.primitive_uv_sphere_add(segments=8, ring_count=4, location=(0, 0, 4))
ball = bpy.context.object
ball.name, ball.parent = "_trigger_ball", wall
ball.data.materials.append(grass)
ball.data.uv_layers[0].name = "BaseMaterial"
for polygon in ball.data.polygons:
    polygon.use_smooth = True

bpy.ops.object.light_add(type="SPOT", location=(1, 1, 9), rotation=(0.2, 0, 0))
lamp = bpy.context.object
lamp.name, lamp.data.color, lamp.data.spot_size = "Lamp", (1, 0.5, 0.25), math.radians(60)

bpy.ops.export_scene.fbx(filepath=os.path.join(folder, "plain.fbx"))
bpy.ops.export_scene.fbx(filepath=os.path.join(folder, "zup.fbx"), apply_scale_options="FBX_SCALE_UNITS", axis_forward="Y", axis_up="Z")
bpy.ops.export_scene.fbx(filepath=os.path.join(folder, "baked.fbx"), bake_space_transform=True, mesh_smooth_type="FACE")
bpy.ops.export_scene.gltf(filepath=os.path.join(folder, "one.glb"), export_format="GLB", export_lights=True)
bpy.ops.export_scene.gltf(filepath=os.path.join(folder, "beside.gltf"), export_format="GLTF_SEPARATE", export_lights=True)
bpy.ops.export_scene.gltf(filepath=os.path.join(folder, "inside.gltf"), export_format="GLTF_EMBEDDED", export_lights=True)

truth = {}
for o in bpy.data.objects:
    points = [o.matrix_world @ v.co for v in o.data.vertices] if o.type == "MESH" else [o.matrix_world.translation]
    truth[o.name] = [[round(c, 5) for c in (p.x, p.z, -p.y)] for p in points]  # with Y up
with open(os.path.join(folder, "truth.json"), "w") as f:
    json.dump(truth, f)
    f.write("\n")
