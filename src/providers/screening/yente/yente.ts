import { z } from 'zod'
import type { Secret } from '#platform/secret.ts'
import { openHookClient } from '#providers/supply/hook/client.ts'
import { openSupplyClient, type Exchange } from '#providers/supply/wire/client.ts'
import type { ScreenedPerson, ScreeningAnswer, ScreeningProvider } from '../provider.ts'

export const YENTE_TIMEOUT_MS = 8_000
/** Whole entries come back, with all that is known of each. */
const ANSWER_MAX_BYTES = 4 * 1024 * 1024
const RESULTS_MOST = 5

export interface YenteOptions {
  readonly url: string
  /** It stands in the operator's own network: no address is refused. */
  readonly isInside: boolean
  readonly apiKey: Secret | null
  readonly dataset: string
  /** A decimal: what scores so much or more is taken for the person. */
  readonly threshold: string
}

/** Numbers are texts. */
const found = z.object({ id: z.string().min(1), match: z.boolean(), score: z.string() })
const answered = z.object({
  responses: z.record(
    z.string(),
    z.object({ status: z.string().optional(), results: z.array(z.unknown()) }),
  ),
})

/** `POST /match/{dataset}`, as published by OpenSanctions: query by example, answered under our reference. */
export function openYente(options: YenteOptions): ScreeningProvider {
  const client = options.isInside
    ? openSupplyClient({ timeoutMs: YENTE_TIMEOUT_MS, maxBytes: ANSWER_MAX_BYTES })
    : openHookClient(YENTE_TIMEOUT_MS, false, ANSWER_MAX_BYTES)
  const query = new URLSearchParams({
    threshold: options.threshold,
    limit: String(RESULTS_MOST),
  })
  const url = `${options.url}/match/${options.dataset}?${query.toString()}`
  return {
    code: 'yente',
    answersWithinMs: YENTE_TIMEOUT_MS,
    async screen(reference, person) {
      // Nothing can be compared with nothing: an answer to that would say nothing.
      if (person.names.length === 0) return { kind: 'unknown', why: 'the shopper has no name' }
      return answerOf(
        await client({
          method: 'POST',
          url,
          headers: options.apiKey ? { authorization: `ApiKey ${options.apiKey.reveal()}` } : {},
          body: { queries: { [reference]: exampleOf(person) } },
        }),
        reference,
      )
    },
  }
}

const exampleOf = ({ names, email, countries }: ScreenedPerson) => ({
  schema: 'Person',
  properties: {
    name: names,
    ...(email === null ? {} : { email: [email] }),
    ...(countries.length === 0 ? {} : { country: countries.map((code) => code.toLowerCase()) }),
  },
})

/** Anything but a whole answer to what was asked is none. */
function answerOf(exchange: Exchange, reference: string): ScreeningAnswer {
  if (exchange.kind !== 'answer') return { kind: 'unknown', why: exchange.why }
  if (exchange.status !== 200) return { kind: 'unknown', why: `it answered ${exchange.status}` }
  const told = answered.safeParse(exchange.json).data?.responses[reference]
  if (!told || (told.status ?? '200') !== '200')
    return { kind: 'unknown', why: 'no answer to what was asked' }
  const results = told.results.map((json) => found.safeParse(json).data ?? null)
  if (results.some((each) => each === null))
    return { kind: 'unknown', why: 'an entry in an unknown form' }
  const [first, ...more] = results.flatMap((each) =>
    each?.match ? [`${each.id} ${each.score.slice(0, 5)}`] : [],
  )
  return first === undefined ? { kind: 'clear' } : { kind: 'match', entries: [first, ...more] }
}
