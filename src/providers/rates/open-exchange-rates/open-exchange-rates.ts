import { z } from 'zod'
import type { Secret } from '#platform/secret.ts'
import { checkedTable, getText, OddAnswer } from '../answer.ts'
import type { RateSource } from '../service.ts'
import { readLatest } from './latest.ts'

export interface OpenExchangeRatesOptions {
  readonly appId: Secret
  /** Its own by default. */
  readonly origin?: string
  readonly timeoutMs?: number
}

const ORIGIN = 'https://openexchangerates.org'
const PATH = '/api/latest.json?prettyprint=false'
const TIMEOUT_MS = 20_000
/** The answer has some four thousand. */
const ANSWER_MAX_BYTES = 262_144

const refused = z.object({ message: z.string().regex(/^[a-z_]{1,60}$/) })

export function createOpenExchangeRates({
  appId,
  origin = ORIGIN,
  timeoutMs = TIMEOUT_MS,
}: OpenExchangeRatesOptions): RateSource {
  return {
    fetch: async (now, signal) => {
      const { status, text } = await getText(origin + PATH, {
        // Its documentation takes the id here as well as in the address, which stands in more logs.
        headers: { accept: 'application/json', authorization: `Token ${appId.reveal()}` },
        maxBytes: ANSWER_MAX_BYTES,
        timeoutMs,
        signal,
      })
      if (status !== 200) throw new OddAnswer(`answer ${status}${wordOf(text)}`)
      return checkedTable(readLatest(text), now)
    },
  }
}

/** Its word for what is wrong, as "invalid_app_id". */
function wordOf(text: string): string {
  try {
    const parsed = refused.safeParse(JSON.parse(text))
    return parsed.success ? `: ${parsed.data.message}` : ''
  } catch {
    return ''
  }
}
