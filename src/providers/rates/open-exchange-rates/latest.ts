import { z } from 'zod'
import { OddAnswer, plainDecimal } from '../answer.ts'
import type { RateTable } from '../service.ts'

/** A number as it stands in the text: read as a binary one it would be another. */
class Written {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
}
const written = z.instanceof(Written).transform(({ source }) => source)

const latest = z.object({
  timestamp: written.pipe(z.string().regex(/^\d{9,11}$/)),
  base: z.string().regex(/^[A-Z]{3}$/),
  rates: z.record(z.string().regex(/^[A-Z][A-Z0-9_]{2,19}$/), written),
})

/** Reads what `latest.json` answers. Rates are taken with the digits they were written with; one that is odd makes all of it unfit. */
export function readLatest(text: string): RateTable {
  const parsed = latest.safeParse(parse(text))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new OddAnswer(`its shape is another one at ${issue?.path.join('.').slice(0, 60) || '/'}`)
  }
  const { timestamp, base, rates } = parsed.data
  const read = Object.entries(rates).map(([code, source]) => {
    const rate = plainDecimal(source)
    if (rate === null) throw new OddAnswer(`it has what is no rate: ${code} ${source.slice(0, 60)}`)
    return [code, rate] as const
  })
  const own = read.find(([code]) => code === base)
  if (own && own[1] !== '1') throw new OddAnswer(`its base ${base} stands at ${own[1]}`)
  return {
    base,
    publishedAt: new Date(Number(timestamp) * 1_000),
    // Beside currencies it has tokens and black markets, whose codes are longer.
    rates: new Map(read.filter(([code]) => code !== base && /^[A-Z]{3}$/.test(code))),
  }
}

function parse(text: string): unknown {
  const asWritten = (_: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? new Written(context?.source ?? '') : value
  try {
    return JSON.parse(text, asWritten) as unknown
  } catch {
    throw new OddAnswer('it is no JSON')
  }
}
