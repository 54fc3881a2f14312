package lite

import (
	"pakbox/gbx"
	"pakbox/gbx/engine/control"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
	"pakbox/gbx/engine/scene"
	"pakbox/gbx/engine/script"
)

// classes are the GBX classes that maps consist of. Clips in a map may hold any block of
// the MediaTracker, and ghosts.
var classes = gbx.NewRegistry([]gbx.ClassInfo{
	game.ClassCGameCtnChallenge, game.ClassCGameCtnChallengeParameters, game.ClassCGameCtnCollectorList,
	game.ClassCGameCtnBlock, game.ClassCGameCtnBlockSkin, game.ClassCGameCtnAnchoredObject, game.ClassCGameCtnZoneGenealogy,
	gamedata.ClassCGameWaypointSpecialProperty, script.ClassCScriptTraitsMetadata, plug.ClassCPlugTrafficGraph, plug.ClassCPlugBodyGraph,

	game.ClassCGameCtnMediaClipGroup, game.ClassCGameCtnMediaClip, game.ClassCGameCtnMediaTrack, control.ClassCControlEffectSimi,
	game.ClassCGameCtnGhost, game.ClassCGameGhost, game.ClassCGameSaveLaunchedCheckpoints, plug.ClassCPlugEntRecordData, scene.ClassCSceneVehicleCarMarksSamples,
	game.ClassCGameCtnMediaBlock3dStereo, game.ClassCGameCtnMediaBlockBloomHdr, game.ClassCGameCtnMediaBlockBulletFx,
	game.ClassCGameCtnMediaBlockCameraCustom, game.ClassCGameCtnMediaBlockCameraEffectInertialTracking, game.ClassCGameCtnMediaBlockCameraEffectScript,
	game.ClassCGameCtnMediaBlockCameraEffectShake, game.ClassCGameCtnMediaBlockCameraGame, game.ClassCGameCtnMediaBlockCameraOrbital,
	game.ClassCGameCtnMediaBlockCameraPath, game.ClassCGameCtnMediaBlockCameraSimple, game.ClassCGameCtnMediaBlockCharVis,
	game.ClassCGameCtnMediaBlockCheatEmptyCars, game.ClassCGameCtnMediaBlockColorGrading, game.ClassCGameCtnMediaBlockColoringBase,
	game.ClassCGameCtnMediaBlockColoringCapturable, game.ClassCGameCtnMediaBlockDOF, game.ClassCGameCtnMediaBlockDecal2d,
	game.ClassCGameCtnMediaBlockDirtyLens, game.ClassCGameCtnMediaBlockEntity, game.ClassCGameCtnMediaBlockFog, game.ClassCGameCtnMediaBlockFxBloom,
	game.ClassCGameCtnMediaBlockFxBlurDepth, game.ClassCGameCtnMediaBlockFxBlurMotion, game.ClassCGameCtnMediaBlockFxCameraBlend,
	game.ClassCGameCtnMediaBlockFxCameraMap, game.ClassCGameCtnMediaBlockFxColors, game.ClassCGameCtnMediaBlockGhost, game.ClassCGameCtnMediaBlockImage,
	game.ClassCGameCtnMediaBlockInterface, game.ClassCGameCtnMediaBlockLightmap, game.ClassCGameCtnMediaBlockManialink,
	game.ClassCGameCtnMediaBlockMusicEffect, game.ClassCGameCtnMediaBlockObject, game.ClassCGameCtnMediaBlockOpponentVisibility,
	game.ClassCGameCtnMediaBlockScenery, game.ClassCGameCtnMediaBlockShoot, game.ClassCGameCtnMediaBlockSkel, game.ClassCGameCtnMediaBlockSound,
	game.ClassCGameCtnMediaBlockSpectators, game.ClassCGameCtnMediaBlockText, game.ClassCGameCtnMediaBlockTime, game.ClassCGameCtnMediaBlockTimeSpeed,
	game.ClassCGameCtnMediaBlockToneMapping, game.ClassCGameCtnMediaBlockTrails, game.ClassCGameCtnMediaBlockTransitionFade,
	game.ClassCGameCtnMediaBlockTriangles, game.ClassCGameCtnMediaBlockTriangles2D, game.ClassCGameCtnMediaBlockTriangles3D,
	game.ClassCGameCtnMediaBlockTurret, game.ClassCGameCtnMediaBlockUi, game.ClassCGameCtnMediaBlockVehicleLight,
})
