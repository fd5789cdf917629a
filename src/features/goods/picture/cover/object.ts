import { contrast, lchToHex } from './colour.ts'
import { smallPrint } from './lettering.ts'
import type { Palette } from './palette.ts'
import type { CoverKind, CoverRatio } from './recipe.ts'
import { n1, rect } from './shapes.ts'

/** The blank sheet of a ratio. */
export type Sheet = { W: number; H: number; wide: boolean; pad: number }

export function sheetOf(ratio: CoverRatio): Sheet {
  switch (ratio) {
    case '3:4':
      return { W: 300, H: 400, wide: false, pad: 24 }
    case '1:1':
      return { W: 300, H: 300, wide: false, pad: 24 }
    case '16:10':
      return { W: 480, H: 300, wide: true, pad: 28 }
    case '2:1':
      return { W: 480, H: 240, wide: true, pad: 28 }
  }
}

/** The object whose shape says the kind of goods. Art and lettering lie between `top` and `bottom`. */
export type CoverObject = {
  top: number
  bottom: number
  /** Drawn over art and lettering. */
  over: string
  /** Black shapes that are cut out of the sheet; the page shows through. */
  holes: string
}

export function coverObject(
  kind: CoverKind,
  sheet: Sheet,
  colours: Palette,
  tag: string,
): CoverObject {
  switch (kind) {
    case 'topup':
      return { top: 0, bottom: sheet.H, over: tagPlate(tag, sheet, colours), holes: '' }
    case 'gift':
      return hangingCard(sheet, colours, tag)
    case 'pin':
      return scratchCard(sheet, colours, tag)
    case 'sim':
    case 'data':
      return simCard(kind, sheet, colours, tag)
    case 'sub':
      return ticket(sheet, colours, tag)
  }
}

function tagPlate(tag: string, { W }: Sheet, colours: Palette): string {
  if (!tag) return ''
  const w = tag.length * 14 + 14
  return (
    rect(W - 16 - w, 14, w, 28, colours.panel, 8) +
    smallPrint(tag, W - 16 - w / 2, 21, 14, '#ffffff', 'middle')
  )
}

/** A header strip with the punched euro slot it hangs by. */
function hangingCard({ W, H, wide, pad }: Sheet, colours: Palette, tag: string): CoverObject {
  const top = Math.round(H * (wide ? 0.17 : 0.145))
  const middle = top / 2
  const strip = { pale: colours.tones[1], deep: colours.tones[2], solid: colours.tones[0] }[
    colours.ground
  ]
  const print = contrast('#ffffff', strip) >= 4.5 ? '#ffffff' : colours.tones[0]
  return {
    top,
    bottom: H,
    over:
      rect(0, 0, W, top, strip) +
      (tag ? smallPrint(tag, W - pad, middle - 7.5, 15, print, 'end', 0.17) : '') +
      smallPrint('GIFT', pad, middle - 7.5, 15, print, 'start', 0.17),
    holes: `<path fill="#000" d="M${W / 2 - 26} ${middle - 8}h16a10 10 0 0 1 20 0h16a8 8 0 0 1 0 16h-52a8 8 0 0 1 0-16z"/>`,
  }
}

/** A foil strip along the foot with three groups of four dots. */
function scratchCard(sheet: Sheet, colours: Palette, tag: string): CoverObject {
  const { W, H, pad } = sheet
  const foil = Math.round(H * 0.15)
  const bottom = H - foil
  let hatching = ''
  for (let i = -2; i < W / 9 + 3; i++) hatching += `M${i * 9} ${H}l${foil * 0.6} ${-foil}`
  let dots = ''
  for (let i = 0; i < 12; i++)
    dots += `M${n1(pad + 9 + (i * (W - pad * 2 - 18)) / 11 + (Math.floor(i / 4) - 1) * 4)} ${H - foil / 2}h0`
  return {
    top: 0,
    bottom,
    over:
      rect(0, bottom, W, foil, colours.panel) +
      `<path d="${hatching}" stroke="#fff" stroke-opacity=".1" stroke-width="3"/>` +
      `<path d="${dots}" stroke="#fff" stroke-opacity=".9" stroke-width="8" stroke-linecap="round"/>` +
      tagPlate(tag, sheet, colours),
    holes: '',
  }
}

/** A cut corner and a contact chip; data packets also show signal steps. */
function simCard(
  kind: 'sim' | 'data',
  { W, H, pad }: Sheet,
  colours: Palette,
  tag: string,
): CoverObject {
  const corner = W * 0.17
  const chipWidth = 46
  const y = 24
  const gold = lchToHex(0.86, 0.09, 88)
  const lines = lchToHex(0.6, 0.09, 80)
  const contacts = `M${pad} ${y + 12}h14m${chipWidth - 28} 0h14M${pad} ${y + 24}h14m${chipWidth - 28} 0h14M${pad + 14} ${y}v36M${pad + chipWidth - 14} ${y}v36`
  let over = `${rect(pad, y, chipWidth, 36, gold, 7)}<path d="${contacts}" stroke="${lines}" stroke-width="2" fill="none"/>`
  if (kind === 'data')
    for (let i = 0; i < 4; i++)
      over += rect(
        pad + chipWidth + 14 + i * 11,
        y + 36 - (i + 1) * 9,
        7,
        (i + 1) * 9,
        colours.soft,
        2,
      )
  if (tag) {
    const w = tag.length * 15 + 14
    over +=
      rect(W - corner - 8 - w, y + 4, w, 28, colours.panel, 8) +
      smallPrint(tag, W - corner - 8 - w / 2, y + 11, 14, '#ffffff', 'middle')
  }
  return {
    top: 0,
    bottom: H,
    over,
    holes: `<path fill="#000" d="M${W - corner} 0H${W}V${corner}Z"/>`,
  }
}

/** A scalloped tear-off edge. */
function ticket(sheet: Sheet, colours: Palette, tag: string): CoverObject {
  const { W, H, wide } = sheet
  const count = wide ? 12 : 8
  const a = W / count
  let d = ''
  for (let i = 0; i < count; i++) d += `M${n1(a / 2 + i * a)} ${H}h0`
  return {
    top: 0,
    bottom: H - a * 0.36,
    over: tagPlate(tag, sheet, colours),
    holes: `<path d="${d}" stroke="#000" stroke-width="${n1(a * 0.56)}" stroke-linecap="round"/>`,
  }
}
