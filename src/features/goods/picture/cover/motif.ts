import { field } from './motifs/field.ts'
import { horizon } from './motifs/horizon.ts'
import { objectsAToG } from './motifs/objects-a-g.ts'
import { objectsHToZ } from './motifs/objects-h-z.ts'

/**
 * A drawing on a square of 100 by 100; some run past its edges on purpose. `$1` to `$4` stand for the cover's inks: ground
 * (also what is knocked out), main shape, second tone, accent.
 */
export interface MotifData {
  /** What is drawn, as [x, y, width, height] measured by its pixels: a cover places this, not the square. */
  readonly box: readonly [number, number, number, number]
  readonly art: string
}

/** An object stands free, a building or vehicle on a horizon, a scene fills its field. */
export type Stand = 'object' | 'horizon' | 'field'

export const MOTIFS = { ...field, ...horizon, ...objectsAToG, ...objectsHToZ }
export type MotifName = keyof typeof MOTIFS

const names = (motifs: object) => Object.keys(motifs) as MotifName[]

export const MOTIF_NAMES: readonly MotifName[] = names(MOTIFS).sort()

const stands = new Map<MotifName, Stand>([
  ...names(horizon).map((name) => [name, 'horizon'] as const),
  ...names(field).map((name) => [name, 'field'] as const),
])

export function standOf(motif: MotifName): Stand {
  return stands.get(motif) ?? 'object'
}

/**
 * What has a fixed direction: cards, vehicles, instruments, maps, screens, charts. It keeps it where a sheet is mirrored for
 * right-to-left pages; all other drawings turn with their sheet.
 */
export const FIXED: ReadonlySet<MotifName> = new Set<MotifName>([
  'app-grid',
  'candlesticks',
  'card-fan',
  'castle-card',
  'checker-globe',
  'dice',
  'dogtags',
  'flip-cart',
  'floppy',
  'gamepad',
  'headlights',
  'helicopter',
  'lanyard',
  'live-phone',
  'map-pin',
  'metronome',
  'pitch',
  'plane-drop',
  'pocket-cards',
  'star-train',
  'tank',
  'three-lanes',
  'vhs',
  'vinyl',
  'virtual-card',
  'whistle',
])
