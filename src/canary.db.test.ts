import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type Server,
} from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PUBLISHED_CALLS } from '#api/openapi.ts'
import { importKeys } from '#features/buying/vault/flows.ts'
import { readConfig } from '#platform/config.ts'
import { freePort } from '#platform/free-port.ts'
import { createLogger } from '#platform/log.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { ROUTES } from '#storefront/routes.ts'
import { openVault } from '#features/buying/vault/engine/vault.ts'
import { openVaultKeys } from '#platform/vault-keys.ts'
import { buy } from '../test/support/buying.ts'
import { useDemoDatabase } from '../test/support/demo-database.ts'
import { createFakePayments } from '../test/support/fake-payment.ts'
import { PASSWORD as SOMEBODYS_PASSWORD, somebody } from '../test/support/people.ts'
import { startMailServer, type MailServer } from '../test/support/mail-server.ts'
import { payFor } from '../test/support/paying.ts'
import { createWeb, type Web } from './web.ts'

/**
 * Plants secrets in the shop as it runs (web, worker, a real mail server), walks everywhere with them, and then searches every
 * byte that was written or answered.
 */
const database = useDemoDatabase()
const KEY = Buffer.alloc(32, 9).toString('base64')
const logs: string[] = []
const answers: Answer[] = []
let folder: string
/** Everything in the tables before anybody came. */
let catalogue: string
let mail: MailServer
let web: Web
let server: Server
let others: ChildProcess[] = []
let origin: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lukado-canary-'))
  catalogue = (await tables()).map(({ text }) => text).join('\n')
  mail = await startMailServer()
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  const environment = {
    PORT: String(port),
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    PUBLIC_URL: origin,
    SECRET_KEY: KEY,
    SMTP_URL: mail.url,
    LOG_LEVEL: 'debug',
    DEMO: '0',
  }
  const log = createLogger({
    level: 'debug',
    write: (line) => logs.push(line),
    fields: { process: 'web' },
  })
  web = await createWeb({
    config: readConfig(environment),
    log,
    assets: () => ({ entry: '/assets/x.js', styles: [], chunksOf: () => [] }),
    consoleAssets: () => ({ entry: '/console/assets/x.js', styles: [], chunksOf: () => [] }),
    files: () => new Map(),
    isDevelopment: false,
  })
  server = createServer(web.listener)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  others = ['worker.ts', 'vault.ts', 'pictures.ts'].map((entry) =>
    spawn(process.execPath, [join(PROJECT_ROOT, 'src', entry)], {
      env: { PATH: process.env.PATH ?? '', ...environment, ROLE: 'worker' },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
  for (const stream of others.flatMap(({ stdout, stderr }) => [stdout, stderr]))
    stream?.on('data', (chunk: Buffer) => logs.push(chunk.toString()))
})

afterAll(async () => {
  for (const child of others) child.kill('SIGKILL')
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await web.close()
  await mail.stop()
  rmSync(folder, { recursive: true })
})

interface Answer {
  readonly what: string
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

interface Visit {
  readonly cookie?: string
  readonly body?: unknown
  readonly form?: string
}

function ask(method: string, target: string, { cookie, body, form }: Visit = {}): Promise<Answer> {
  const headers = {
    ...(cookie ? { cookie } : {}),
    'accept-encoding': 'br, gzip',
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    ...(method === 'POST'
      ? {
          origin,
          'content-type':
            form === undefined ? 'application/json' : 'application/x-www-form-urlencoded',
        }
      : {}),
  }
  return new Promise((resolve, reject) => {
    const sent = httpRequest(origin + target, { method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          const made = {
            what: `${method} ${target.split('?')[0]}`,
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            body: decode(Buffer.concat(chunks), answer.headers),
          }
          answers.push(made)
          resolve(made)
        })
    })
    sent
      .on('error', reject)
      .end(
        form ?? (body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)),
      )
  })
}

function decode(body: Buffer, headers: IncomingHttpHeaders): string {
  const encoding = headers['content-encoding']
  return (
    encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body
  ).toString('utf8')
}

/** What must be found nowhere, by what it is. */
const secrets = new Map<string, string>()
/** What only its owner may be shown. */
const personal = ['plover.owner@mail.example', 'PloverOwner7']
const [EMAIL = '', USER_NAME = ''] = personal
const PASSWORD = 'Xq7CanaryPw8Zt'
const SAMPLES: Readonly<Record<string, string>> = {
  ':code': 'steam-us',
  ':platform': 'google',
  ':rechargeList': 'airtime',
  ':id': 'steam',
}
const PATHS = [
  ...new Set(
    ROUTES.flatMap(({ path }) => {
      const filled = path.replace(/:\w+(?=\??$)/, (name) => SAMPLES[name] ?? 'x')
      return filled.endsWith('?')
        ? [filled.slice(0, -1), filled.slice(0, filled.lastIndexOf('/'))]
        : [filled]
    }),
  ),
]

async function until<T>(look: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < 6_000; tries += 1, await sleep(50)) {
    const found = await look()
    if (found !== null) return found
  }
  throw new Error(`waited too long:\n${logs.slice(-20).join('')}`)
}

/** Code and link of the newest mail that came after so many. */
async function nextProof(
  after: number,
  name: string,
): Promise<{ readonly code: string; readonly key: string; readonly link: string }> {
  const text = await until(async () =>
    mail.raw.length > after ? ((await mail.received()).at(-1)?.text ?? null) : null,
  )
  const code = /(?<!\d)\d{6}(?!\d)/.exec(text)?.[0] ?? ''
  const link = /https?:\/\/\S+[?&]key=[\w-]{43}/.exec(text)?.[0] ?? ''
  const key = /key=([\w-]{43})/.exec(link)?.[1] ?? ''
  if (code === '' || key === '') throw new Error(`no proof in ${text}`)
  // Six figures may stand in the catalogue by chance: such a code could not be told from them.
  if (!new RegExp(`(?<!\\d)${code}(?!\\d)`).test(catalogue)) secrets.set(`${name}: code`, code)
  secrets.set(`${name}: key of the link`, key)
  return { code, key, link: link.replace(origin, '') }
}

/** Cookie and handle of a session just begun. */
function enter(answer: Answer, name: string): { readonly cookie: string; readonly handle: string } {
  const { code, data } = JSON.parse(answer.body) as {
    code: number
    data: { userinfo: { token: string } }
  }
  if (code !== 1) throw new Error(`${answer.what}: ${answer.body}`)
  const cookies = (answer.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0] ?? '')
  const token =
    cookies
      .map((cookie) => cookie.slice(cookie.indexOf('=') + 1))
      .find((value) => /^[\w-]{43}$/.test(value)) ?? ''
  if (token === '') throw new Error('no session cookie')
  secrets.set(`${name}: session token`, token).set(`${name}: handle`, data.userinfo.token)
  expect(data.userinfo.token).not.toBe(token)
  return { cookie: cookies.join('; '), handle: data.userinfo.token }
}

async function walk(query: string, visit: Visit): Promise<void> {
  for (const path of PATHS) {
    for (const target of [path, `/ar${path === '/' ? '' : path}`])
      await ask('GET', `${target}?${query}`, visit)
  }
  for (const call of PUBLISHED_CALLS.filter(({ method }) => method === 'get')) {
    await ask(
      'GET',
      `/api/${call.path}?${new URLSearchParams(Object.entries(call.example).map(([name, value]) => [name, String(value)]))}&${query}`,
      visit,
    )
  }
}

test('a person registers, walks everywhere with the token, resets the password, and nothing of it is left behind', {
  timeout: 600_000,
}, async () => {
  secrets.set('password', PASSWORD)
  await ask('POST', '/api/user/send_code', { body: { type: 'register', account: EMAIL } })
  const registered = await nextProof(0, 'register')
  const first = enter(
    await ask('POST', '/api/user/register', {
      body: {
        type: 'email',
        email: EMAIL,
        code: registered.code,
        username: USER_NAME,
        password: PASSWORD,
      },
    }),
    'first',
  )
  const second = enter(
    await ask('POST', '/api/user/login', { body: { account: USER_NAME, password: PASSWORD } }),
    'second',
  )

  await walk(`token=${second.handle}`, { cookie: second.cookie })
  await walk(`token=${second.handle}`, {})
  await walk(`token=${second.cookie.slice(second.cookie.indexOf('=') + 1)}`, {})
  await takeOddWays(first)
  await breakThings(second)

  const before = mail.raw.length
  await ask('POST', '/api/user/send_code', { body: { type: 'reset', account: EMAIL } })
  const reset = await nextProof(before, 'reset')
  await ask('GET', `${reset.link}&token=${second.handle}`, { cookie: second.cookie })
  secrets.set('new password', 'Wm4CanaryPw6Rk')
  expect(
    (
      await ask('POST', `/api/user/reset?token=${second.handle}`, {
        body: { key: reset.key, password: 'Wm4CanaryPw6Rk' },
      })
    ).body,
  ).toContain('"code":1')
  expect((await ask('GET', `/api/user/getUserInfo?token=${second.handle}`)).status).toBe(401)
  const third = enter(
    await ask('POST', '/api/user/login', { body: { account: EMAIL, password: 'Wm4CanaryPw6Rk' } }),
    'third',
  )
  await callEverything(third)

  const stranger = answers.length
  await walk('', {})
  await walk(`token=${'x'.repeat(43)}`, {})
  for (const answer of answers.slice(stranger))
    for (const text of personal)
      expect(answer.body.includes(text), `${answer.what} tells a stranger ${text}`).toBe(false)

  await untilIdle()
  expect(await findSecrets()).toEqual([])
  // The walk and the search did what they are there for.
  const statuses = (what: string) =>
    new Set(answers.filter((answer) => answer.what === what).map(({ status }) => status))
  for (const what of [
    'GET /user',
    'GET /userDetail',
    'GET /api/user/getUserInfo',
    'GET /api/collect/index',
  ])
    expect([...statuses(what)], what).toContain(200)
  for (const what of ['GET /mobile/resetpwd', 'GET /api/collect/index'])
    expect([...statuses(what)], what).toContain(500)
  expect(logs.join('')).toMatch(/"message":"page failed".*\?(?:key=\*\*\*&)?token=\*\*\*/)
  secrets.clear()
  secrets.set('address', EMAIL)
  expect(await findSecrets()).toEqual(
    expect.arrayContaining([
      'address in a mail',
      'address in table public.account',
      'address in answer to GET /api/user/getUserInfo',
    ]),
  )
})

test('what card keys say is in the answers that reveal them, and nowhere else', {
  timeout: 600_000,
}, async () => {
  const { ctx } = database
  answers.length = 0
  secrets.clear()
  const { accountId, email } = await somebody(ctx)
  // Somebody of the test before may have used up this address's share.
  const login = () =>
    ask('POST', '/api/user/login', { body: { account: email, password: SOMEBODYS_PASSWORD } })
  const entered = enter(
    await until(async () => login().then((answer) => (answer.status === 429 ? null : answer))),
    'buyer',
  )
  secrets.clear()
  const { order, ids } = await buyPlanted(accountId, [
    'CANRY-7QX4M-ZT9PL',
    'CANRY-8WK2J-HV6RD',
    'CANRY-3MB5T-YE4XU',
  ])
  const { cookie } = entered
  const reveal = (id: string | undefined) =>
    ask('POST', '/api/cardpwd/reveal', { body: { id }, cookie })

  await sql`alter table key_access rename to lost`.execute(ctx.db)
  expect((await reveal(ids[0])).status).toBe(500)
  await sql`alter table lost rename to key_access`.execute(ctx.db)
  expect((await reveal(ids[0])).body).toContain('CANRY-')
  expect(
    (await ask('POST', '/user/cardpwd', { form: `form=revealKey&id=${ids[1]}`, cookie })).body,
  ).toContain('CANRY-')
  expect(
    (await ask('POST', '/api/cardpwd/export?lang=de', { form: '', cookie })).body.match(/CANRY-/g),
  ).toHaveLength(3)
  await ask('POST', '/api/cardpwd/used', { body: { id: ids[0], used: true }, cookie })
  await ask('POST', '/api/cardpwd/report', {
    body: { id: ids[0], text: 'It does not work.' },
    cookie,
  })
  for (const target of [
    '/user/cardpwd',
    `/user/cardpwd?key=${ids[0]}`,
    `/order/detail?order=${order}`,
    `/order/detail?order=${order}&key=${ids[1]}`,
    '/user/order',
    '/user/notice',
    '/api/cardpwd/index',
    `/api/order/detail?order=${order}`,
    '/api/user/export',
  ]) {
    for (const visited of target.startsWith('/api') ? [target] : [target, `/ar${target}`])
      expect((await ask('GET', visited, { cookie })).status, visited).toBe(200)
  }
  await walk('', { cookie })
  await untilIdle()
  expect(await findSecrets()).toEqual([])
})

/** Card keys, paid for and delivered; what they say is planted. */
async function buyPlanted(
  accountId: string,
  codes: readonly string[],
): Promise<{ readonly order: string; readonly ids: readonly string[] }> {
  const { ctx } = database
  codes.forEach((code, index) => secrets.set(`card password ${index + 1}`, code))
  const item = {
    ...(await ctx.db
      .selectFrom('item')
      .select(['id', 'code', 'product'])
      .where('code', '=', 'card:steam:us:20')
      .executeTakeFirstOrThrow()),
    brand: 'steam',
  }
  async function* file() {
    yield codes.join('\n')
  }
  await importKeys(
    ctx,
    openVault(() => openVaultKeys({ vaultKeys: undefined, dataDirectory: folder })),
    { itemCode: item.code, fileName: 'keys.txt', chunks: file(), isDryRun: false },
  )
  const bought = await buy(ctx, [{ item, quantity: codes.length }], { accountId })
  const fake = createFakePayments()
  await payFor(ctx, fake, bought, 1_000n * BigInt(codes.length))
  const units = await ctx.db
    .selectFrom('order_unit')
    .select('public_id')
    .where('order_id', '=', bought.id)
    .where('status', '=', 'delivered')
    .execute()
  expect(units).toHaveLength(codes.length)
  return { order: bought.publicId, ids: units.map(({ public_id: id }) => id) }
}

/** Addresses that lead somewhere else, hold addresses, or are broken. */
async function takeOddWays({
  cookie,
  handle,
}: {
  readonly cookie: string
  readonly handle: string
}): Promise<void> {
  const nested = encodeURIComponent(`/cards?page=2&token=${handle}`)
  secrets
    .set('code of another service', 'CanaryServiceCode1')
    .set('state of another service', 'CanaryServiceState1')
  const targets = [
    `/en/cards?token=${handle}`,
    `/cards/?token=${handle}`,
    `/?token=${handle}`,
    `/news?token=${handle}`,
    `/login?redirect=${nested}`,
    `/language_currency?redirect=${nested}`,
    `/middle?url=${nested}`,
    `/redirect?url=${nested}`,
    `/user/order?type=2&token=${handle}`,
    `/nowhere?token=${handle}`,
    `/cards/%ff?token=${handle}`,
    `/api/nowhere?token=${handle}`,
    `/api/goods/index?token=${handle}&keywords=%ff`,
    `/api/goods/detail?token=${handle}&code=nothing`,
    `/loading/google?code=CanaryServiceCode1&state=CanaryServiceState1`,
    `/img/nothing.webp?token=${handle}`,
    `/assets/nothing.js?token=${handle}`,
    `/sitemap.xml?token=${handle}`,
    `/mobile/resetpwd?key=${'A'.repeat(43)}&token=${handle}`,
    `/api/docs?token=${handle}`,
  ]
  for (const target of targets) {
    await ask('GET', target, { cookie: `${cookie}; i18n_redirected=de` })
    await ask('GET', target)
  }
  await ask('POST', `/language_currency?token=${handle}`, {
    form: `language=de&redirect=${nested}`,
  })
}

/** Answers that come from faults, of the caller and of the shop. */
async function breakThings({
  cookie,
  handle,
}: {
  readonly cookie: string
  readonly handle: string
}): Promise<void> {
  secrets
    .set('mistyped password', 'Jv9CanaryPw2Lh')
    .set('password in broken JSON', 'Ts5CanaryPw3Bn')
    .set('password of a wrong type', 'Gd8CanaryPw1Mx')
  await ask('POST', '/api/user/login', { body: { account: EMAIL, password: 'Jv9CanaryPw2Lh' } })
  await ask('POST', '/api/user/login', { body: '{"account":"x","password":"Ts5CanaryPw3Bn"' })
  await ask('POST', '/api/user/login', { body: 'Ts5CanaryPw3Bn' })
  await ask('POST', '/api/user/login', { body: { account: EMAIL, password: ['Gd8CanaryPw1Mx'] } })
  await ask('POST', '/login', { form: `account=${USER_NAME}&password=Jv9CanaryPw2Lh`, cookie: '' })
  await ask('POST', `/api/user/password?token=${handle}`, {
    body: { new_password: 'Ts5CanaryPw3Bn', password: 'Jv9CanaryPw2Lh' },
  })
  const db = database.ctx.db
  for (const table of ['favourite', 'session', 'verification']) {
    await sql`alter table ${sql.id(table)} rename to lost`.execute(db)
    await ask('GET', `/user/collect?token=${handle}`, { cookie })
    await ask('GET', `/api/collect/index?token=${handle}`, { cookie })
    await ask('GET', `/api/collect/index?token=${handle}`)
    await ask(
      'GET',
      `/mobile/resetpwd?key=${secrets.get('register: key of the link')}&token=${handle}`,
      { cookie },
    )
    await ask('POST', `/api/user/reset?token=${handle}`, {
      body: { key: secrets.get('register: key of the link'), password: 'Ts5CanaryPw3Bn' },
    })
    await ask('POST', `/api/user/register?token=${handle}`, {
      body: {
        type: 'link',
        key: secrets.get('register: key of the link'),
        username: 'Somebody77',
        password: 'Ts5CanaryPw3Bn',
      },
    })
    await sql`alter table lost rename to ${sql.id(table)}`.execute(db)
  }
  expect(logs.join('')).toContain('call failed')
}

/** Every call that writes, as its description shows it: by handle, by cookie and with a key against repetition. */
async function callEverything({
  cookie,
  handle,
}: {
  readonly cookie: string
  readonly handle: string
}): Promise<void> {
  for (const call of PUBLISHED_CALLS.filter(
    ({ method, path }) => method === 'post' && path !== 'user/logout',
  )) {
    const body = Object.hasOwn(call.example, 'password')
      ? { ...call.example, password: 'Jv9CanaryPw2Lh' }
      : call.example
    await ask('POST', `/api/${call.path}?token=${handle}`, { body })
    await ask('POST', `/api/${call.path}?token=cookie`, { body, cookie })
  }
}

async function untilIdle(): Promise<void> {
  await until(async () => {
    const { rows } = await sql<{
      waiting: string
    }>`select count(*) as waiting from graphile_worker._private_jobs where run_at <= now() and attempts = 0`.execute(
      database.ctx.db,
    )
    return rows[0]?.waiting === '0' ? true : null
  })
}

/** Each place where a secret stands: "token in a log". */
async function findSecrets(): Promise<string[]> {
  const found = new Set<string>()
  const places = [...(await writtenPlaces()), ...answers.flatMap(answeredPlaces)]
  for (const [name, value] of secrets) {
    const forms = /^\d+$/.test(value)
      ? [new RegExp(`(?<![\\w.+:-])${value}(?![\\w.:-])`)]
      : [
          value,
          Buffer.from(value).toString('hex'),
          Buffer.from(value).toString('base64').replace(/=+$/, ''),
          encodeURIComponent(encodeURIComponent(value)),
        ]
    for (const { what, text, may } of places) {
      if (may?.(name)) continue
      if (forms.some((form) => (typeof form === 'string' ? text.includes(form) : form.test(text))))
        found.add(`${name} in ${what}`)
    }
  }
  return [...found].sort()
}

interface Place {
  readonly what: string
  readonly text: string
  /** Whether a secret may stand here. */
  readonly may?: (name: string) => boolean
}

async function tables(): Promise<Place[]> {
  const { db } = database.ctx
  const { rows: names } = await sql<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(
    db,
  )
  const places: Place[] = []
  for (const { name } of names) {
    const { rows } = await sql<{
      row: string
    }>`select t::text as row from ${sql.raw(name)} t`.execute(db)
    places.push({ what: `table ${name}`, text: rows.map(({ row }) => row).join('\n') })
  }
  return places
}

async function writtenPlaces(): Promise<Place[]> {
  const { db } = database.ctx
  const places: Place[] = [{ what: 'the logs', text: logs.join('') }, ...(await tables())]
  const { rows: statements } = await sql<{
    query: string
  }>`select query from pg_stat_activity where query is not null`.execute(db)
  places.push({ what: 'statements', text: statements.map(({ query }) => query).join('\n') })
  const { rows: settings } = await sql<{ data_directory: string }>`show data_directory`.execute(db)
  places.push({
    what: "PostgreSQL's log",
    text: readFileSync(join(dirname(settings[0]?.data_directory ?? ''), 'postgres.log'), 'utf8'),
  })
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile())
      places.push({
        what: `file ${entry.name}`,
        text: readFileSync(join(entry.parentPath, entry.name), 'latin1'),
      })
  }
  for (const raw of mail.raw)
    places.push({ what: 'a mail', text: raw, may: (name) => /code|key/.test(name) })
  return places
}

const REVEALS = /^POST (?:\/api\/cardpwd\/(?:reveal|export)|\/user\/cardpwd)$/
const BEGINS_A_SESSION = /^POST \/api\/user\/(?:login|register|callback)$/

function answeredPlaces({ what, headers, body }: Answer): Place[] {
  const { 'set-cookie': _, ...others } = headers
  return [
    { what: `headers of ${what}`, text: JSON.stringify(others) },
    {
      what: `answer to ${what}`,
      text: body,
      // The page of a mailed link carries its key into its form, for whoever has no script.
      may: (name) =>
        (name.startsWith('card password') && REVEALS.test(what)) ||
        (name.endsWith('handle') && BEGINS_A_SESSION.test(what)) ||
        (name === 'reset: key of the link' && what === 'GET /mobile/resetpwd'),
    },
  ]
}
