import { hash } from './hash.ts'
import type { CoverRatio } from './recipe.ts'
import { SCENES } from './scenes.ts'
import { rect } from './shapes.ts'

export type SceneName = keyof typeof SCENES
export const SCENE_NAMES = Object.keys(SCENES) as [SceneName, ...SceneName[]]

/** What is seen of a scene in each ratio: the whole height of it, or the whole width. */
const VIEWS: Readonly<Record<CoverRatio, readonly [width: number, height: number]>> = {
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

/**
 * The scenes of articles in the order in which they stand. Of two that follow one another with the same scene, the second is
 * mirrored. A category of the shop's own has one of the scenes for good.
 */
export function scenesOf(
  categories: readonly (string | null)[],
  isRightToLeft: boolean,
): readonly SceneOfArticle[] {
  let before: SceneOfArticle | undefined
  return categories.map((category) => {
    const name = sceneOfCategory(category ?? '')
    const isMirrored =
      name === DIRECTED ? isRightToLeft : before?.scene === name && !before.isMirrored
    before = { scene: name, isMirrored }
    return before
  })
}

function sceneOfCategory(category: string): SceneName {
  const known = Object.hasOwn(OF_CATEGORY, category) ? OF_CATEGORY[category] : undefined
  return known ?? SCENE_NAMES[hash(category) % SCENE_NAMES.length] ?? 'company-dawn'
}
