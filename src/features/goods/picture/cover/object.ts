import type { Voice } from './alphabet.ts'
import { contrast, luminance, mix } from './colour.ts'
import { READABLE } from './inks.ts'
import { linePath, measure } from './lettering.ts'
import type { CoverKind } from './recipe.ts'
import { n1, rect } from './shapes.ts'
import { edge, MARGIN, type Sheet } from './sheet.ts'

/** The object whose shape says the kind of goods; no printed word does. */
export interface CoverObject {
  /** Where lettering and art may begin and end. */
  readonly top: number
  readonly foot: number
  /** Outline of a sheet that is not whole, with its holes: the page shows through. Null for a whole one. */
  readonly outline: string | null
}

const FOIL = 30
const SCALLOP = 9.5

export function coverObject(kind: CoverKind, sheet: Sheet): CoverObject {
  const { W, H } = sheet
  switch (kind) {
    case 'topup':
      return { top: MARGIN, foot: H, outline: null }
    case 'pin':
      return { top: MARGIN, foot: H - FOIL, outline: null }
    case 'gift':
      return { top: 44, foot: H, outline: `M0 0H${W}V${H}H0Z${slot(W / 2)}` }
    case 'sub':
      return { top: MARGIN, foot: H - 15, outline: scallops(sheet) }
    case 'sim':
    case 'data':
      return { top: CHIP.y + CHIP.height + 14, foot: H, outline: cutCorner(sheet) }
  }
}

/** The punched euro slot a card hangs by. */
function slot(middle: number): string {
  return `M${middle - 26} 18h15a11 11 0 0 1 22 0h15a7.5 7.5 0 0 1 0 15h-52a7.5 7.5 0 0 1 0-15z`
}

/** A ticket's torn edge. */
function scallops({ W, H }: Sheet): string {
  const count = Math.round(W / 33.3)
  const step = W / count
  const gap = n1(step - SCALLOP * 2)
  const bites = `h${-gap}a${SCALLOP} ${SCALLOP} 0 0 0 ${-SCALLOP * 2} 0`.repeat(count)
  return `M0 0H${W}V${H}h${gap / 2}${bites}H0Z`
}

const CORNER = 51
const CHIP = { y: 24, width: 46, height: 36 }
const CONTACT_GOLD = '#e8c766'
const CONTACT_LINE = '#9a7a2a'

function cutCorner({ W, H, isMirrored }: Sheet): string {
  return isMirrored
    ? `M${CORNER} 0H${W}V${H}H0V${CORNER}Z`
    : `M0 0H${W - CORNER}L${W} ${CORNER}V${H}H0Z`
}

export interface ObjectInks {
  readonly ground: string
  readonly accent: string
  readonly letters: string
  /** Behind the lettering: the ground or the horizon's band. */
  readonly behind: string
}

/** What is printed on the object over art and lettering. */
export function drawOver(
  kind: CoverKind,
  tag: string,
  sheet: Sheet,
  isUnderTitle: boolean,
  inks: ObjectInks,
): string {
  const chip = kind === 'sim' || kind === 'data' ? drawChip(sheet, kind === 'data', inks) : ''
  const foil = kind === 'pin' ? drawFoil(sheet, inks.behind) : ''
  const hasTag = tag !== '' && !sheet.isSmall
  return chip + foil + (hasTag ? drawTag(kind, tag, sheet, isUnderTitle, inks) : '')
}

/** Three groups of four dots under scratch foil. */
function drawFoil(sheet: Sheet, behind: string): string {
  const { W, H, isSmall } = sheet
  const foil = mix(behind, '#000000', luminance(behind) > 0.5 ? 0.16 : 0.38)
  const strip = rect(0, H - FOIL, W, FOIL, foil)
  if (isSmall) return strip
  const dot = contrast('#ffffff', foil) > 2.6 ? '#fff' : '#15151a'
  const dots = Array.from({ length: 12 }, (_, at) => {
    const x = MARGIN + 5 + at * 18 + Math.floor(at / 4) * 16
    return `M${edge(sheet, x, 0)} ${H - FOIL / 2}h0`
  }).join('')
  return `${strip}<path stroke="${dot}" stroke-width="7" stroke-linecap="round" stroke-opacity=".85" d="${dots}"/>`
}

function drawChip(sheet: Sheet, hasSteps: boolean, { letters }: ObjectInks): string {
  const { y, width, height } = CHIP
  const x = edge(sheet, MARGIN, width)
  const lines = `M${x} ${y + 12}h14m18 0h14M${x} ${y + 24}h14m18 0h14M${x + 14} ${y}v${height}M${x + width - 14} ${y}v${height}`
  const steps = [0, 1, 2, 3]
    .map((at) => {
      const high = (at + 1) * 9
      return rect(
        edge(sheet, MARGIN + width + 14 + at * 11, 7),
        y + height - high,
        7,
        high,
        letters,
        2,
      )
    })
    .join('')
  return `${rect(x, y, width, height, CONTACT_GOLD, 7)}<path fill="none" stroke="${CONTACT_LINE}" stroke-width="2" d="${lines}"/>${hasSteps ? steps : ''}`
}

const TAG_VOICE: Voice = { weight: 0.17, width: 0.8, track: 0.16 }
const TAG_CAP = 13

/** A plate in the ink, at the head of the sheet; at its foot where the title stands at the head. */
function drawTag(
  kind: CoverKind,
  tag: string,
  sheet: Sheet,
  isUnderTitle: boolean,
  { ground, accent, letters }: ObjectInks,
): string {
  const { W, H } = sheet
  const text = tag.toUpperCase()
  const room = kind === 'gift' && !isUnderTitle ? W / 2 - 66 : W / 2
  const cap = Math.min(TAG_CAP, room / measure(text, TAG_VOICE))
  const width = measure(text, TAG_VOICE) * cap
  const foot = kind === 'pin' ? H - FOIL : kind === 'sub' ? H - 15 : H
  const plateX = edge(
    sheet,
    W - 30 - width - (kind === 'sim' || kind === 'data' ? CORNER : 0),
    width + 16,
  )
  const plateY = isUnderTitle ? foot - 39 : 14
  const plate = contrast(letters, ground) >= READABLE ? letters : accent
  const print = [ground, '#15151a', '#ffffff'].sort(
    (a, b) => Number(contrast(b, plate) >= READABLE) - Number(contrast(a, plate) >= READABLE),
  )[0]
  return (
    rect(plateX - 3, plateY - 3, width + 22, 31, ground, 10) +
    rect(plateX, plateY, width + 16, 25, plate, 7) +
    `<path fill="none" stroke="${print}" stroke-width="${n1(cap * TAG_VOICE.weight)}" stroke-linecap="square" d="${linePath(text, plateX + 8, plateY + 12.5 - cap / 2, cap, TAG_VOICE)}"/>`
  )
}
