import { hash } from './hash.ts'
import type { CoverRatio } from './recipe.ts'
import { SCENES } from './scenes.ts'
import { rect } from './shapes.ts'

export type SceneName = keyof typeof SCENES
export const SCENE_NAMES = Object.keys(SCENES) as [SceneName, ...SceneName[]]

/** What is seen of a scene in each ratio: the whole height of it, or the whole width. */
export const VIEWS: Readonly<Record<CoverRatio, readonly [width: number, height: number]>> = {
  '16:10': [640, 400],
  '2:1': [640, 320],
  '1:1': [400, 400],
  '3:4': [300, 400],
  card: [640, 336],
}

export function scene(name: SceneName, ratio: CoverRatio, isMirrored: boolean): string {
  const { ground, art } = SCENES[name]
  const [W, H] = VIEWS[ratio]
  const y = 360 - (400 + H) / 2
  const x = (640 - W) / 2
  const place = isMirrored ? `translate(${W + x} ${-y})scale(-1 1)` : `translate(${-x} ${-y})`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${W} ${H}">${rect(0, 0, W, H, ground)}<g transform="${place}">${art}</g></svg>`
}

/** Categories of the news that the scenes were drawn for. */
const OF_CATEGORY: Readonly<Record<string, SceneName>> = {
  company: 'company-dawn',
  games: 'games-evening',
  guides: 'guides-crossroads',
  mobile: 'mobile-hilltop',
  payments: 'payments-bridge',
  'product-news': 'product-news-reveal',
  promotions: 'promotions-balloon',
  safety: 'safety-night',
}
/** It runs from the wallet to the shop: mirrored where reading runs that way, and nowhere else. */
const DIRECTED: SceneName = 'payments-bridge'

export interface SceneOfArticle {
  readonly scene: SceneName
  readonly isMirrored: boolean
}

/** An article as its scene is chosen by. */
export interface SceneSubject {
  readonly category: string | null
  /** It shows something else, and takes no scene. */
  readonly hasPicture: boolean
}

/** How far articles look back in the list: none of these has the same scene, which keeps them apart in rows of three. */
const SCENE_REACH = 3

/**
 * The scenes of articles in the order in which they stand: that of the category, unless one of the articles just before has it, or the
 * one before in the category, which it follows in the category's own list; then the next that is free. A category of the shop's own has
 * one of the scenes for good.
 */
export function scenesOf(
  articles: readonly SceneSubject[],
  isRightToLeft: boolean,
): readonly (SceneOfArticle | null)[] {
  const chosen: (SceneName | null)[] = []
  const lastOf = new Map<string, SceneName | null>()
  for (const { category, hasPicture } of articles) {
    const code = category ?? ''
    const taken = [...chosen.slice(-SCENE_REACH), lastOf.get(code) ?? null]
    const own = sceneOfCategory(code)
    const from = SCENE_NAMES.indexOf(own)
    const free = [...SCENE_NAMES.slice(from), ...SCENE_NAMES].find((name) => !taken.includes(name))
    const scene = hasPicture ? null : (free ?? own)
    chosen.push(scene)
    lastOf.set(code, scene)
  }
  return chosen.map(
    (name) => name && { scene: name, isMirrored: name === DIRECTED && isRightToLeft },
  )
}

function sceneOfCategory(category: string): SceneName {
  const known = Object.hasOwn(OF_CATEGORY, category) ? OF_CATEGORY[category] : undefined
  return known ?? SCENE_NAMES[hash(category) % SCENE_NAMES.length] ?? 'company-dawn'
}
