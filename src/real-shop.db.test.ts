import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { REQUIRED_TEXTS } from '#features/base/shop/rules.ts'
import { readConfig } from '#platform/config.ts'
import { freePort } from '#platform/free-port.ts'
import { createLogger } from '#platform/log.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { openStripeSandbox, type StripeSandbox } from './sandbox/stripe/service.ts'
import { smallCatalogue, writeFolder } from '../test/support/catalogue-folder.ts'
import { useDatabase } from '../test/support/database.ts'
import { PASSWORD as SHOPPERS_PASSWORD, somebody } from '../test/support/people.ts'
import { createWeb, type Web } from './web.ts'

/**
 * docs/operating/from-demo-to-real-shop.md, walked on an empty shop from the first owner to a sale: the commands in processes of their
 * own, the shop over HTTP, the worker beside it, cards at a server that speaks Stripe's protocol.
 */
const database = useDatabase()
const PASSWORD = 'correct horse battery'
const STRIPE_KEY = 'sk_test_realshopwalk0001'
const WEBHOOK_SECRET = 'whsec_realshopwalk0001'
const CODE = 'ABCDEFGH12345678'
const ITEM = 'card:vapour:us:20'
let folder = ''
let origin = ''
let stripe: StripeSandbox
let environment: Record<string, string> = {}
let web: Web
let server: Server
let others: ChildProcess[] = []

beforeAll(async () => {
  // Tests of other things buy in a shop that lacks its texts; this one starts from nothing.
  await database.ctx.db.deleteFrom('setting').execute()
  folder = mkdtempSync(join(tmpdir(), 'lukado-real-'))
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  stripe = await openStripeSandbox({
    port: 0,
    secretKey: STRIPE_KEY,
    webhookSecret: WEBHOOK_SECRET,
    webhookUrl: `${origin}/api/webhook/stripe`,
  })
  environment = {
    PATH: process.env.PATH ?? '',
    PORT: String(port),
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    PUBLIC_URL: origin,
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    DEMO: '0',
    LOG_LEVEL: 'error',
    STRIPE_SECRET_KEY: STRIPE_KEY,
    STRIPE_WEBHOOK_SECRETS: WEBHOOK_SECRET,
    STRIPE_API_URL: stripe.origin,
    OPERATOR_PASSWORD: PASSWORD,
    OPERATOR_NEW_PASSWORD: PASSWORD,
  }
  web = await createWeb({
    config: readConfig(environment),
    log: createLogger({ level: 'error' }),
    assets: () => ({ entry: '/assets/x.js', styles: [], chunksOf: () => [] }),
    files: () => new Map(),
    isDevelopment: false,
  })
  server = createServer(web.listener)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  others = ['src/vault.ts', 'src/worker.ts'].map((entry) =>
    spawn(process.execPath, [join(PROJECT_ROOT, entry)], {
      env: { ...environment, ROLE: 'worker' },
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  )
}, 60_000)
afterAll(async () => {
  for (const other of others) other.kill('SIGKILL')
  server.close()
  await web.close()
  stripe.close()
  rmSync(folder, { recursive: true, force: true })
})

async function cli(...args: readonly string[]): Promise<{ code: unknown; out: string }> {
  const child = spawn(process.execPath, [join(PROJECT_ROOT, 'src/cli.ts'), ...args], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  const hear = (chunk: Buffer) => {
    out += chunk.toString()
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  return { code: await new Promise((resolve) => child.once('close', resolve)), out }
}

async function done(...args: readonly string[]): Promise<string> {
  const { code, out } = await cli(...args, '--as', 'mara')
  expect(out, args.join(' ')).not.toMatch(/^(?:That|There)/)
  expect(code, `${args.join(' ')}: ${out}`).toBe(0)
  return out
}

interface Answer<Data> {
  readonly code: number
  readonly msg: string
  readonly data: Data
}

let cookie = ''
async function call<Data>(path: string, body?: object): Promise<Answer<Data>> {
  const answer = await fetch(`${origin}/api/${path}`, {
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    headers: { 'content-type': 'application/json', origin, cookie },
  })
  const set = answer.headers.getSetCookie().map((one) => one.split(';', 1)[0] ?? '')
  if (set.length > 0) cookie = [cookie, ...set].filter((one) => one !== '').join('; ')
  return (await answer.json()) as Answer<Data>
}

async function until<T>(look: () => Promise<T | null>, what: string): Promise<T> {
  for (const end = performance.now() + 30_000; performance.now() < end; await sleep(200)) {
    const found = await look()
    if (found !== null) return found
  }
  throw new Error(`waited too long for ${what}`)
}

const home = async (language = '') => (await fetch(`${origin}/${language}`)).text()

/** The owner's own goods, with the texts that a shop must have. */
function ownCatalogue() {
  const goods = smallCatalogue()
  const text = (code: string) => ({
    code,
    title: `Our ${code}`,
    published: '2026-11-01',
    sections: [{ paragraphs: [`What {store} says in its ${code}.`] }],
  })
  return { ...goods, 'articles/pages.json': { articles: REQUIRED_TEXTS.map(text) } }
}

test('an owner who follows the page has a shop of their own that sells', async () => {
  // Without an operator nothing is done; the first one is made from the shell.
  expect((await cli('orders', 'list')).out).toMatch(/^This shop has no operator yet/)
  expect((await cli('operator', 'create', 'mara', 'owner')).code).toBe(0)

  // There is nothing yet, and nothing is said to be there; the wire contract is this shop's.
  expect(await home()).not.toMatch(/\b0 currencies/)
  expect(await (await fetch(`${origin}/api/docs`)).text()).toContain('<h1>Shop: wire contract</h1>')

  // Goods, keys, and a shopper who comes too early.
  const goods = ownCatalogue()
  await done('import', writeFolder({ ...goods, 'articles/pages.json': { articles: [] } }))
  writeFileSync(join(folder, 'keys.txt'), `${CODE}\n`)
  expect(await done('keys', 'import', ITEM, join(folder, 'keys.txt'))).toMatch(/^Imported 1,/)
  const shopper = await somebody(database.ctx)
  expect(
    (await call('user/login', { account: shopper.email, password: SHOPPERS_PASSWORD })).code,
  ).toBe(1)
  const order = () =>
    call<{ order: string; order_no: string }>('order/create?currency=USD', {
      lines: [{ item: ITEM, quantity: 1 }],
    })
  await until(async () => ((await home()).includes('Vapour') ? true : null), 'the goods at home')
  expect(await order()).toMatchObject({
    code: 2440,
    msg: 'This shop is still being set up and isn’t selling yet. You haven’t been charged.',
  })
  expect((await cli('doctor')).out).toMatch(
    /wrong {2}settings: the shop lacks shop\.name, shop\.corporate_name, shop\.address, shop\.support_email, sales-terms, .* and sells nothing before they are there/,
  )

  // What must be said, and the texts that must be written.
  await done('settings', 'set', 'shop.name', 'Corner Shop')
  await done('settings', 'set', 'shop.corporate_name', 'Corner Shop Ltd')
  await done('settings', 'set', 'shop.address', '12 High Street, Leeds')
  await done('settings', 'set', 'shop.support_email', 'help@corner.example')
  const samples = JSON.parse(
    readFileSync(join(PROJECT_ROOT, 'catalogue/articles/pages.json'), 'utf8'),
  ) as { articles: { code: string }[] }
  await done(
    'import',
    writeFolder({
      ...goods,
      'articles/pages.json': {
        articles: samples.articles.filter(({ code }) => REQUIRED_TEXTS.some((own) => own === code)),
      },
    }),
  )
  expect((await cli('doctor')).out).toMatch(
    /wrong {2}settings: the shop lacks sales-terms of its own instead of the demo's sample \(en\), .* and sells nothing/,
  )
  await until(async () => ((await home()).includes('Corner Shop') ? true : null), 'the name')
  expect((await order()).code).toBe(2440)
  await done('import', writeFolder(goods))
  expect((await cli('doctor')).out).toContain('what a shop must have is there')

  // Nothing of the demo is left, in any language.
  for (const language of ['', 'de', 'ja', 'ar']) {
    const page = await home(language)
    expect(page).toContain('12 High Street, Leeds')
    expect(page).toContain('Vapour')
    expect(page).not.toMatch(/lukado|example street|sampletown/i)
  }
  const { data: init } = await call<{ name: string; pay_type: { code: string }[] }>('common/init')
  expect(init.name).toBe('Corner Shop')
  expect(init.pay_type.map(({ code }) => code).toSorted()).toEqual(['balance', 'card'])

  // A sale, by card, with its key at the end.
  const placed = await until(async () => {
    const answer = await order()
    return answer.code === 1 ? answer.data : null
  }, 'an order that is taken')
  const started = await call<{ redirect_url: string }>('pay/start', {
    order: placed.order,
    method: 'stripe',
    agree: true,
  })
  expect(started).toMatchObject({ code: 1 })
  expect(started.data.redirect_url).toMatch(new RegExp(`^${stripe.origin}/c/pay/`))
  stripe.act(started.data.redirect_url.slice(`${stripe.origin}/c/pay/`.length), 'pay')
  const unit = await until(async () => {
    const { data } = await call<{ list: { id: string }[] }>('cardpwd/index')
    return data.list[0]?.id ?? null
  }, 'the key')
  const revealed = await call<object>('cardpwd/reveal', { id: unit })
  expect(JSON.stringify(revealed.data)).toContain(CODE)
  expect(await done('orders', 'list')).toContain(placed.order_no)
}, 600_000)
