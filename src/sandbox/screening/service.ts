import { setTimeout as sleep } from 'node:timers/promises'
import { openWire, type Asked, type Reply, type Wire } from '../wire.ts'

export interface ScreeningSandboxOptions {
  /** On 127.0.0.1; 0 for any. */
  readonly port: number
  /** What callers sign in with; null takes everybody. */
  readonly apiKey: string | null
  readonly slowMs: number
}

interface Query {
  readonly schema: string
  readonly properties: Readonly<Record<string, readonly string[]>>
}

/** What a name with this word in it brings about; any other is on no list. */
const WORDS = {
  listed: 'is found',
  alike: 'is found, below the threshold',
  slow: 'is answered late',
  fault: 'is answered with status 500',
  garbage: 'is answered with what is no JSON',
  other: 'is answered about somebody else',
} as const

/** yente's `POST /match/{dataset}`, as published, over people who are made up. */
export async function openScreeningSandbox(options: ScreeningSandboxOptions): Promise<
  Wire & {
    /** What was asked, without what it was asked about. */
    readonly asked: readonly { readonly dataset: string; readonly reference: string }[]
  }
> {
  const asked: { dataset: string; reference: string }[] = []
  const wire = await openWire({
    port: options.port,
    async answer(request, fault) {
      if (fault !== null) return refused(fault === 'fault' ? 500 : 429, 'Server error')
      const [, dataset] = /^\/match\/([a-z0-9_]+)$/.exec(request.path) ?? []
      if (request.method !== 'POST' || dataset === undefined) return refused(404, 'Not Found')
      if (!isKnown(request, options.apiKey)) return refused(401, 'Invalid API key')
      const queries = queriesIn(request.body)
      if (!queries) return refused(400, 'Cannot parse example entity')
      for (const reference of Object.keys(queries)) asked.push({ dataset, reference })
      const threshold = Number(request.query.get('threshold') ?? 0.7)
      return reply(queries, threshold, options.slowMs)
    },
  })
  return { ...wire, asked }
}

const refused = (status: number, detail: string): Reply => ({ status, body: { detail } })

const isKnown = ({ headers }: Asked, key: string | null) =>
  key === null || headers['authorization'] === `ApiKey ${key}`

function queriesIn(text: string): Readonly<Record<string, Query>> | null {
  try {
    const told = JSON.parse(text) as { readonly queries?: Readonly<Record<string, Query>> }
    const queries = told.queries ?? {}
    const isWhole = Object.values(queries).every(
      ({ schema, properties }) => schema === 'Person' && Array.isArray(properties['name']),
    )
    return isWhole && Object.keys(queries).length > 0 ? queries : null
  } catch {
    return null
  }
}

async function reply(
  queries: Readonly<Record<string, Query>>,
  threshold: number,
  slowMs: number,
): Promise<Reply> {
  const names = Object.values(queries)
    .flatMap(({ properties }) => properties['name'] ?? [])
    .join(' ')
    .toLowerCase()
  const has = (word: keyof typeof WORDS) => names.includes(word)
  if (has('slow')) await sleep(slowMs)
  if (has('fault')) return refused(500, 'Server error')
  if (has('garbage')) return { status: 200, body: '<html>' }
  const score = has('listed') ? 0.97 : has('alike') ? 0.4 : null
  return {
    status: 200,
    body: {
      responses: Object.fromEntries(
        Object.entries(queries).map(([reference, query]) => [
          has('other') ? `${reference}-other` : reference,
          {
            status: 200,
            results: score === null ? [] : [resultOf(score, threshold)],
            total: { value: score === null ? 0 : 1, relation: 'eq' },
            query,
          },
        ]),
      ),
      matcher: {},
      limit: 5,
    },
  }
}

const resultOf = (score: number, threshold: number) => ({
  id: 'NK-sandbox-1',
  caption: 'Somebody Listed',
  schema: 'Person',
  properties: { name: ['Somebody Listed'] },
  datasets: ['sandbox'],
  referents: [],
  target: true,
  score,
  features: {},
  match: score >= threshold,
})
