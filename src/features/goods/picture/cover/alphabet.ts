/**
 * Lukado Grot, the cover alphabet: skeletons of one stroke, an own drawing. Caps stand from 0 to 100, small letters from 32 to 100,
 * descenders reach 128. A glyph is its width and a path of M, L, A, C and Z in absolute numbers.
 */
export type Glyph = readonly [width: number, path: string]

const BOWL = 'M60 66A30 34 0 1 0 0 66A30 34 0 1 0 60 66Z'

export const GLYPHS: Readonly<Record<string, Glyph>> = {
  0: [66, 'M33 0A33 50 0 1 1 33 100A33 50 0 1 1 33 0Z'],
  1: [22, 'M0 16L22 0L22 100'],
  2: [62, 'M1 24C5 8 16 0 31 0C49 0 60 11 60 27C60 46 30 62 0 100L62 100'],
  3: [
    60,
    'M2 14C8 5 18 0 30 0C48 0 58 10 58 24C58 39 47 47 28 47C48 47 60 57 60 74C60 90 48 100 30 100C15 100 4 92 0 79',
  ],
  4: [68, 'M52 100L52 0L0 70L68 70'],
  5: [
    60,
    'M54 0L12 0L6 44C13 38 21 36 30 36C49 36 60 49 60 67C60 87 48 100 29 100C15 100 5 93 0 82',
  ],
  6: [62, 'M50 0L9 48M31 36A31 32 0 1 1 31 100A31 32 0 1 1 31 36Z'],
  7: [60, 'M0 0L60 0L20 100'],
  8: [60, 'M30 0A25 23 0 1 1 30 46A25 23 0 1 1 30 0ZM30 46A30 27 0 1 1 30 100A30 27 0 1 1 30 46Z'],
  9: [62, 'M12 100L53 52M31 64A31 32 0 1 1 31 0A31 32 0 1 1 31 64Z'],
  A: [84, 'M0 100L42 0L84 100M15 68L69 68'],
  B: [66, 'M38 46A23 23 0 0 0 38 0L0 0L0 100L40 100A27 27 0 0 0 40 46L0 46'],
  C: [80, 'M80 20A45 50 0 1 0 80 80'],
  D: [80, 'M0 0L0 100L32 100A48 50 0 0 0 32 0Z'],
  E: [58, 'M58 0L0 0L0 100L58 100M0 49L50 49'],
  F: [54, 'M54 0L0 0L0 100M0 50L47 50'],
  G: [88, 'M78 17A45 50 0 1 0 88 54L52 54'],
  H: [74, 'M0 0L0 100M74 0L74 100M0 49L74 49'],
  I: [0, 'M0 0L0 100'],
  J: [46, 'M46 0L46 68A23 32 0 0 1 0 70'],
  K: [68, 'M0 0L0 100M66 0L0 62M26 40L68 100'],
  L: [52, 'M0 0L0 100L52 100'],
  M: [94, 'M0 100L0 0L47 70L94 0L94 100'],
  N: [76, 'M0 100L0 0L76 100L76 0'],
  O: [90, 'M45 0A45 50 0 1 1 45 100A45 50 0 1 1 45 0Z'],
  P: [64, 'M0 100L0 0L36 0A28 28 0 0 1 36 57L0 57'],
  Q: [90, 'M45 0A45 50 0 1 1 45 100A45 50 0 1 1 45 0ZM56 66L92 104'],
  R: [66, 'M0 100L0 0L37 0A27 27 0 0 1 37 54L0 54M34 54L66 100'],
  S: [
    62,
    'M59 19C54 6 44 0 31 0C14 0 3 10 3 25C3 58 62 40 62 74C62 91 48 100 31 100C15 100 4 92 0 78',
  ],
  T: [66, 'M0 0L66 0M33 0L33 100'],
  U: [70, 'M0 0L0 63A35 37 0 0 0 70 63L70 0'],
  V: [80, 'M0 0L40 100L80 0'],
  W: [114, 'M0 0L29 100L57 10L85 100L114 0'],
  X: [74, 'M0 0L74 100M74 0L0 100'],
  Y: [74, 'M0 0L37 52L74 0M37 52L37 100'],
  Z: [68, 'M0 0L68 0L0 100L70 100'],
  a: [60, `${BOWL}M60 32L60 100`],
  b: [60, `${BOWL}M0 0L0 100`],
  c: [55, 'M55 46A31 34 0 1 0 55 86'],
  d: [60, `${BOWL}M60 0L60 100`],
  e: [61, 'M0 66L61 66A31 34 0 1 0 53 88'],
  f: [32, 'M34 1C20 -1 13 8 13 22L13 100M0 34L30 34'],
  g: [60, `${BOWL}M60 32L60 104C60 122 48 129 31 129C19 129 9 125 4 117`],
  h: [56, 'M0 0L0 100M0 62A28 30 0 0 1 56 62L56 100'],
  i: [0, 'M0 34L0 100M0 2L0 4'],
  j: [14, 'M14 34L14 110C14 124 8 128 0 127M14 2L14 4'],
  k: [52, 'M0 0L0 100M50 32L0 74M22 56L52 100'],
  l: [0, 'M0 0L0 100'],
  m: [92, 'M0 32L0 100M0 58A23 26 0 0 1 46 58L46 100M46 58A23 26 0 0 1 92 58L92 100'],
  n: [56, 'M0 32L0 100M0 62A28 30 0 0 1 56 62L56 100'],
  o: [61, 'M30.5 32A30.5 34 0 1 1 30.5 100A30.5 34 0 1 1 30.5 32Z'],
  p: [60, `${BOWL}M0 32L0 130`],
  q: [60, `${BOWL}M60 32L60 130`],
  r: [32, 'M0 32L0 100M0 64C0 44 14 32 32 34'],
  s: [
    46,
    'M44 44C40 36 34 32 24 32C12 32 3 38 3 48C3 72 46 58 46 82C46 94 36 100 24 100C12 100 4 95 0 87',
  ],
  t: [34, 'M13 8L13 78C13 94 22 100 34 98M0 34L34 34'],
  u: [56, 'M0 32L0 70A28 30 0 0 0 56 70L56 32M56 70L56 100'],
  v: [58, 'M0 32L29 100L58 32'],
  w: [88, 'M0 32L22 100L44 38L66 100L88 32'],
  x: [54, 'M0 32L54 100M54 32L0 100'],
  y: [58, 'M0 32L30 98M58 32L24 114C20 124 14 129 4 127'],
  z: [50, 'M0 32L50 32L0 100L52 100'],
  '.': [0, 'M0 98L0 100'],
  ':': [0, 'M0 44L0 46M0 98L0 100'],
  '-': [34, 'M0 52L34 52'],
  "'": [0, 'M0 0L0 18'],
  '!': [0, 'M0 0L0 62M0 98L0 100'],
  '+': [54, 'M27 24L27 78M0 51L54 51'],
  '&': [76, 'M76 100L16 30C6 16 16 0 31 0C46 0 54 16 44 28C34 40 0 48 0 74C0 104 56 110 70 58'],
  '/': [44, 'M0 100L44 0'],
  '@': [
    96,
    'M70 50A21 22 0 1 0 28 50A21 22 0 1 0 70 50ZM70 30L70 60C70 78 96 76 96 48A48 50 0 1 0 76 92',
  ],
  '?': [54, 'M0 20C4 8 14 0 27 0C43 0 54 10 54 24C54 40 27 42 27 64M27 98L27 100'],
  '%': [
    92,
    'M78 0L14 100M18 0A18 19 0 1 1 18 38A18 19 0 1 1 18 0ZM74 62A18 19 0 1 1 74 100A18 19 0 1 1 74 62Z',
  ],
  '#': [72, 'M24 8L14 92M58 8L48 92M2 34L72 34M0 66L70 66'],
  ',': [8, 'M8 96L8 102L0 116'],
}

/** Squared glyphs of the voice `pixel`; letters that it lacks are the usual ones. */
export const SQUARE_GLYPHS: Readonly<Record<string, Glyph>> = {
  A: [70, 'M0 100L0 0L70 0L70 100M0 60L70 60'],
  B: [70, 'M0 0L60 0L60 46L0 46M60 46L70 46L70 100L0 100L0 0'],
  C: [70, 'M70 0L0 0L0 100L70 100'],
  D: [70, 'M0 0L52 0L70 20L70 80L52 100L0 100Z'],
  E: [64, 'M64 0L0 0L0 100L64 100M0 48L54 48'],
  F: [64, 'M64 0L0 0L0 100M0 50L54 50'],
  G: [70, 'M70 0L0 0L0 100L70 100L70 52L40 52'],
  I: [0, 'M0 0L0 100'],
  J: [60, 'M60 0L60 100L0 100L0 74'],
  M: [88, 'M0 100L0 0L44 0L44 60M44 0L88 0L88 100'],
  N: [70, 'M0 100L0 0L70 0L70 100'],
  O: [70, 'M0 0L70 0L70 100L0 100Z'],
  R: [70, 'M0 100L0 0L68 0L68 52L0 52M44 52L44 76L70 76L70 100'],
  S: [66, 'M66 0L0 0L0 48L66 48L66 100L0 100'],
  V: [72, 'M0 0L0 70L36 70L36 100M36 70L72 70L72 0'],
  T: [72, 'M0 0L72 0M36 0L36 100'],
  H: [70, 'M0 0L0 100M70 0L70 100M0 50L70 50'],
}

/** Combining marks over (or, the cedilla, under) a letter, drawn around the middle of a small one: x from its middle. */
export const MARKS: Readonly<Record<string, string>> = {
  '\u0300': 'M-10 4L4 16',
  '\u0301': 'M-4 16L10 4',
  '\u0302': 'M-14 16L0 4L14 16',
  '\u0303': 'M-16 14C-10 4 8 18 16 6',
  '\u0304': 'M-15 10L15 10',
  '\u0306': 'M-14 4C-12 18 12 18 14 4',
  '\u0307': 'M0 9L0 11',
  '\u0308': 'M-13 9L-13 11M13 9L13 11',
  '\u030a': 'M0 0A8 8 0 1 1 0 16A8 8 0 1 1 0 0Z',
  '\u030b': 'M-10 16L-2 4M6 16L14 4',
  '\u030c': 'M-14 4L0 16L14 4',
  '\u0327': 'M2 104C10 110 8 124 -8 122',
}
/** A capital carries its mark this much higher. */
export const MARK_RISE = 30

/** Letters that Unicode does not take apart, in letters that are drawn. */
export const SPELLED: Readonly<Record<string, string>> = {
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ß: 'ss',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  ł: 'l',
  Ł: 'L',
  ı: 'i',
  þ: 'th',
  Þ: 'TH',
  '’': "'",
  '‑': '-',
  '–': '-',
}

export const KERNING: Readonly<Record<string, number>> = {
  AV: -0.12,
  VA: -0.12,
  AT: -0.09,
  TA: -0.09,
  LT: -0.1,
  AY: -0.1,
  YA: -0.1,
  LY: -0.1,
  LV: -0.08,
  TO: -0.03,
  OT: -0.03,
  Wo: -0.05,
  To: -0.12,
  Yo: -0.1,
  Ya: -0.12,
  AW: -0.08,
  WA: -0.08,
  PA: -0.06,
  FA: -0.08,
  RT: -0.03,
  ro: -0.04,
  rd: -0.04,
  tc: -0.03,
  ew: -0.03,
}

/** Where the voice `stencil` breaks a glyph: the share of its width. */
export const BREAKS: Readonly<Record<string, number>> = {
  0: 0.5,
  2: 0.5,
  3: 0.5,
  5: 0.5,
  6: 0.5,
  8: 0.5,
  9: 0.5,
  B: 0.55,
  C: 0.55,
  D: 0.5,
  E: 0.52,
  F: 0.52,
  G: 0.5,
  H: 0.5,
  O: 0.5,
  P: 0.55,
  Q: 0.5,
  R: 0.55,
  S: 0.5,
  U: 0.5,
}

/**
 * How the one alphabet speaks. Weight is the stroke's share of the cap height, width a factor on natural widths, track in cap
 * heights.
 */
export interface Voice {
  readonly weight: number
  readonly width: number
  readonly track: number
  readonly look?: 'round' | 'slanted' | 'cut' | 'inlined' | 'square'
}

export const VOICES = {
  block: { weight: 0.215, width: 0.84, track: 0.085 },
  tall: { weight: 0.165, width: 0.56, track: 0.07 },
  wide: { weight: 0.2, width: 1.12, track: 0.1 },
  soft: { weight: 0.18, width: 0.9, track: 0.085, look: 'round' },
  fine: { weight: 0.135, width: 0.92, track: 0.17 },
  lean: { weight: 0.215, width: 0.8, track: 0.08, look: 'slanted' },
  stencil: { weight: 0.23, width: 0.8, track: 0.1, look: 'cut' },
  inline: { weight: 0.25, width: 0.92, track: 0.08, look: 'inlined' },
  pixel: { weight: 0.2, width: 0.78, track: 0.09, look: 'square' },
} as const satisfies Record<string, Voice>
export type VoiceName = keyof typeof VOICES
export const VOICE_NAMES = Object.keys(VOICES) as [VoiceName, ...VoiceName[]]
