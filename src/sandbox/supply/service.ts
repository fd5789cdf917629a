import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { readBody } from '#platform/http/body.ts'
import { openJournal } from '../payment/journal.ts'
import { openBooks, type Books, type Sale } from './books.ts'
import { readGoods, stockUp, type Good } from './goods.ts'
import { dollars, type Market, type Notice } from './market.ts'
import { openPort, type Port, type Protocol } from './port.ts'
import { digiflazzNotice, digiflazzProtocol } from './protocols/digiflazz.ts'
import { dtoneNotice, dtoneProtocol } from './protocols/dtone.ts'
import { hookNotice, hookProtocol } from './protocols/hook.ts'
import { kinguinNotice, kinguinProtocol } from './protocols/kinguin.ts'
import { lukadoNotice, lukadoProtocol } from './protocols/lukado.ts'
import { reloadlyNotice, reloadlyProtocol } from './protocols/reloadly.ts'
import { seagmNotice, seagmProtocol } from './protocols/seagm.ts'
import { unipinProtocol } from './protocols/unipin.ts'

interface Supplier {
  readonly protocol: (market: Market) => Protocol
  readonly notice: ((sale: Sale, secret: string) => Notice) | null
}

export const SUPPLIERS: Readonly<Record<string, Supplier>> = {
  reloadly: { protocol: reloadlyProtocol, notice: reloadlyNotice },
  seagm: { protocol: seagmProtocol, notice: seagmNotice },
  dtone: { protocol: dtoneProtocol, notice: dtoneNotice },
  kinguin: { protocol: kinguinProtocol, notice: kinguinNotice },
  unipin: { protocol: unipinProtocol, notice: null },
  digiflazz: { protocol: digiflazzProtocol, notice: digiflazzNotice },
  hook: { protocol: hookProtocol, notice: hookNotice },
  lukado: { protocol: lukadoProtocol, notice: lukadoNotice },
}

export interface SupplySandboxOptions {
  /** Of the page that lists what was bought; 0 for any. */
  readonly port: number
  /** Of each supplier; any where left out. */
  readonly ports: Readonly<Record<string, number>>
  readonly folder: string
  readonly secret: string
  /** Notices go to it, with the supplier's code behind; null keeps them to be read. */
  readonly noticeUrl: string | null
  /** What "slow" means. */
  readonly slowMs: number
  /** How many made-up products are listed beside the demo's goods. */
  readonly bulk?: number
}

export interface SupplySandbox {
  readonly origin: string
  readonly origins: Readonly<Record<string, string>>
  readonly stop: () => Promise<void>
}

const TICK_MS = 200
const NOTICES_MAX = 500
const BODY_MAX = 4_096
const BULK_MOST = 100_000

/** Every sandboxed supplier, one port each, over common books. */
export async function openSupplySandbox(options: SupplySandboxOptions): Promise<SupplySandbox> {
  const notices: Notice[] = []
  const books = openBooks(openJournal(join(options.folder, 'journal.ndjson')), (sale) => {
    for (const notice of noticesOf(sale, options.secret)) {
      notices.push(notice)
      if (options.noticeUrl) void deliver(options.noticeUrl, notice)
    }
    notices.splice(0, notices.length - NOTICES_MAX)
  })
  const goods = new Map(readGoods())
  stockUp(goods, options.bulk ?? 0, 100)
  const market: Market = { books, goods, secret: options.secret }
  // A product of any amount is told of by the hook alone.
  const fixed = new Map([...market.goods].filter(([, { free }]) => !free))
  const opened: [string, Port][] = await Promise.all(
    Object.entries(SUPPLIERS).map(async ([code, { protocol }]) => [
      code,
      await openPort(
        options.ports[code] ?? 0,
        options.slowMs,
        protocol(code === 'hook' ? market : { ...market, goods: fixed }),
      ),
    ]),
  )
  const control = createServer(
    (req, res) =>
      void answer(req, { books, notices, goods: [goods, fixed] }, options.secret).then(
        (told) => reply(res, told.status, told.body),
        () => reply(res, 400, { error: 'invalid' }),
      ),
  )
  await new Promise<void>((resolve, reject) => {
    control.once('error', reject)
    control.listen(options.port, '127.0.0.1', resolve)
  })
  const timer = setInterval(() => {
    books.settle(Date.now()).catch((error: unknown) => {
      process.stderr.write(
        `supply sandbox: ${error instanceof Error ? error.message : String(error)}\n`,
      )
    })
  }, TICK_MS)
  return {
    origin: `http://127.0.0.1:${(control.address() as AddressInfo).port}`,
    origins: Object.fromEntries(opened.map(([code, { origin }]) => [code, origin])),
    async stop() {
      clearInterval(timer)
      for (const [, port] of opened) port.close()
      control.close()
      control.closeAllConnections()
      await books.close()
    },
  }
}

/** Nothing is told of what was known at once; the last notice comes first where the scenario says so. */
function noticesOf(sale: Sale, secret: string): readonly Notice[] {
  const make = SUPPLIERS[sale.supplier]?.notice
  if (!make || (sale.state === 'pending' && sale.scenario !== 'notices')) return []
  if (sale.scenario !== 'notices') return [make(sale, secret)]
  if (sale.state === 'pending') return []
  const [last, first] = [make(sale, secret), make({ ...sale, state: 'pending' }, secret)]
  return [last, last, last, first, first, first]
}

async function deliver(url: string, { supplier, body, headers }: Notice): Promise<void> {
  await fetch(`${url}/${supplier}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    signal: AbortSignal.timeout(10_000),
  }).catch(() => {})
}

interface Kept {
  readonly books: Books
  readonly notices: readonly Notice[]
  readonly goods: readonly Map<string, Good>[]
}

/** The books: in short for anybody, with everything and a hand on the balances for whoever has the secret. */
async function answer(req: IncomingMessage, { books, notices, goods }: Kept, secret: string) {
  const isOwner = isSame(req.headers.authorization ?? '', `Bearer ${secret}`)
  const { pathname } = new URL(req.url ?? '/', 'http://sandbox.invalid')
  if (req.method === 'POST' && pathname.endsWith('/balance')) {
    if (!isOwner) return { status: 401, body: { error: 'unauthorised' } }
    const told = JSON.parse((await readBody(req, BODY_MAX)).toString('utf8')) as {
      readonly supplier: string
      readonly cents: string
    }
    await books.setBalance(told.supplier, BigInt(told.cents))
  }
  if (req.method === 'POST' && pathname.endsWith('/bulk')) {
    if (!isOwner) return { status: 401, body: { error: 'unauthorised' } }
    const told = JSON.parse((await readBody(req, BODY_MAX)).toString('utf8')) as {
      readonly count: number
      readonly percent: number
    }
    for (const each of goods) stockUp(each, Math.min(told.count, BULK_MOST), told.percent)
  }
  const balances = Object.keys(SUPPLIERS).map((supplier) => ({
    supplier,
    balance: dollars(books.balance(supplier)),
    currency: 'USD',
  }))
  const purchases = books.sales().map((sale) => (isOwner ? sale : shown(sale)))
  return {
    status: 200,
    body: {
      note: 'A sandbox: nothing here is worth anything.',
      balances,
      purchases,
      ...(isOwner ? { notices } : {}),
    },
  }
}

const shown = ({ supplier, id, sku, quantity, state, cost, at }: Sale) => ({
  supplier,
  id,
  sku,
  quantity,
  state,
  cost: dollars(cost),
  at: new Date(at).toISOString(),
})

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function reply(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  })
  res.end(JSON.stringify(body))
}
