import type { Random } from './chance.ts'
import type { Palette } from './palette.ts'

/**
 * Where a motif is drawn: around (x, y) with reach R; W and H are the sheet, for motifs that run to its edges.
 * `m` are the palette's five tones, darkest first; `random` continues the picture's one sequence, so the order of
 * calls is part of the drawing.
 */
export type Stage = {
  x: number
  y: number
  R: number
  W: number
  H: number
  m: Palette['tones']
  accent: string
  accentDeep: string
  random: Random
}

/** A flat, faceted, generic subject: nothing that imitates a mark, a character or a trade dress. */
export type Motif = (stage: Stage) => string
