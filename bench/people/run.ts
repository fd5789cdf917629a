import { once } from 'node:events'
import { getRequest } from '../load/client.ts'
import { applySteadyLoad, type SteadyResult } from '../load/open-loop.ts'
import { recordAnswer } from '../load/record.ts'
import { startRaw } from '../load/rounds.ts'
import { median } from '../median.ts'
import type { WebProcess } from '../processes.ts'
import { hashesPerSecond, measureHashing, type HashingFigures } from './hashing.ts'
import {
  addShoppers,
  signInsPerSecond,
  signInSteadily,
  type Shoppers,
  type SteadySignIns,
} from './sign-ins.ts'

export interface PeopleOptions {
  readonly web: WebProcess
  readonly databaseUrl: string
  readonly rounds: number
  readonly seconds: number
}

/** Medians over the rounds; `max` is the longest of all. */
export interface PeopleFigures {
  readonly hashing: HashingFigures
  readonly signInsPerSecond: number
  /** Sign-ins over hashes alone in the same round. */
  readonly ofHashing: number
  readonly quiet: SteadyResult
  readonly signingIn: SteadyResult
  readonly raw: SteadyResult
  readonly steady: SteadySignIns
}

/** Requests of the catalogue a second, and sign-ins beside them. */
export const VISITS_PER_SECOND = 1000
export const SIGN_INS_PER_SECOND = 10

const THROUGHPUT_ROUNDS = 3

/** What people cost: one password, sign-ins as fast as they go, and what visitors notice of a moderate number of them. */
export async function measurePeople({
  web,
  databaseUrl,
  rounds,
  seconds,
}: PeopleOptions): Promise<PeopleFigures> {
  const hashing = await measureHashing()
  const shoppers = await addShoppers(databaseUrl)
  await signInsPerSecond(web.port, shoppers, 1)
  const throughput: { perSecond: number; share: number }[] = []
  for (let round = 0; round < Math.min(rounds, THROUGHPUT_ROUNDS); round += 1) {
    const alone = await hashesPerSecond(1)
    const perSecond = await signInsPerSecond(web.port, shoppers, seconds)
    throughput.push({ perSecond, share: perSecond / alone })
  }
  return {
    hashing,
    signInsPerSecond: median(throughput.map(({ perSecond }) => perSecond)),
    ofHashing: median(throughput.map(({ share }) => share)),
    ...(await measureVisits({ web, shoppers, rounds, seconds })),
  }
}

interface Visits {
  readonly web: WebProcess
  readonly shoppers: Shoppers
  readonly rounds: number
  readonly seconds: number
}

const PAGE = '/cards'
const LIST = '/api/goods/index?limit=10&lang=en&currency_code=USD'

/** The same visitors by turns: with sign-ins, without, and at the raw server, the order changing each round. */
async function measureVisits({
  web,
  shoppers,
  rounds,
  seconds,
}: Visits): Promise<Pick<PeopleFigures, 'quiet' | 'signingIn' | 'raw' | 'steady'>> {
  const answers = [
    await recordAnswer(web.port, PAGE, { 'accept-encoding': 'br' }),
    await recordAnswer(web.port, LIST, { 'accept-encoding': 'identity' }),
  ]
  const requests = [getRequest(PAGE, 'br'), getRequest(LIST, 'identity')]
  const yardstick = await startRaw(answers)
  const visit = (port: number, length: number) =>
    applySteadyLoad({ port, requests, perSecond: VISITS_PER_SECOND, seconds: length })
  const found = {
    quiet: [] as SteadyResult[],
    signingIn: [] as SteadyResult[],
    raw: [] as SteadyResult[],
    steady: [] as SteadySignIns[],
  }
  const turns = {
    raw: async () => void found.raw.push(await visit(yardstick.port, 1)),
    quiet: async () => void found.quiet.push(await visit(web.port, seconds)),
    async signingIn() {
      const [visits, signIns] = await Promise.all([
        visit(web.port, seconds),
        signInSteadily(web.port, shoppers, { perSecond: SIGN_INS_PER_SECOND, seconds }),
      ])
      found.signingIn.push(visits)
      found.steady.push(signIns)
    },
  }
  try {
    await visit(web.port, 1)
    for (let round = 0; round < rounds; round += 1) {
      const order = ['raw', 'quiet', 'signingIn'] as const
      for (const turn of round % 2 === 0 ? order : order.toReversed()) await turns[turn]()
    }
  } finally {
    yardstick.child.disconnect()
    await once(yardstick.child, 'exit')
  }
  return {
    quiet: overRounds(found.quiet),
    signingIn: overRounds(found.signingIn),
    raw: overRounds(found.raw),
    steady: {
      p50: median(found.steady.map(({ p50 }) => p50)),
      max: Math.max(...found.steady.map(({ max }) => max)),
    },
  }
}

function overRounds(results: readonly SteadyResult[]): SteadyResult {
  return {
    p50: median(results.map(({ p50 }) => p50)),
    p99: median(results.map(({ p99 }) => p99)),
    max: Math.max(...results.map(({ max }) => max)),
  }
}
