import { getRequest } from './load/client.ts'
import { ask, recordAnswer, type RecordedAnswer } from './load/record.ts'
import { contest, type ContestResult } from './load/rounds.ts'
import type { WebProcess } from './processes.ts'
import { SEARCH_WORDS } from './search-words.ts'
import type { ShopFacts } from './shop.ts'

export interface CallOptions {
  readonly web: WebProcess
  readonly facts: ShopFacts
  readonly rounds: number
  readonly seconds: number
}

const PLAIN = { 'accept-encoding': 'identity' } as const
const LIST = 'goods/index?limit=10'

/** One list of ten goods asked again and again, as a home page does. */
export async function measureCachedList({
  web,
  rounds,
  seconds,
}: CallOptions): Promise<ContestResult> {
  const target = `/api/${LIST}&lang=en&currency_code=USD`
  const answers = [await recordAnswer(web.port, target, PLAIN)]
  return contest({
    port: web.port,
    pid: web.pid,
    requests: [getRequest(target, 'identity')],
    answers,
    rounds,
    seconds,
  })
}

/** Lists of ten goods of which none is kept: every page, type, language and currency once before any comes again. */
export async function measureNewLists({
  web,
  facts,
  rounds,
  seconds,
}: CallOptions): Promise<ContestResult> {
  const languages = [...new Set(SEARCH_WORDS.map((word) => word.lang))]
  const targets: string[] = []
  for (let page = 1; page <= 20; page += 1)
    for (const currency of facts.currencies)
      for (const language of languages)
        targets.push(`/api/${LIST}&page=${page}&lang=${language}&currency_code=${currency}`)
  return measureTargets(web, targets, 101, rounds, seconds)
}

export type SearchCall = 'goods/index' | 'goods/search'

/** The fixed mix of words; in every currency, so that each answer is made anew. */
export async function measureSearch(
  call: SearchCall,
  { web, facts, rounds, seconds }: CallOptions,
): Promise<ContestResult> {
  return measureTargets(
    web,
    searchTargets(call, facts.currencies),
    SEARCH_WORDS.length,
    rounds,
    seconds,
  )
}

/** The fixed mix of words asked again and again in one currency: what is kept of it answers. */
export async function measureCachedSearch({
  web,
  rounds,
  seconds,
}: CallOptions): Promise<ContestResult> {
  return measureTargets(
    web,
    searchTargets('goods/index', ['USD']),
    SEARCH_WORDS.length,
    rounds,
    seconds,
  )
}

function searchTargets(call: SearchCall, currencies: readonly string[]): string[] {
  const limit = call === 'goods/index' ? '&limit=10' : ''
  return currencies.flatMap((currency) =>
    SEARCH_WORDS.map(
      ({ q, lang }) =>
        `/api/${call}?keywords=${encodeURIComponent(q)}${limit}&lang=${lang}&currency_code=${currency}`,
    ),
  )
}

/** Every n-th target is recorded for the raw server, so that both give bodies of the same sizes. */
async function measureTargets(
  web: WebProcess,
  targets: readonly string[],
  recorded: number,
  rounds: number,
  seconds: number,
): Promise<ContestResult> {
  const step = Math.max(1, Math.floor(targets.length / recorded))
  const sample =
    recorded === SEARCH_WORDS.length
      ? targets.slice(0, recorded)
      : targets.filter((_, at) => at % step === 0)
  const answers: RecordedAnswer[] = []
  for (const target of sample) answers.push(await ask(web.port, target, PLAIN))
  return contest({
    port: web.port,
    pid: web.pid,
    requests: targets.map((target) => getRequest(target, 'identity')),
    answers,
    rounds,
    seconds,
  })
}

export interface SearchHits {
  readonly asked: number
  readonly found: number
  /** What was not found, for reading. */
  readonly missed: readonly string[]
}

const TOP_BRANDS = 5

/** Whether the expected brand (or a brand of the expected game) is among the first five brands of each answer. */
export async function checkSearchHits(web: WebProcess, facts: ShopFacts): Promise<SearchHits> {
  const missed: string[] = []
  const asked = SEARCH_WORDS.filter((word) => word.expect !== null)
  for (const { q, lang, expect } of asked) {
    const { body } = await ask(
      web.port,
      `/api/goods/index?keywords=${encodeURIComponent(q)}&limit=200&lang=${lang}&currency_code=USD`,
      PLAIN,
    )
    const { data } = JSON.parse(body.toString()) as { data: { list: readonly { code: string }[] } }
    const brands = [
      ...new Set(data.list.map(({ code }) => facts.brandOfProduct.get(code) ?? code)),
    ].slice(0, TOP_BRANDS)
    if (!brands.some((brand) => brand === expect || facts.gameOfBrand.get(brand) === expect))
      missed.push(`${q} (${lang}): ${expect} not in ${brands.join(', ')}`)
  }
  return { asked: asked.length, found: asked.length - missed.length, missed }
}
