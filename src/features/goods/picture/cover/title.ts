import { VOICES, type Voice, type VoiceName } from './alphabet.ts'
import { bridges, hasDescender, isDrawable, isRaised, linePath, measure } from './lettering.ts'
import { escapeXml, n1, rect } from './shapes.ts'
import { edge, MARGIN, type Sheet } from './sheet.ts'

/** One line of lettering; `top` and heights are in units of the sheet, from the top of the title. */
export interface TitleLine {
  readonly text: string
  /** Part of the last line, in the accent. */
  readonly numeral: string
  readonly isSmall: boolean
  readonly cap: number
  readonly top: number
}

export interface Title {
  readonly lines: readonly TitleLine[]
  readonly voice: Voice
  /** From the first line's cap line to the last one's foot. */
  readonly height: number
  /** How far letters reach below that. */
  readonly drop: number
  /** Set in system type: the alphabet lacks its letters. */
  readonly isSystem: boolean
}

/** The tallest capitals of one, two and three lines of one size. */
const CAPS = [70, 46, 38]
const NUMERAL_SPACE = 0.3
const SMALL = { share: 0.44, least: 15, most: 24 }

interface Words {
  readonly text: string
  readonly numeral: string
  readonly isSmall: boolean
}

export function wordsOf(line: string): Words {
  const [text = '', numeral = ''] = line.replace(/^~/, '').split('^')
  return { text, numeral, isSmall: line.startsWith('~') }
}

/** Width of a line with its numeral, in cap heights. */
export function lineWidth({ text, numeral }: Words, voice: Voice): number {
  const slant = voice.look === 'slanted' ? 0.16 : 0
  return measure(text, voice) + (numeral ? NUMERAL_SPACE + measure(numeral, voice) : 0) + slant
}

export function measureOf({ W, isWide }: Sheet): number {
  return isWide ? Math.round(W * 0.46) - MARGIN : W - MARGIN * 2
}

/** One size a title: the longest line fits the measure, the others follow; none is stretched. */
export function capOf(lines: readonly Words[], voice: Voice, sheet: Sheet): number {
  const full = lines.filter(({ isSmall }) => !isSmall)
  const shape = sheet.ratio === '3:4' ? 1 : 0.82
  const most = (CAPS[full.length - 1] ?? 38) * shape * (voice.width < 0.6 ? 1.18 : 1)
  return Math.min(most, ...full.map((line) => measureOf(sheet) / lineWidth(line, voice)))
}

export function setTitle(lettering: readonly string[], voiceName: VoiceName, sheet: Sheet): Title {
  const words = lettering.map(wordsOf)
  if (!lettering.every((line) => isDrawable(wordsOf(line).text)))
    return setSystemTitle(words, sheet)
  const voice: Voice = VOICES[voiceName]
  const lines = storedLines(words, sheet)
  const cap = capOf(lines, voice, sheet)
  const set: TitleLine[] = []
  let top = 0
  lines.forEach((line, at) => {
    if (isRaised(line.text)) top += cap * 0.2
    const height = line.isSmall ? smallCap(line, cap, voice, sheet) : cap
    set.push({ ...line, cap: height, top })
    const next = lines[at + 1]
    if (!next) return
    const leading = Math.max(8, cap * (line.isSmall || next.isSmall ? 0.24 : 0.21))
    top += height + leading + (hasDescender(line.text) ? height * 0.17 : 0)
  })
  const last = set.at(-1)
  return {
    lines: set,
    voice,
    height: top + (last?.cap ?? 0),
    drop: last && hasDescender(last.text) ? last.cap * 0.24 : 0,
    isSystem: false,
  }
}

/** Small sheets carry no small lines, square ones none at the end. */
function storedLines(words: readonly Words[], sheet: Sheet): readonly Words[] {
  if (sheet.isSmall) return words.filter(({ isSmall }) => !isSmall)
  if (sheet.ratio !== '1:1') return words
  return words.slice(0, words.findLastIndex(({ isSmall }) => !isSmall) + 1)
}

/** Small lines are heavier and wider set, to stay legible. */
function smallVoice(voice: Voice): Voice {
  return {
    ...voice,
    weight: Math.max(voice.weight, 0.15),
    track: Math.max(voice.track, 0.13),
  }
}

function smallCap(line: Words, cap: number, voice: Voice, sheet: Sheet): number {
  const fits = measureOf(sheet) / lineWidth(line, smallVoice(voice))
  return Math.min(Math.max(SMALL.least, Math.min(cap * SMALL.share, SMALL.most)), fits)
}

/** Letters that the alphabet lacks: the reader's own heavy type, one line or two, nine tenths as high. */
function setSystemTitle(words: readonly Words[], sheet: Sheet): Title {
  const texts = words.map(({ text, numeral }) => [text, numeral].filter(Boolean).join(' '))
  const one = texts.join(' ')
  const lines = texts.length === 1 && systemWidth(one) > 5 ? halves(one) : texts.slice(0, 2)
  const cap = Math.min(
    (CAPS[lines.length - 1] ?? 46) * 0.9,
    ...lines.map((line) => (measureOf(sheet) / systemWidth(line)) * 0.72),
  )
  return {
    lines: lines.map((text, at) => ({
      text,
      numeral: '',
      isSmall: false,
      cap,
      top: at * cap * 1.5,
    })),
    voice: VOICES.soft,
    height: cap * (1 + (lines.length - 1) * 1.5),
    drop: cap * 0.3,
    isSystem: true,
  }
}

function halves(text: string): string[] {
  const words = text.split(' ')
  if (words.length < 2) return [text]
  const middle = Math.ceil(words.length / 2)
  return [words.slice(0, middle).join(' '), words.slice(middle).join(' ')]
}

/** In ems, guessed generously: ideographs are square, letters of alphabets less. */
function systemWidth(text: string): number {
  return Array.from(text).reduce(
    (sum, char) =>
      sum +
      (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(char)
        ? 1.05
        : 0.68),
    0.1,
  )
}

export interface TitleInks {
  readonly letters: string
  readonly numerals: string
  /** What lies behind. */
  readonly behind: string
}

/** @param top of the title on the sheet */
export function drawTitle(title: Title, sheet: Sheet, top: number, inks: TitleInks): string {
  if (title.isSystem) return drawSystemTitle(title, sheet, top, inks)
  const { voice } = title
  const isRound = voice.look === 'round'
  const set = title.lines.map((line) => setLine(line, sheet, top, voice, inks))
  const strokes = set.map(({ strokes }) => strokes).join('')
  return (
    `<g fill="none" stroke-linecap="${isRound ? 'round' : 'square'}" stroke-linejoin="${isRound ? 'round' : 'miter'}" stroke-miterlimit="3">${strokes}</g>` +
    set.map(({ cuts }) => cuts).join('')
  )
}

function setLine(
  line: TitleLine,
  sheet: Sheet,
  top: number,
  usual: Voice,
  { letters, numerals, behind }: TitleInks,
): { strokes: string; cuts: string } {
  const voice = line.isSmall ? smallVoice(usual) : usual
  const { cap } = line
  const x = edge(sheet, MARGIN, lineWidth(line, voice) * cap)
  const y = top + line.top
  const numeralX = x + (measure(line.text, voice) + NUMERAL_SPACE) * cap
  const parts = [
    { d: linePath(line.text, x, y, cap, voice), ink: letters },
    ...(line.numeral
      ? [{ d: linePath(line.numeral, numeralX, y, cap, voice), ink: numerals }]
      : []),
  ]
  const slanted = voice.look === 'slanted' ? ` transform="${slant(y + cap)}"` : ''
  const stroke = (d: string, ink: string, share: number) =>
    `<path d="${d}"${slanted} stroke="${ink}" stroke-width="${n1(cap * voice.weight * share)}"/>`
  const inlaid = voice.look === 'inlined' && !line.isSmall
  return {
    strokes:
      parts.map(({ d, ink }) => stroke(d, ink, 1)).join('') +
      (inlaid ? parts.map(({ d }) => stroke(d, behind, 0.14)).join('') : ''),
    cuts:
      voice.look === 'cut' && !line.isSmall
        ? bridges(line.text, x, cap, voice)
            .map((at) => rect(at - cap * 0.035, y - 1, cap * 0.07, cap + 2, behind))
            .join('')
        : '',
  }
}

const SLANT = -12

/** Leans lines about their foot. */
function slant(foot: number): string {
  const shift = foot * Math.tan((-SLANT * Math.PI) / 180) - 2
  return `translate(${n1(shift)} 0) skewX(${SLANT})`
}

function drawSystemTitle(title: Title, sheet: Sheet, top: number, { letters }: TitleInks): string {
  const x = sheet.isMirrored ? sheet.W - MARGIN : MARGIN
  const anchor = sheet.isMirrored ? ' text-anchor="end"' : ''
  return title.lines
    .map(
      (line) =>
        `<text x="${x}" y="${n1(top + line.top + line.cap)}" font-size="${n1(line.cap / 0.72)}" font-weight="800" font-family="system-ui,sans-serif" fill="${letters}"${anchor}>${escapeXml(line.text)}</text>`,
    )
    .join('')
}
