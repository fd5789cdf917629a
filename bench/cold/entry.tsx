import { writeFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { renderToString } from 'react-dom/server'
import { loadSnapshot } from '#features/goods/browse/snapshot.ts'
import { getLanguage, type LanguageCode } from '#kernel/language.ts'
import { openDatabase } from '#platform/db.ts'
import { encodeBody } from '#platform/http/encoding.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { createCtx } from '#platform/ctx.ts'
import { createKeys } from '#platform/keys.ts'
import { createLogger } from '#platform/log.ts'
import type { PagePayload, ShellData } from '#storefront/page.ts'
import type { Layout } from '#storefront/routes.ts'
import { readClientAssets } from '#storefront/server/assets.ts'
import { createPages, type PageRequest } from '#storefront/server/handler.ts'
import type { People } from '#storefront/server/personal.ts'
import { PageTree, type RenderInput } from '#storefront/server/render.tsx'
import { median } from '../median.ts'
import { currencyCookie } from '../shop.ts'
import type { ColdFigures, ColdTask } from './task.ts'

/**
 * What the server does for a list page that nobody has asked for yet, against React alone rendering the same tree from data
 * that is there already; in one process, by turns. Built like the server itself (React in its production form).
 */
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
  takesFiles: () => false,
  offer: { strictPasswords: false, isSmsPossible: false, services: [] },
  payments: { providers: new Map(), ask: async () => {}, transferDetails: null },
}
const pages = createPages({
  people,
  snapshot: () => shop,
  assets: () => assets,
  publicUrl: 'http://127.0.0.1:3000',
  timeZone: 'UTC',
  log: createLogger({ level: 'warn' }),
  newId: () => 'bench',
  cacheBytes: 0,
  isDevelopment: false,
})
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
const inputs = htmls.map(readInput)
writeFileSync(task.resultFile, JSON.stringify(await measure()))
await db.destroy()

/** The tree's data, as the document carries it for the browser. Throws unless React makes the document's body of it. */
function readInput(html: string): RenderInput {
  const json =
    /<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null'
  const { shell, payload, layout, areas } = JSON.parse(json) as {
    shell: ShellData
    payload: PagePayload
    layout: Layout
    areas: string[]
  }
  const language = getLanguage(shell.language as LanguageCode)
  const loaded = {
    payload,
    layout,
    areas,
    meta: { title: '', description: '' },
    isCacheable: true,
    isPersonal: false,
  }
  const input: RenderInput = {
    loaded,
    shell,
    language,
    t: translatorOf(language.code),
    publicUrl: '',
    assets,
  }
  if (!html.includes(`<div id="root">${renderToString(<PageTree {...input} />)}</div>`))
    throw new Error(`${payload.address} is rendered from other data`)
  return input
}

async function measure(): Promise<ColdFigures> {
  const takes = {
    served: async () => {
      for (const request of requests) await pages.answer(request)
    },
    plain: async () => {
      for (const input of inputs) renderToString(<PageTree {...input} />)
    },
    compressed: async () => {
      for (const html of htmls) await encodeBody(html)
    },
  }
  const names = Object.keys(takes) as (keyof typeof takes)[]
  const figures: Record<keyof typeof takes, Usage[]> = { served: [], plain: [], compressed: [] }
  for (let round = -task.warmUps; round < task.rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const usage = await usageOf(takes[name])
      if (round >= 0) figures[name].push(usage)
    }
  }
  const { served, plain, compressed } = figures
  const ofThread = (usages: readonly Usage[]) => usages.map((usage) => usage.thread)
  const uncompressed = ofThread(served).map((thread, at) => thread - (compressed[at]?.thread ?? 0))
  const ratios = (whole: readonly number[]) =>
    median(whole.map((value, at) => (plain[at]?.thread ?? 0) / value))
  return {
    uncompressedUs: median(uncompressed),
    servedUs: median(ofThread(served)),
    plainUs: median(ofThread(plain)),
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
