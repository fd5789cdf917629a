import { hash, pick, randomFrom } from './chance.ts'
import { groundPattern } from './ground.ts'
import { BLEEDING, chooseMotif, motifs } from './motifs.ts'
import { breakLines, shortName } from './names.ts'
import { coverObject, sheetOf } from './object.ts'
import type { CoverObject, Sheet } from './object.ts'
import { palette } from './palette.ts'
import type { CoverRatio, CoverRecipe } from './recipe.ts'
import { escapeXml, rect } from './shapes.ts'
import { drawTitle, placeTitle, systemTitle } from './title.ts'
import type { TitleBlock } from './title.ts'

/**
 * Cover art as an SVG text of 2 to 7 KB: no fonts, no bitmaps, no marks of others. The object says the kind, the
 * lettering the name, the motif the world, the colour the brand. The same recipe always gives the same picture.
 */
export function cover(recipe: CoverRecipe, ratio: CoverRatio = '3:4'): string {
  const { name, kind, tag = '' } = recipe
  const lettering = (recipe.short ?? shortName(name)).toUpperCase().trim()
  const h = hash((recipe.seed ?? lettering) || name)
  const random = randomFrom(h)
  const colours = palette(recipe.color, hash(`${recipe.seed ?? lettering}#`))
  const id = `c${(hash(name + kind + ratio) % 1e6).toString(36)}`
  const sheet = sheetOf(ratio)
  const object = coverObject(kind, sheet, colours, tag)
  const lines = lettering ? breakLines(lettering) : []
  const block = placeTitle(lines, sheet, object, kind === 'topup' && !tag, kind === 'pin', h)
  const title = lines.length
    ? drawTitle(block, sheet, colours, h, id)
    : systemTitle(name, block, sheet, object.bottom, colours)

  const motif = recipe.motif ?? chooseMotif(name, kind, h)
  const bleeds = BLEEDING.has(motif)
  const { x, y, R } = placeMotif(sheet, object, block, bleeds, kind === 'sim' || kind === 'data', h)
  const pattern = bleeds ? pick([0, 1, 4, 7], h >>> 21) : (h >>> 21) % 8
  const { tones: m, accent, accentDeep, background } = colours
  const art = motifs[motif]({ x, y, R, W: sheet.W, H: sheet.H, m, accent, accentDeep, random })
  const body =
    rect(0, 0, sheet.W, sheet.H, background) +
    groundPattern(pattern, sheet.W, sheet.H, colours, x, y) +
    keepOffTitle(art, sheet, object, block, id) +
    (bleeds || pattern || !lines.length
      ? quietZone(sheet, object, block, bleeds, background)
      : '') +
    title +
    object.over
  return framed(name, sheet, id, object.holes, body)
}

function framed(name: string, { W, H }: Sheet, id: string, holes: string, body: string): string {
  const content = holes
    ? `<mask id="${id}m"><rect width="${W}" height="${H}" fill="#fff"/>${holes}</mask><g mask="url(#${id}m)">${body}</g>`
    : body
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${W} ${H}" role="img" aria-label="${escapeXml(name)}">${content}</svg>`
}

function placeMotif(
  sheet: Sheet,
  object: CoverObject,
  block: TitleBlock,
  bleeds: boolean,
  belowChip: boolean,
  h: number,
) {
  const { W, wide, pad } = sheet
  const room = object.bottom - object.top
  if (wide) return { x: W * 0.76, y: object.top + room / 2, R: room * 0.37 }
  const from = block.high ? block.top + block.height + pad * 0.6 : object.top + (belowChip ? 44 : 0)
  const to = block.high ? object.bottom : block.top - pad * 0.5
  const y = (from + to) / 2
  const R = Math.min(W * 0.42, (to - from) * 0.45)
  const nudge = (h >>> 19) % 4
  if (!bleeds && nudge === 1) return { x: W * 0.64, y, R: R * 1.12 }
  if (!bleeds && nudge === 2) return { x: W * 0.38, y, R: R * 1.12 }
  return { x: W / 2, y, R }
}

/** On wide sheets art and lettering stand side by side; else the art is clipped where the lettering begins. */
function keepOffTitle(
  art: string,
  sheet: Sheet,
  object: CoverObject,
  block: TitleBlock,
  id: string,
): string {
  const { W, H, wide, pad } = sheet
  if (wide) return art
  const free = block.high
    ? rect(0, block.top + block.height + pad * 0.7, W, H, '#000')
    : rect(0, object.top, W, block.top - pad * 0.7 - object.top, '#000')
  return `<clipPath id="${id}a">${free}</clipPath><g clip-path="url(#${id}a)">${art}</g>`
}

/** Plain ground behind the lettering: its contrast is against this colour and nothing else. */
function quietZone(
  sheet: Sheet,
  object: CoverObject,
  block: TitleBlock,
  bleeds: boolean,
  background: string,
): string {
  const { W, wide, pad } = sheet
  if (wide)
    return bleeds ? rect(0, object.top, W * 0.56, object.bottom - object.top, background) : ''
  if (block.high)
    return rect(0, object.top, W, block.top + block.height + pad * 0.7 - object.top, background)
  return rect(0, block.top - pad * 0.7, W, object.bottom - block.top + pad * 0.7, background)
}
