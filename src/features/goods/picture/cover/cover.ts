import { contrast, luminance } from './colour.ts'
import { chooseDesign } from './choose.ts'
import { drawGround, groundShade } from './ground.ts'
import { INKS, READABLE } from './inks.ts'
import { artEdge, layArt, type Field } from './layout.ts'
import { coverObject, drawOver, type CoverObject } from './object.ts'
import type { CoverDesign, CoverRatio, CoverRecipe } from './recipe.ts'
import { escapeXml, n1, rect } from './shapes.ts'
import { GAP, MARGIN, sheetOf, type Sheet } from './sheet.ts'
import { drawTitle, setTitle, type Title } from './title.ts'

export interface CoverForm {
  readonly ratio?: CoverRatio
  /** For 96 pixels and less. */
  readonly isSmall?: boolean
  /** For right-to-left pages. */
  readonly isMirrored?: boolean
}

/**
 * A small poster: the name and one witty object, in four inks. An SVG text of a few KB without fonts, filters, masks or
 * gradients, and without marks of others. The same recipe always gives the same picture.
 */
export function cover(recipe: CoverRecipe, form: CoverForm = {}): string {
  const { ratio = '3:4', isSmall = false, isMirrored = false } = form
  if (ratio === 'card') return linkPreview(recipe, isMirrored)
  const sheet = sheetOf(ratio, { isSmall, isMirrored })
  return svg(sheet.W, sheet.H, recipe.name, drawSheet(recipe, sheet))
}

function svg(width: number, height: number, name: string, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(name)}">${content}</svg>`
}

const PREVIEW = { W: 1200, H: 630, ground: '#ffd21f', night: '#15151a', turn: 6, cardHeight: 540 }

/** The card, a little turned, on the shop's yellow; a yellow card on black. */
function linkPreview(recipe: CoverRecipe, isMirrored: boolean): string {
  const { W, H, turn, cardHeight } = PREVIEW
  const [own] = coloursOf(designOf(recipe).inks)
  const ground = contrast(own, PREVIEW.ground) < 1.2 ? PREVIEW.night : PREVIEW.ground
  const sheet = sheetOf('3:4', { isSmall: false, isMirrored })
  const k = cardHeight / sheet.H
  const x = (W - sheet.W * k) / 2
  const y = (H - cardHeight) / 2
  const card =
    `<clipPath id="c"><rect width="${sheet.W}" height="${sheet.H}" rx="18"/></clipPath>` +
    `<g transform="rotate(${isMirrored ? -turn : turn} ${W / 2} ${H / 2})translate(${n1(x)} ${n1(y)})scale(${k})"><g clip-path="url(#c)">${drawSheet(recipe, sheet)}</g></g>`
  return svg(W, H, recipe.name, rect(0, 0, W, H, ground) + card)
}

/** The design a recipe is drawn by: what it does not say, the rule says. */
export function designOf({ name, kind, color, short, design = {} }: CoverRecipe): CoverDesign {
  return chooseDesign({ code: name, name, kind, color, short, categories: [] }, design)
}

/** A sheet on which everything has its place: what the drawing and its tests look at. */
export interface SetSheet {
  readonly title: Title
  /** Top of the title. */
  readonly titleTop: number
  readonly field: Field
  /** Colours that lie behind the lettering. */
  readonly behind: readonly string[]
  /** Of the ground's figure. */
  readonly shade: string
  readonly letters: string
  readonly numerals: string
}

export function setSheet(
  design: CoverDesign,
  object: CoverObject,
  isHanging: boolean,
  sheet: Sheet,
): SetSheet {
  const title = setTitle(design.lines, design.voice, sheet)
  const isHead = design.title === 'top' && !sheet.isWide && design.layout !== 'horizon'
  const whole = title.height + title.drop
  const titleTop = isHead
    ? object.top + (isHanging ? 0 : 2)
    : object.foot - MARGIN + (object.foot < sheet.H - 20 ? 4 : 0) - whole
  const head = object.top - (isHanging ? 8 : 0)
  const field: Field = {
    top: isHead ? titleTop + whole + GAP : head,
    foot: isHead || (sheet.isWide && design.layout !== 'horizon') ? object.foot : titleTop - GAP,
    left: artEdge(sheet),
    isUnderTitle: isHead,
    isHanging,
  }
  return { title, titleTop, field, ...letteringInks(design, sheet) }
}

function letteringInks({ inks, ink, layout, ground }: CoverDesign, { isSmall }: Sheet) {
  const [c1, c2, c3, c4] = coloursOf(inks)
  const letters = INKS[ink]
  const band = layout === 'horizon' ? c3 : c1
  const hasShade = layout !== 'horizon' && !isSmall && ['split', 'diagonal', 'sun'].includes(ground)
  const shade = groundShade(c1, letters)
  const behind = hasShade ? [band, shade] : [band]
  const reads = (colour: string) => behind.every((back) => contrast(colour, back) >= READABLE)
  return {
    behind,
    shade,
    letters,
    numerals: [c4, c2, c3].find((colour) => colour !== letters && reads(colour)) ?? letters,
  }
}

export function coloursOf(inks: CoverDesign['inks']): [string, string, string, string] {
  const [c1 = 'paper', c2 = 'ink', c3 = 'graphite', c4 = 'amber'] = inks
  return [INKS[c1], INKS[c2], INKS[c3], INKS[c4]]
}

/** The goods as an object alone, for pictures in which they stand among others: no lettering, so that one drawing serves every language. On 300 by 400. */
export function blankCard(recipe: CoverRecipe, isMirrored: boolean): string {
  const { kind } = recipe
  const sheet = sheetOf('3:4', { isSmall: false, isMirrored })
  const { motif, inks, layout, ink } = designOf(recipe)
  const colours = coloursOf(inks)
  const [ground, , band, accent] = colours
  const object = coverObject(kind, sheet)
  const isHorizon = layout === 'horizon'
  const field: Field = {
    top: object.top + MARGIN,
    foot: isHorizon ? sheet.H - HORIZON : object.foot - (layout === 'field' ? 0 : MARGIN),
    left: 0,
    isUnderTitle: false,
    isHanging: kind === 'gift',
  }
  const behind = isHorizon ? band : ground
  const body =
    rect(0, 0, sheet.W, sheet.H, ground) +
    (isHorizon ? rect(0, field.foot, sheet.W, HORIZON, band) : '') +
    inked(
      layArt(isHorizon || layout === 'field' ? layout : 'centre', motif, sheet, field),
      colours,
    ) +
    drawOver(kind, '', sheet, false, { ground, accent, letters: INKS[ink], behind }) +
    hairline(ground, sheet)
  return object.outline === null
    ? body
    : `<clipPath id="o"><path clip-rule="evenodd" d="${object.outline}"/></clipPath><g clip-path="url(#o)">${body}</g>`
}

/** Height of the band that buildings and vehicles stand on. */
const HORIZON = 84

function drawSheet(recipe: CoverRecipe, sheet: Sheet): string {
  const { kind, tag = '' } = recipe
  const design = designOf(recipe)
  const { W, H, isSmall } = sheet
  const colours = coloursOf(design.inks)
  const [ground, , band, accent] = colours
  const object = coverObject(kind, sheet)
  const set = setSheet(design, object, kind === 'gift', sheet)
  const { field, title, titleTop, letters, numerals } = set
  const behind = set.behind[0] ?? ground
  const cx = field.left + (W - field.left) / 2
  const figure = isSmall
    ? ''
    : drawGround(design.ground, ground, set.shade, {
        sheet,
        cx: sheet.isMirrored ? W - cx : cx,
        cy: (field.top + field.foot) / 2,
        ...field,
      })
  const horizon = design.layout === 'horizon' ? rect(0, field.foot, W, H - field.foot, band) : ''
  const art = inked(layArt(design.layout, design.motif, sheet, field), colours)
  const body =
    rect(0, 0, W, H, ground) +
    figure +
    horizon +
    art +
    drawTitle(title, sheet, titleTop, { letters, numerals, behind }) +
    drawOver(kind, tag, sheet, field.isUnderTitle, { ground, accent, letters, behind }) +
    hairline(ground, sheet)
  return object.outline === null
    ? body
    : `<clipPath id="o"><path clip-rule="evenodd" d="${object.outline}"/></clipPath><g clip-path="url(#o)">${body}</g>`
}

export function inked(art: string, colours: readonly [string, string, string, string]): string {
  return art.replace(/\$([1-4])/g, (_, at: string) => colours[Number(at) - 1] ?? '')
}

/** White cards survive on light pages, black ones on dark pages. */
function hairline(ground: string, { W, H }: Sheet): string {
  const line = luminance(ground) > 0.35 ? '#000' : '#fff'
  return `<rect x=".75" y=".75" width="${W - 1.5}" height="${H - 1.5}" rx="17" fill="none" stroke="${line}" stroke-opacity=".09" stroke-width="1.5"/>`
}
