import { checkedTable, getText, OddAnswer } from '../answer.ts'
import type { RateSource } from '../service.ts'
import { readEcbTable } from './table.ts'

export interface EcbOptions {
  /** Its own by default. */
  readonly origin?: string
  readonly timeoutMs?: number
}

const ORIGIN = 'https://www.ecb.europa.eu'
const PATH = '/stats/eurofxref/eurofxref-daily.xml'
const TIMEOUT_MS = 20_000
/** The file has some two thousand. */
const ANSWER_MAX_BYTES = 262_144

/** The file that the bank puts out each working day. */
export function createEcbRates({
  origin = ORIGIN,
  timeoutMs = TIMEOUT_MS,
}: EcbOptions = {}): RateSource {
  return {
    fetch: async (now, signal) => {
      const { status, text } = await getText(origin + PATH, {
        headers: { accept: 'application/xml, text/xml' },
        maxBytes: ANSWER_MAX_BYTES,
        timeoutMs,
        signal,
      })
      if (status !== 200) throw new OddAnswer(`answer ${status}`)
      return checkedTable(readEcbTable(text), now)
    },
  }
}
