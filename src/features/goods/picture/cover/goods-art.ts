import { luminance, mix } from './colour.ts'
import { blankCard, coloursOf, designOf, inked } from './cover.ts'
import { MOTIFS, standOf, type MotifName } from './motif.ts'
import type { CoverRatio, CoverRecipe } from './recipe.ts'
import { VIEWS } from './scene.ts'
import { circle, n1, rect } from './shapes.ts'

/** Cards that stand or hang beside one another, or the motif of one over the whole width. */
export const GOODS_VIEWS = ['shelf', 'banner'] as const
export type GoodsView = (typeof GOODS_VIEWS)[number]

/** As many as can be told apart. */
export const MOST_GOODS = 3

/** Goods as objects, without lettering: what an article is about, or the world of a game. */
export function goodsArt(
  view: GoodsView,
  goods: readonly CoverRecipe[],
  ratio: CoverRatio,
  isMirrored: boolean,
): string {
  const [first] = goods
  if (first === undefined) throw new RangeError('no goods to draw')
  const [W, H] = VIEWS[ratio]
  const drawn =
    view === 'banner' ? banner(first, W, H, isMirrored) : shelf(first, goods, W, H, isMirrored)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${W} ${H}">${drawn}</svg>`
}

/** Height of a card in parts of the picture's, by how many there are. */
const CARD_HEIGHTS = [0.7, 0.66, 0.56]
const TURNS = [-3, 2, -2]
const RAIL = 0.13
const BOARD = 0.9

/** Cards made to be hung do so from a rail, all others stand on a board, on a tint of the first one's colour. */
function shelf(
  first: CoverRecipe,
  goods: readonly CoverRecipe[],
  W: number,
  H: number,
  isMirrored: boolean,
): string {
  const isHanging = first.kind === 'gift'
  const shown = goods.slice(0, W > H ? MOST_GOODS : 1)
  const k = ((CARD_HEIGHTS[shown.length - 1] ?? 0.5) * H) / CARD.height
  const gap = W * 0.05
  const left = (W - shown.length * CARD.width * k - (shown.length - 1) * gap) / 2
  const y = isHanging ? H * RAIL - CARD.slot * k : H * BOARD - CARD.height * k
  const cards = (isMirrored ? [...shown].reverse() : shown).map((recipe, at) => {
    const x = left + at * (CARD.width * k + gap)
    const turn = isHanging ? ` rotate(${TURNS[at]} ${CARD.width / 2} ${CARD.slot})` : ''
    return `<g transform="translate(${n1(x)} ${n1(y)})scale(${k.toFixed(3)})${turn}">${wholeCard(recipe, at, isMirrored)}</g>`
  })
  const tint = strongestOf(first)
  const line = mix(tint, '#000000', 0.25)
  const behind = circle(W / 2, H * 0.52, Math.min(W, H) * 0.52, mix(tint, '#ffffff', 0.64))
  const held = isHanging
    ? rect(0, n1(H * RAIL) - 3, W, 6, mix(line, '#ffffff', 0.4))
    : rect(0, n1(H * BOARD), W, n1(H * (1 - BOARD)), mix(tint, '#ffffff', 0.5)) +
      rect(0, n1(H * BOARD), W, 4, mix(line, '#ffffff', 0.4))
  return rect(0, 0, W, H, mix(tint, '#ffffff', 0.78)) + behind + held + cards.join('')
}

/** `slot`: middle of the hole it hangs by. */
const CARD = { width: 300, height: 400, slot: 25.5 }

/** With round corners, and names of its own for what it clips by. */
function wholeCard(recipe: CoverRecipe, at: number, isMirrored: boolean): string {
  const card = blankCard(recipe, isMirrored).replace(/(id="|url\(#)(\w+)/g, `$1$2${at}`)
  return `<clipPath id="r${at}"><rect width="${CARD.width}" height="${CARD.height}" rx="18"/></clipPath><g clip-path="url(#r${at})">${card}</g>`
}

/** The motif large, and smaller ones of it about: parts of the width and height, size, and how much of it shows. */
const CROWD = [
  { x: 0.37, y: 0.56, size: 0.2, opacity: 0.22 },
  { x: 0.93, y: 0.58, size: 0.26, opacity: 0.35 },
  { x: 0.53, y: 0.47, size: 0.28, opacity: 0.35 },
  { x: 0.73, y: 0.5, size: 0.5, opacity: 1 },
] as const

/** What matters stands in the middle third of the height: a wide place shows no more of it. */
function banner(recipe: CoverRecipe, W: number, H: number, isMirrored: boolean): string {
  const { motif, inks } = designOf(recipe)
  const colours = coloursOf(inks)
  const [ground] = colours
  const shade = mix(ground, luminance(ground) > 0.4 ? '#000000' : '#ffffff', 0.08)
  const at = (x: number) => (isMirrored ? 1 - x : x) * W
  const main = CROWD[CROWD.length - 1]
  const art =
    standOf(motif) === 'field'
      ? fill(motif, W, H)
      : CROWD.map(({ x, y, size, opacity }) =>
          placed(motif, { x: at(x), y: y * H, size: size * H, opacity }),
        ).join('')
  return (
    rect(0, 0, W, H, ground) +
    circle(at(main?.x ?? 0.5), H / 2, H * 0.42, shade) +
    inked(art, colours)
  )
}

function fill(motif: MotifName, W: number, H: number): string {
  const k = Math.max(W, H) / 100
  return `<g transform="translate(${n1((W - 100 * k) / 2)} ${n1((H - 100 * k) / 2)})scale(${k.toFixed(3)})">${MOTIFS[motif].art}</g>`
}

interface Place {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly opacity: number
}

/** The motif's measured box around a point. */
function placed(motif: MotifName, { x, y, size, opacity }: Place): string {
  const [left, top, width, height] = MOTIFS[motif].box
  const k = Math.min(size / height, (size * 1.5) / width)
  const faint = opacity === 1 ? '' : ` opacity="${opacity}"`
  return `<g transform="translate(${n1(x - (left + width / 2) * k)} ${n1(y - (top + height / 2) * k)})scale(${k.toFixed(3)})"${faint}>${MOTIFS[motif].art}</g>`
}

/** The most colourful of a cover's ground and main shape. */
function strongestOf(recipe: CoverRecipe): string {
  const [ground, main] = coloursOf(designOf(recipe).inks)
  return colourfulness(main) > colourfulness(ground) * 1.5 ? main : ground
}

function colourfulness(hex: string): number {
  const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  return Math.max(...parts) - Math.min(...parts) + 1
}
