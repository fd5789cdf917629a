import type { z } from 'zod'
import {
  parseSettings,
  type GivenSettings,
  type ServiceDeclaration,
} from '#platform/service-settings.ts'
import type { Publishing } from './calendar.ts'

/** What a source published at one moment. */
export interface RateTable {
  /** ISO 4217. */
  readonly base: string
  readonly publishedAt: Date
  /** Units of each currency for one unit of the base, as plain decimals with every digit that was told; the base is not in it. */
  readonly rates: ReadonlyMap<string, string>
}

export interface RateSource {
  /** The newest table. Throws where there is none, or where it is odd: then nothing of it is used. */
  readonly fetch: (now: Date, signal?: AbortSignal) => Promise<RateTable>
}

/** All that the shop knows of a source of exchange rates before it is asked. */
export interface RateService extends ServiceDeclaration {
  readonly name: string
  readonly publishing: Publishing
  /** Between two looks at it, in seconds. */
  readonly everySeconds: number
  readonly open: (given: GivenSettings) => Promise<RateSource>
}

/** Declares a source in its folder; `open` gets its settings read, and imports what it needs only then. */
export function rateService<Shape extends z.ZodRawShape>(
  service: Omit<RateService, 'open' | 'settings'> & {
    readonly settings: Shape
    readonly open: (settings: z.infer<z.ZodObject<Shape>>) => Promise<RateSource>
  },
): RateService {
  return { ...service, open: (given) => service.open(parseSettings(service.settings, given)) }
}
