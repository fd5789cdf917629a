import { writeFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { renderToString } from 'react-dom/server'
import { loadSnapshot } from '#features/goods/browse/snapshot.ts'
import { openDatabase } from '#platform/db.ts'
import { encodeBody } from '#platform/http/encoding.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { createCtx } from '#platform/ctx.ts'
import { createKeys } from '#platform/keys.ts'
import { createLogger } from '#platform/log.ts'
import { readAddress } from '#storefront/server/address.ts'
import { readClientAssets } from '#storefront/server/assets.ts'
import { createPages, type PageRequest } from '#storefront/server/handler.ts'
import { createPageMaker } from '#storefront/server/make-page.ts'
import type { People } from '#storefront/server/personal.ts'
import { PageTree, type RenderInput } from '#storefront/server/render.tsx'
import { loadShell } from '#storefront/shell/load.ts'
import { median } from '../median.ts'
import { currencyCookie } from '../shop.ts'
import type { ColdFigures, ColdTask } from './task.ts'

/**
 * What the server does for a list page that nobody has asked for yet, against React alone rendering the same tree from data
 * that is there already into bytes; in one process, by turns. Built like the server itself (React in its production form).
 */
/** Room for all of them. */
const KEPT_BYTES = 64 * 1024 * 1024
const task = JSON.parse(process.env['COLD_TASK'] ?? '') as ColdTask
const db = openDatabase({ url: task.databaseUrl, poolSize: 8, statementTimeoutMs: 600_000 })
const assets = readClientAssets()

const began = performance.now()
const shop = await loadSnapshot(db, 1)
const snapshotMs = performance.now() - began
const people: People = {
  ctx: createCtx({
    db,
    keys: createKeys(Buffer.alloc(32)),
    log: createLogger({ level: 'warn' }),
    actor: 'bench',
  }),
  personOf: async () => null,
  headerOf: () => Promise.reject(new Error('Nobody is signed in')),
  run: () => Promise.reject(new Error('No form is sent')),
  isHttps: false,
  takesFiles: () => false,
  offer: { strictPasswords: false, isSmsPossible: false, services: [] },
  payments: { providers: new Map(), ask: async () => {}, transferDetails: null },
}
const options = {
  people,
  snapshot: () => shop,
  assets: () => assets,
  publicUrl: 'http://127.0.0.1:3000',
  timeZone: 'UTC',
  log: createLogger({ level: 'warn' }),
  newId: () => 'bench',
  cacheBytes: 0,
  isDevelopment: false,
  hasOfflinePage: true,
}
const pages = createPages(options)
const keeping = createPages({ ...options, cacheBytes: KEPT_BYTES })
const maker = createPageMaker(options)
const requests = task.targets.map(
  ({ target, currency }): PageRequest => ({
    target,
    cookie: currencyCookie(currency),
    encoding: 'br',
  }),
)
const htmls = await Promise.all(
  requests.map(async (request) =>
    String((await pages.answer({ ...request, encoding: 'identity' })).body),
  ),
)
const inputs = await Promise.all(requests.map((request, at) => readInput(request, htmls[at] ?? '')))
writeFileSync(task.resultFile, JSON.stringify(await measure()))
await db.destroy()

/** The data of a page's tree. Throws unless React makes the document's body of it. */
async function readInput(request: PageRequest, html: string): Promise<RenderInput> {
  const address = readAddress(request.target, request)
  if (address.kind === 'redirect') throw new Error(`${request.target} leads elsewhere`)
  const asked = maker.readAsked(request, address)
  const { language, currency } = asked
  const { publicUrl } = options
  const t = translatorOf(language.code)
  const { providers: payProviders } = people.payments
  const input: RenderInput = {
    loaded: await maker.load(asked),
    shell: loadShell({ shop, language, currency, t, publicUrl, payProviders }),
    language,
    t,
    publicUrl,
    assets,
    hasOfflinePage: true,
  }
  if (!html.includes(`<div id="root">${renderToString(<PageTree {...input} />)}</div>`))
    throw new Error(`${request.target} is rendered from other data`)
  return input
}

async function measure(): Promise<ColdFigures> {
  const takes = {
    served: async () => {
      for (const request of requests) await pages.answer(request)
    },
    plain: async () => {
      for (const input of inputs) Buffer.from(renderToString(<PageTree {...input} />))
    },
    unchanged: async () => {
      keeping.doubtAll()
      for (const request of requests) await keeping.answer(request)
    },
    compressed: async () => {
      for (const html of htmls) await encodeBody(html)
    },
  }
  const names = Object.keys(takes) as (keyof typeof takes)[]
  const figures: Record<keyof typeof takes, Usage[]> = {
    served: [],
    plain: [],
    unchanged: [],
    compressed: [],
  }
  for (let round = -task.warmUps; round < task.rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const usage = await usageOf(takes[name])
      if (round >= 0) figures[name].push(usage)
    }
  }
  const { served, plain, unchanged, compressed } = figures
  const ofThread = (usages: readonly Usage[]) => usages.map((usage) => usage.thread)
  const uncompressed = ofThread(served).map((thread, at) => thread - (compressed[at]?.thread ?? 0))
  const ratios = (whole: readonly number[]) =>
    median(whole.map((value, at) => (plain[at]?.thread ?? 0) / value))
  return {
    uncompressedUs: median(uncompressed),
    servedUs: median(ofThread(served)),
    plainUs: median(ofThread(plain)),
    unchangedUs: median(ofThread(unchanged)),
    allThreadsUs: median(served.map((usage) => usage.process)),
    ratio: ratios(uncompressed),
    servedRatio: ratios(ofThread(served)),
    characters: median(htmls.map((html) => html.length)),
    cards: median(
      inputs.map(
        ({ loaded }) => (loaded.payload.data as { tiles: readonly unknown[] }).tiles.length,
      ),
    ),
    snapshotMs,
  }
}

/** Microseconds of processor time for a page: unlike the clock it does not see what else the machine does. */
interface Usage {
  readonly thread: number
  readonly process: number
}

async function usageOf(work: () => Promise<void>): Promise<Usage> {
  await nextTurn()
  const threadBefore = process.threadCpuUsage()
  const processBefore = process.cpuUsage()
  await work()
  const thread = process.threadCpuUsage(threadBefore)
  const all = process.cpuUsage(processBefore)
  return {
    thread: (thread.user + thread.system) / requests.length,
    process: (all.user + all.system) / requests.length,
  }
}
