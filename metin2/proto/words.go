package proto

import (
	"strconv"
	"strings"
	"sync"
)

// vocabulary has the words for the numbers of a field, in the order of the numbers or of
// the bits. An empty word means that servers use different words. The words are from the
// text forms; their numbers were checked against real files where these have them.
type vocabulary struct {
	words []string
	bits  bool
	sep   string // separator between the words of bits
	none  string // word for an empty set
	first int    // number of the first word
}

func numbered(prefix, words string) *vocabulary { return &vocabulary{words: prefixed(prefix, words)} }

// itemBits and mobBits return vocabularies of bit sets; the two tables have different
// separators.
func itemBits(prefix, words string) *vocabulary {
	return &vocabulary{words: prefixed(prefix, words), bits: true, sep: " | ", none: "NONE"}
}

func mobBits(words string) *vocabulary {
	return &vocabulary{words: prefixed("", words), bits: true, sep: ","}
}

// prefixed puts a prefix before each word; "-" stands for a number without a word.
func prefixed(prefix, words string) []string {
	list := strings.Fields(words)
	for i, w := range list {
		if list[i] = prefix + w; w == "-" {
			list[i] = ""
		}
	}
	return list
}

// vocabularies has the words by field name.
var vocabularies = sync.OnceValue(func() map[string]*vocabulary {
	return map[string]*vocabulary{
		"type": numbered("ITEM_", `NONE WEAPON ARMOR USE AUTOUSE MATERIAL SPECIAL TOOL LOTTERY ELK METIN CONTAINER FISH ROD
		RESOURCE CAMPFIRE UNIQUE SKILLBOOK QUEST POLYMORPH TREASURE_BOX TREASURE_KEY SKILLFORGET GIFTBOX PICK HAIR TOTEM
		BLEND COSTUME DS SPECIAL_DS EXTRACT - RING BELT PET MEDIUM GACHA`),
		"anti_flags": itemBits("ANTI_", `FEMALE MALE MUSA ASSASSIN SURA MUDANG GET DROP SELL EMPIRE_A EMPIRE_B EMPIRE_C SAVE
		GIVE PKDROP STACK MYSHOP SAFEBOX WOLFMAN`),
		"flags": itemBits("", `ITEM_TUNABLE ITEM_SAVE ITEM_STACKABLE COUNT_PER_1GOLD ITEM_SLOW_QUERY ITEM_UNIQUE
		ITEM_MAKECOUNT ITEM_IRREMOVABLE CONFIRM_WHEN_USE QUEST_USE QUEST_USE_MULTIPLE QUEST_GIVE ITEM_QUEST LOG STACKABLE
		SLOW_QUERY REFINEABLE IRREMOVABLE ITEM_APPLICABLE`),
		"wear_flags":   itemBits("WEAR_", `BODY HEAD FOOTS WRIST WEAPON NECK EAR SHIELD UNIQUE ARROW HAIR ABILITY`),
		"immune_flags": itemBits("", `PARA CURSE STUN SLEEP SLOW POISON TERROR`),
		"limit_type":   numbered("", `LIMIT_NONE LEVEL STR DEX INT CON PC_BANG REAL_TIME REAL_TIME_FIRST_USE TIMER_BASED_ON_WEAR`),
		"addon_type": numbered("APPLY_", `NONE MAX_HP MAX_SP CON INT STR DEX ATT_SPEED MOV_SPEED CAST_SPEED HP_REGEN SP_REGEN
		POISON_PCT STUN_PCT SLOW_PCT CRITICAL_PCT PENETRATE_PCT ATTBONUS_HUMAN ATTBONUS_ANIMAL ATTBONUS_ORC
		ATTBONUS_MILGYO ATTBONUS_UNDEAD ATTBONUS_DEVIL STEAL_HP STEAL_SP MANA_BURN_PCT DAMAGE_SP_RECOVER BLOCK DODGE
		RESIST_SWORD RESIST_TWOHAND RESIST_DAGGER RESIST_BELL RESIST_FAN RESIST_BOW RESIST_FIRE RESIST_ELEC RESIST_MAGIC
		RESIST_WIND REFLECT_MELEE REFLECT_CURSE POISON_REDUCE KILL_SP_RECOVER EXP_DOUBLE_BONUS GOLD_DOUBLE_BONUS
		ITEM_DROP_BONUS POTION_BONUS KILL_HP_RECOVER IMMUNE_STUN IMMUNE_SLOW IMMUNE_FALL SKILL BOW_DISTANCE
		ATT_GRADE_BONUS DEF_GRADE_BONUS MAGIC_ATT_GRADE MAGIC_DEF_GRADE CURSE_PCT MAX_STAMINA ATTBONUS_WARRIOR
		ATTBONUS_ASSASSIN ATTBONUS_SURA ATTBONUS_SHAMAN ATTBONUS_MONSTER MALL_ATTBONUS MALL_DEFBONUS MALL_EXPBONUS
		MALL_ITEMBONUS MALL_GOLDBONUS MAX_HP_PCT MAX_SP_PCT SKILL_DAMAGE_BONUS NORMAL_HIT_DAMAGE_BONUS
		SKILL_DEFEND_BONUS NORMAL_HIT_DEFEND_BONUS - - - RESIST_WARRIOR RESIST_ASSASSIN RESIST_SURA RESIST_SHAMAN ENERGY
		DEF_GRADE COSTUME_ATTR_BONUS MAGIC_ATTBONUS_PER MELEE_MAGIC_ATTBONUS_PER`),

		"mob type":        numbered("", `MONSTER NPC STONE WARP DOOR BUILDING PC POLYMORPH_PC HORSE GOTO`),
		"mob rank":        numbered("", `PAWN S_PAWN KNIGHT S_KNIGHT BOSS KING`),
		"mob battle_type": numbered("", `MELEE RANGE MAGIC SPECIAL POWER TANKER SUPER_POWER SUPER_TANKER`),
		"mob size":        {words: []string{"SMALL", "MEDIUM", "BIG"}, first: 1},
		"mob ai_flag":     mobBits(`AGGR NOMOVE COWARD NOATTSHINSU NOATTCHUNJO NOATTJINNO ATTMOB BERSERK STONESKIN GODSPEED DEATHBLOW REVIVE`),
		"mob race_flag": mobBits(`ANIMAL UNDEAD DEVIL HUMAN ORC MILGYO INSECT FIRE ICE DESERT TREE ATT_ELEC ATT_FIRE ATT_ICE
		ATT_WIND ATT_EARTH ATT_DARK`),
		"mob immune_flag": mobBits(`STUN SLOW FALL CURSE POISON TERROR REFLECT`),
		"subtype":         subtypes,
	}
})

// subtypes marks the field of subtypes, whose words depend on the type.
var subtypes = &vocabulary{}

// subtypesOf has the words of subtypes by the word of the type.
var subtypesOf = sync.OnceValue(func() map[string]*vocabulary {
	return map[string]*vocabulary{
		"ITEM_WEAPON":  numbered("WEAPON_", "SWORD DAGGER BOW TWO_HANDED BELL FAN ARROW MOUNT_SPEAR CLAW QUIVER BOUQUET"),
		"ITEM_ARMOR":   numbered("ARMOR_", "BODY HEAD SHIELD WRIST FOOTS NECK EAR"),
		"ITEM_COSTUME": numbered("COSTUME_", "BODY HAIR MOUNT ACCE WEAPON"),
		"ITEM_USE": numbered("USE_", `POTION TALISMAN TUNING MOVE TREASURE_BOX MONEYBAG BAIT ABILITY_UP AFFECT CREATE_STONE
		SPECIAL POTION_NODELAY CLEAR INVISIBILITY DETACHMENT BUCKET POTION_CONTINUE CLEAN_SOCKET CHANGE_ATTRIBUTE
		ADD_ATTRIBUTE ADD_ACCESSORY_SOCKET PUT_INTO_ACCESSORY_SOCKET ADD_ATTRIBUTE2 RECIPE CHANGE_ATTRIBUTE2 BIND UNBIND
		TIME_CHARGE_PER TIME_CHARGE_FIX PUT_INTO_BELT_SOCKET`),
		"ITEM_MATERIAL": numbered("MATERIAL_", "LEATHER BLOOD ROOT NEEDLE JEWEL DS_REFINE_NORMAL DS_REFINE_BLESSED DS_REFINE_HOLLY"),
		"ITEM_RESOURCE": numbered("RESOURCE_", "FISHBONE WATERSTONEPIECE WATERSTONE BLOOD_PEARL BLUE_PEARL WHITE_PEARL BUCKET CRYSTAL GEM STONE METIN ORE"),
		"ITEM_FISH":     numbered("FISH_", "ALIVE DEAD"),
		"ITEM_SPECIAL":  numbered("SPECIAL_", "MAP"),
		"ITEM_METIN":    numbered("METIN_", "NORMAL GOLD"),
		"ITEM_LOTTERY":  numbered("LOTTERY_", "TICKET INSTANT"),
		"ITEM_UNIQUE":   numbered("UNIQUE_", "NONE BOOK SPECIAL_RIDE"),
		"ITEM_EXTRACT":  numbered("EXTRACT_DRAGON_", "SOUL HEART"),
		"ITEM_DS":       numbered("DS_", "SLOT1 SLOT2 SLOT3 SLOT4 SLOT5 SLOT6"),
	}
})

// anySubtype finds a word among the subtypes of all types: text forms use words of
// another type where only the number matters.
func anySubtype(word string) (int64, bool) {
	for _, v := range subtypesOf() {
		if n, ok := v.number(word); ok {
			return n, true
		}
	}
	return 0, false
}

// text returns the word for a number, or the number.
func (v *vocabulary) text(n int64) string {
	if v.bits {
		return v.bitsText(uint64(n))
	}
	if i := n - int64(v.first); i >= 0 && i < int64(len(v.words)) && v.words[i] != "" {
		return v.words[i]
	}
	return strconv.FormatInt(n, 10)
}

// bitsText returns the words of a set. All bits without a word become one number at the
// end.
func (v *vocabulary) bitsText(set uint64) string {
	var list []string
	for i, w := range v.words {
		if bit := uint64(1) << i; set&bit != 0 && w != "" {
			list, set = append(list, w), set&^bit
		}
	}
	if set != 0 {
		list = append(list, strconv.FormatUint(set, 10))
	}
	if list == nil {
		return v.none
	}
	return strings.Join(list, v.sep)
}

// number returns the number of a word.
func (v *vocabulary) number(word string) (int64, bool) {
	if word != "" {
		for i, w := range v.words {
			if w == word {
				return int64(i + v.first), true
			}
		}
	}
	return 0, false
}

// set reads the words of a set, and returns the unknown words.
func (v *vocabulary) set(words string) (set int64, unknown []string) {
	for _, w := range strings.FieldsFunc(words, func(r rune) bool { return r == '|' || r == ',' }) {
		w = strings.TrimSpace(w)
		if n, ok := v.number(w); ok {
			set |= 1 << n
		} else if n, err := parseInt(w); err == nil && n >= 0 {
			set |= n & 0xffffffff
		} else if w != "" && w != "NONE" {
			unknown = append(unknown, w)
		}
	}
	return set, unknown
}
