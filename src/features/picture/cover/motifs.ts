import { pick } from './chance.ts'
import type { Motif } from './motif.ts'
import { bolt, eclipse, flame, leaf, peaks, petals, planet, waves } from './motifs-nature.ts'
import { arches, fan, prism, ribbon, rings, truchet } from './motifs-patterns.ts'
import { ball, bars, bowl, bubbles, cubes, frames, headset, pad, parcel, reticle, road, signal, sprite, tags, wheel } from './motifs-things.ts'
import { coins, crown, crystals, gem, shield, star, swords, token } from './motifs-treasure.ts'
import type { CoverKind } from './recipe.ts'
import type { MotifName } from './recipe.ts'

export const motifs: Readonly<Record<MotifName, Motif>> = {
  gem, crystals, coins, token, shield, flame, reticle, star, planet, waves, peaks, prism, bars, arches, cubes, petals, bolt,
  road, signal, truchet, frames, eclipse, fan, rings, crown, swords, ball, parcel, tags, bowl, sprite, bubbles, pad, leaf,
  ribbon, headset, wheel,
}

/** Motifs that run to the edges of the sheet. */
export const BLEEDING: ReadonlySet<MotifName> = new Set(['waves', 'peaks', 'road'])

/** The world first, the unit last: too many games sell "gems". */
const HINTS: readonly (readonly [RegExp, MotifName])[] = [
  [/king|royal|queen|empire/i, 'crown'],
  [/free fire|flame|blaze|tinder/i, 'flame'],
  [/legends?: bang|honor|guard|guild/i, 'shield'],
  [/star rail|space|orbit|planet|galax|nebula/i, 'planet'],
  [/duty|pubg|strike|sniper|warzone|tactic|breakout/i, 'reticle'],
  [/brawl|astral|stellar/i, 'star'],
  [/ea sports|fc mobile|football|soccer|goal/i, 'ball'],
  [/racing|speed|asphalt|road|drive/i, 'road'],
  [/music|spotify|deezer|tidal|sing/i, 'bars'],
  [/youtube|twitch|video/i, 'prism'],
  [/netflix|hulu|\btv\b|disney|hbo|viu|prime|cinema/i, 'frames'],
  [/roblox|craft|block|pixel/i, 'cubes'],
  [/blade|sword|saga|souls|raid|ragnarok|valor\b/i, 'swords'],
  [/moon|night|eclipse|identity|dark/i, 'eclipse'],
  [/blossom|flower|sakura|love/i, 'petals'],
  [/xbox|playstation|nintendo|console/i, 'pad'],
  [/discord|\bline\b|chat|telegram|bigo/i, 'bubbles'],
  [/amazon|lazada|shopee|walmart|ebay|flipkart/i, 'parcel'],
  [/zalando|fashion|sephora|nike|adidas|ikea/i, 'tags'],
  [/grab|food|uber eats|doordash|starbucks|deliver|restaurant/i, 'bowl'],
  [/uber|taxi|ride|fuel|shell|petrol/i, 'wheel'],
  [/airbnb|hotel|booking|travel|flight/i, 'peaks'],
  [/razer|thunder|power|volt|energy|flash/i, 'bolt'],
  [/steam|sea\b|ocean|wave/i, 'waves'],
  [/wing|phoenix|apex/i, 'fan'],
  [/pok|arcade|8-bit|invader/i, 'sprite'],
  [/garden|green|leaf/i, 'leaf'],
  [/audio|headset|skype/i, 'headset'],
  [/vpn|kaspersky|security|antivirus/i, 'shield'],
  [/microsoft|windows|office|cloud/i, 'cubes'],
  [/crystal|shard/i, 'crystals'],
  [/diamond/i, 'gem'],
]

/** What the hash chooses from when no word of the name decides. */
const POOLS: Readonly<Record<CoverKind, readonly [MotifName, ...MotifName[]]>> = {
  topup: ['star', 'planet', 'swords', 'token', 'fan', 'eclipse', 'petals', 'peaks', 'crystals', 'gem', 'shield', 'crown', 'bolt', 'sprite', 'waves'],
  gift: ['truchet', 'arches', 'ribbon', 'rings', 'petals', 'tags', 'parcel', 'frames', 'leaf', 'waves'],
  pin: ['token', 'coins', 'bolt', 'cubes', 'truchet', 'star', 'prism'],
  sim: ['signal', 'rings', 'truchet', 'arches', 'waves', 'peaks', 'petals', 'fan', 'bolt', 'bubbles', 'star', 'leaf', 'planet'],
  data: ['bars', 'signal', 'rings', 'waves'],
  sub: ['frames', 'prism', 'bars', 'arches', 'rings', 'ribbon', 'headset', 'petals', 'planet', 'eclipse', 'star', 'leaf', 'truchet'],
}

export function chooseMotif(name: string, kind: CoverKind, h: number): MotifName {
  return HINTS.find(([words]) => words.test(name))?.[1] ?? pick(POOLS[kind], h >>> 17)
}
