/** Colours that an owner chooses, by what they are for. */
export const COLOURS = ['accent', 'on_accent', 'links', 'page', 'panels', 'text'] as const
export type ColourName = (typeof COLOURS)[number]

export const SCHEMES = ['light', 'dark'] as const
export type Scheme = (typeof SCHEMES)[number]

export const CORNERS = ['square', 'soft', 'round'] as const
export type Corners = (typeof CORNERS)[number]

/** `#rrggbb` in small letters. */
export type Colour = string

export type Palette = Readonly<Partial<Record<ColourName, Colour>>>

/** How the shop looks where its owner says so; what is left out is as the release has it. */
export interface Theme {
  readonly light: Palette
  readonly dark: Palette
  readonly corners: Corners
}

export const RELEASE_THEME: Theme = { light: {}, dark: {}, corners: 'soft' }

/** Colours of `ui/tokens.css` that have to do with those. */
export type Tokens = Readonly<Record<TokenName, Colour>>

const TOKENS = [
  'paper',
  'surface',
  'sunken',
  'raised',
  'ink',
  'ink-2',
  'ink-3',
  'line',
  'line-strong',
  'tag',
  'tag-hover',
  'tag-press',
  'on-tag',
  'tag-soft',
  'tag-line',
  'link',
] as const
export type TokenName = (typeof TOKENS)[number]

/** As the release has them: a test compares with the stylesheet. */
export const RELEASE_TOKENS: Readonly<Record<Scheme, Tokens>> = {
  light: {
    paper: '#f3f5f3',
    surface: '#ffffff',
    sunken: '#eaeeeb',
    raised: '#ffffff',
    ink: '#121a18',
    'ink-2': '#46524f',
    'ink-3': '#5f6b68',
    line: '#d9dfdc',
    'line-strong': '#87938f',
    tag: '#ffd21f',
    'tag-hover': '#f6c400',
    'tag-press': '#e6b400',
    'on-tag': '#171300',
    'tag-soft': '#fff4c2',
    'tag-line': '#a67c00',
    link: '#0a5a63',
  },
  dark: {
    paper: '#0c1110',
    surface: '#141a19',
    sunken: '#0f1514',
    raised: '#1b2322',
    ink: '#eef3f1',
    'ink-2': '#b4c0bc',
    'ink-3': '#94a29d',
    line: '#2a3432',
    'line-strong': '#687572',
    tag: '#ffd21f',
    'tag-hover': '#f6c400',
    'tag-press': '#e6b400',
    'on-tag': '#171300',
    'tag-soft': '#3a3106',
    'tag-line': '#d9ae00',
    link: '#7cd0d6',
  },
}

/** Colours that mean something wherever they stand, and are nobody's to choose: good, careful, bad, and where the keyboard is. */
export const SIGNALS: Readonly<Record<Scheme, readonly Colour[]>> = {
  light: ['#0a7040', '#7a4d00', '#b3261e', '#0b5fd8'],
  dark: ['#5ad497', '#f3c063', '#ff9a8e', '#86bcff'],
}

/** Which token a colour is. */
export const TOKEN_OF: Readonly<Record<ColourName, TokenName>> = {
  accent: 'tag',
  on_accent: 'on-tag',
  links: 'link',
  page: 'paper',
  panels: 'surface',
  text: 'ink',
}

export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/.test(text)

const channels = (colour: Colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16))

/** So much of the second in the first, of 0 to 1. */
export function mix(one: Colour, other: Colour, share: number): Colour {
  const to = channels(other)
  const parts = channels(one).map((part, at) => part + ((to[at] ?? 0) - part) * share)
  return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}

/** Relative luminance by WCAG 2.2. */
function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((part) => {
    const share = part / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.212_6 * red + 0.715_2 * green + 0.072_2 * blue
}

/** Contrast ratio by WCAG 2.2, 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

export const LEAST_TEXT = 4.5
export const LEAST_SHAPE = 3

/** The colour that has most of the second and is still read on each of these. */
function faded(
  colour: Colour,
  into: Colour,
  share: number,
  on: readonly Colour[],
  least: number,
): Colour {
  for (let part = share; part > 0; part -= 0.02) {
    const made = mix(colour, into, part)
    if (on.every((ground) => contrast(made, ground) >= least)) return made
  }
  return colour
}

/** A darker one of a button's, or a lighter one where its words could not be read on that. */
function pressed(accent: Colour, words: Colour, share: number): Colour {
  const [darker, lighter] = [mix(accent, '#000000', share), mix(accent, '#ffffff', share)]
  if (contrast(darker, words) >= LEAST_TEXT) return darker
  return contrast(lighter, words) >= LEAST_TEXT ? lighter : accent
}

/** What an owner has chosen for a scheme; the accent of the light one is that of the dark one too, where that has none. */
export function paletteOf({ light, dark }: Theme, scheme: Scheme): Palette {
  if (scheme === 'light') return light
  const { accent, on_accent: words } = light
  return {
    ...(accent === undefined ? {} : { accent }),
    ...(words === undefined ? {} : { on_accent: words }),
    ...dark,
  }
}

/** All colours of a scheme: those chosen, those that follow from them, and the release's. */
export function tokensOf(theme: Theme, scheme: Scheme): Tokens {
  const palette = paletteOf(theme, scheme)
  const made: Record<TokenName, Colour> = { ...RELEASE_TOKENS[scheme] }
  for (const name of COLOURS) made[TOKEN_OF[name]] = palette[name] ?? made[TOKEN_OF[name]]
  const isNew = (...names: readonly ColourName[]) =>
    names.some((name) => palette[name] !== undefined)
  if (isNew('page', 'panels', 'text')) addGrounds(made)
  if (isNew('accent', 'on_accent')) {
    made['tag-hover'] = pressed(made.tag, made['on-tag'], 0.06)
    made['tag-press'] = pressed(made.tag, made['on-tag'], 0.12)
  }
  if (isNew('accent', 'on_accent', 'panels', 'text')) {
    made['tag-soft'] = softened(made.tag, made.surface, made.ink)
    made['tag-line'] = lineOf(made.tag, made.surface, made.ink)
  }
  return made
}

/** Grounds beside page and surface, and quieter words and lines that are read on all of them. */
function addGrounds(made: Record<TokenName, Colour>): void {
  const { paper, surface, ink } = made
  const isDark = luminance(ink) > luminance(paper)
  const read = (ground: Colour, otherwise: Colour) =>
    contrast(ink, ground) >= LEAST_TEXT ? ground : otherwise
  made.sunken = read(mix(paper, ink, 0.05), paper)
  made.raised = isDark ? read(mix(surface, ink, 0.05), surface) : surface
  const grounds = [paper, surface, made.sunken, made.raised]
  made['ink-2'] = faded(ink, surface, 0.26, grounds, LEAST_TEXT)
  made['ink-3'] = faded(ink, surface, 0.4, grounds, LEAST_TEXT)
  made.line = mix(surface, ink, 0.15)
  made['line-strong'] = faded(ink, surface, 0.54, [paper, surface], LEAST_SHAPE)
}

/** A ground with a breath of the accent, on which text is read. */
function softened(accent: Colour, surface: Colour, text: Colour): Colour {
  for (let share = 0.78; share < 1; share += 0.02) {
    const made = mix(accent, surface, share)
    if (contrast(made, text) >= LEAST_TEXT) return made
  }
  return surface
}

/** The accent, as near as it may be, seen as a line on a surface. */
function lineOf(accent: Colour, surface: Colour, text: Colour): Colour {
  for (let share = 0; share < 1; share += 0.04) {
    const made = mix(accent, text, share)
    if (contrast(made, surface) >= LEAST_SHAPE) return made
  }
  return text
}

const PAPER = '#ffffff'
const PAPER_INK = '#141a17'

/** Colours of what is printed on white paper: the shop's text where it is read there, and its main colour as a line. */
export interface PaperColours {
  readonly ink: Colour
  /** Null for a shop that has the release's. */
  readonly accent: Colour | null
}

export const RELEASE_PAPER: PaperColours = { ink: PAPER_INK, accent: null }

export function paperColours({ light: { accent, text } }: Theme): PaperColours {
  const ink = text !== undefined && contrast(text, PAPER) >= LEAST_TEXT ? text : PAPER_INK
  return { ink, accent: accent === undefined ? null : lineOf(accent, PAPER, ink) }
}

/** Two colours that stand on each other. */
export interface Pair {
  readonly scheme: Scheme
  readonly name: ColourName
  /** What it stands on, or what stands on it. */
  readonly on: ColourName | 'signals'
  readonly colour: Colour
  readonly other: Colour
  readonly ratio: number
  readonly least: number
}

const WORDS_ON: readonly (readonly [ColourName, ColourName])[] = [
  ['text', 'page'],
  ['text', 'panels'],
  ['links', 'page'],
  ['links', 'panels'],
  ['on_accent', 'accent'],
]

/** Every pair that has to be read, with its contrast, which is cut and never rounded up. */
export function pairsOf(theme: Theme): readonly Pair[] {
  return SCHEMES.flatMap((scheme) => {
    const tokens = tokensOf(theme, scheme)
    const pair = (
      name: ColourName,
      on: Pair['on'],
      colour: Colour,
      other: Colour,
      least: number,
    ): Pair => ({
      scheme,
      name,
      on,
      colour,
      other,
      ratio: Math.floor(contrast(colour, other) * 100) / 100,
      least,
    })
    const worst = (ground: Colour) =>
      SIGNALS[scheme].toSorted((a, b) => contrast(a, ground) - contrast(b, ground))[0] ?? ground
    const grounds = (['page', 'panels'] as const).map((name) => {
      const ground = tokens[TOKEN_OF[name]]
      return pair(name, 'signals', ground, worst(ground), LEAST_TEXT)
    })
    const words = WORDS_ON.map(([name, on]) =>
      pair(name, on, tokens[TOKEN_OF[name]], tokens[TOKEN_OF[on]], LEAST_TEXT),
    )
    return [...words, ...grounds]
  })
}

export const isReadable = ({ ratio, least }: Pick<Pair, 'ratio' | 'least'>): boolean =>
  ratio >= least
