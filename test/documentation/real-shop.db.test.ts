import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { REQUIRED_TEXTS } from '#features/base/shop/rules.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { smallCatalogue, type Documents } from '../support/catalogue-folder.ts'
import { longRunTest as test } from '../support/long.ts'
import { readPdfText } from '../support/pdf-text.ts'
import { readBlocks } from './blocks.ts'
import { readInlineCommands } from './inline.ts'
import { openOwnShop, until, type OwnShop } from './own-shop.ts'
import { commandsOf, type ShellCommand } from './shell.ts'

/**
 * docs/operating/from-demo-to-real-shop.md, walked on an empty shop from its first start to a sale: what its examples say, word for
 * word but for paths and addresses, with the program as `npm start` runs it, a mail server, and cards at a server that speaks Stripe's protocol.
 */
const PAGE = 'docs/operating/from-demo-to-real-shop.md'
const NAME = 'Corner Shop'
const CODE = 'ABCDEFGH12345678'
const ITEM = 'card:vapour:us:20'
const EMAIL = 'ada@example.com'
const PASSWORD = 'Kelapa7Muda'

let shop: OwnShop
beforeAll(async () => {
  shop = await openOwnShop()
})
afterAll(() => shop.close())

/** The page's examples by what they begin with; each is taken once, and none may be left at the end. */
const left = readBlocks()
  .filter(({ page }) => page === PAGE)
  .map(({ text }) => text)
const inline = readInlineCommands(PAGE)

function take(begin: string): readonly ShellCommand[] {
  const at = left.findIndex((text) => text.includes(begin))
  if (at < 0) throw new Error(`${PAGE} has no example with ${begin}`)
  return commandsOf(left.splice(at, 1)[0] ?? '')
}

/** Runs an example's commands as the page says them, `--as mara` added where it is left out. */
async function follow(commands: readonly ShellCommand[]): Promise<readonly string[]> {
  const outputs: string[] = []
  for (const { words } of commands) {
    const own = words
      .slice(words.indexOf('--') + 1)
      .map((word) => word.replace('/srv/lukado', shop.folder))
    outputs.push(await done(own[0] === 'operator' ? own : [...own, '--as', 'mara']))
  }
  return outputs
}

async function done(words: readonly string[]): Promise<string> {
  const { code, out } = await shop.cli(words)
  expect(code, `${words.join(' ')}: ${out}`).toBe(0)
  return out
}

/** The owner's own folder at the place that the page imports. */
function writeCatalogue(documents: Documents): void {
  for (const [file, document] of Object.entries(documents)) {
    const path = join(shop.folder, 'catalogue', file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, JSON.stringify(document))
  }
}

const textsOfOnesOwn = () => ({
  articles: REQUIRED_TEXTS.map((code) => ({
    code,
    title: `Our ${code}`,
    published: '2026-11-01',
    sections: [{ paragraphs: [`What {store} says in its ${code}.`] }],
  })),
})

const order = () =>
  shop.call<{ order: string; order_no: string }>('order/create?currency=USD', {
    lines: [{ item: ITEM, quantity: 1 }],
  })

const doctor = async () => (await shop.cli(['doctor'])).out

test('an owner who follows the page has a shop of their own that sells', async () => {
  const [start] = take('npm start')
  const data = join(shop.folder, 'data')
  expect(start?.settings.map((setting) => setting.split('=')[0])).toEqual([
    'DATA_DIR',
    'PUBLIC_URL',
    'SMTP_URL',
  ])
  await shop.start({ DATA_DIR: data, PUBLIC_URL: shop.origin, SMTP_URL: shop.mail.url })

  // It is no demo: no sandbox, nothing of the demo's, and nothing is said to be there; the wire contract is this shop's.
  expect((await fetch(`${shop.origin}/sandbox/mail`)).status).toBe(404)
  expect(await shop.page('/')).not.toMatch(/\b0 currencies/)
  expect(await shop.page('/api/docs')).toContain('<h1>Shop: wire contract</h1>')

  // Without an operator nothing is done; the first one is made from the shell.
  expect((await shop.cli(['orders', 'list'])).out).toMatch(/^This shop has no operator yet/)
  await follow(take('operator create'))
  expect(await doctor()).toMatch(
    /wrong {2}settings: the shop lacks shop\.name, shop\.corporate_name, shop\.address, shop\.support_email, sales-terms, .* and sells nothing before they are there/,
  )

  await follow(take('settings set shop.name'))
  await until(async () => ((await shop.page('/')).includes(NAME) ? true : null), 'the name')
}, 600_000)

test('goods are there, and sold only beside texts that are not the samples', async () => {
  const importing = take('import /srv/lukado/catalogue')
  // What the page says to take along of a demo's own folder, and the demo's texts.
  const samples = JSON.parse(
    readFileSync(join(PROJECT_ROOT, 'catalogue/articles/pages.json'), 'utf8'),
  ) as { articles: { code: string }[] }
  const isRequired = ({ code }: { code: string }) => REQUIRED_TEXTS.some((own) => own === code)
  writeCatalogue({
    ...smallCatalogue(),
    'articles/pages.json': { articles: samples.articles.filter(isRequired) },
  })
  for (const file of ['currencies.json', 'countries.json', 'regions.json'])
    cpSync(join(PROJECT_ROOT, 'catalogue', file), join(shop.folder, 'catalogue', file))
  await follow(importing)
  writeFileSync(join(shop.folder, 'keys.csv'), `${CODE}\n`)
  const [wouldImport, imported] = await follow(take('keys import'))
  expect([wouldImport, imported]).toEqual([
    expect.stringMatching(/^Would import 1,/),
    expect.stringMatching(/^Imported 1,/),
  ])

  // Somebody registers with the code that is mailed to them, under the shop's name.
  await shop.call('user/send_code', { type: 'register', account: EMAIL })
  const mail = await shop.mailTo(EMAIL, new RegExp(`^Your ${NAME} sign-up code$`))
  expect(mail.from?.name).toBe(NAME)
  expect(mail.text).toContain('Corner Shop Ltd')
  expect(mail.text).toContain('12 High Street, Leeds')
  const code = /^\d{6}$/m.exec(mail.text ?? '')?.[0]
  const registered = await shop.call('user/register', {
    type: 'email',
    email: EMAIL,
    code,
    username: 'adalove',
    password: PASSWORD,
  })
  expect(registered).toMatchObject({ code: 1 })

  expect(await order()).toMatchObject({
    code: 2440,
    msg: 'This shop is still being set up and isn’t selling yet. You haven’t been charged.',
  })
  expect(await doctor()).toMatch(
    /wrong {2}settings: the shop lacks sales-terms of its own instead of the demo's sample \(en\), .* and sells nothing/,
  )
  writeCatalogue({ 'articles/pages.json': textsOfOnesOwn() })
  await follow(importing)
  expect(left).toEqual([])
}, 600_000)

test('it is paid for by card, and what the buyer is sent is in the name of the shop', async () => {
  await shop.stop()
  await shop.start(shop.stripeSettings)
  const alerts = inline.filter((words) => words[0] === 'settings' && words[2] === 'alerts.email')
  expect(alerts).toHaveLength(1)
  for (const words of alerts) await done([...words, '--as', 'mara'])
  expect(inline).toContainEqual(['doctor'])
  // On a busy machine the database may answer a look too late.
  await until(
    async () => ((await doctor()).includes('what a shop must have is there') ? true : null),
    'a shop that has what it must have',
  )

  const home = await until(async () => {
    const page = await shop.page('/')
    return page.includes('Vapour') ? page : null
  }, 'the goods at home')
  expect(home).toMatch(/09:00.{1,30}18:00/)
  // Nothing of the demo is left, in any language.
  for (const page of [
    home,
    await shop.page('/de'),
    await shop.page('/ja'),
    await shop.page('/ar'),
  ]) {
    expect(page).toContain('12 High Street, Leeds')
    expect(page).toContain('Vapour')
    expect(page).not.toMatch(/lukado|example street|sampletown/i)
  }
  const { data: init } = await shop.call<{ name: string; pay_type: { code: string }[] }>(
    'common/init',
  )
  expect(init.name).toBe(NAME)
  expect(init.pay_type.map(({ code }) => code).toSorted()).toEqual(['balance', 'card'])

  const placed = await until(async () => {
    const answer = await order()
    return answer.code === 1 ? answer.data : null
  }, 'an order that is taken')
  const begun = await shop.call<{ redirect_url: string }>('pay/start', {
    order: placed.order,
    method: 'stripe',
    agree: true,
  })
  expect(begun).toMatchObject({ code: 1 })
  const session = begun.data.redirect_url.slice(`${shop.stripe.origin}/c/pay/`.length)
  expect(begun.data.redirect_url).toBe(`${shop.stripe.origin}/c/pay/${session}`)
  shop.stripe.act(session, 'pay')
  const unit = await until(async () => {
    const { data } = await shop.call<{ list: { id: string }[] }>('cardpwd/index')
    return data.list[0]?.id ?? null
  }, 'the key')
  const revealed = await shop.call<object>('cardpwd/reveal', { id: unit })
  expect(JSON.stringify(revealed.data)).toContain(CODE)
  expect(await done(['orders', 'list', '--as', 'mara'])).toContain(placed.order_no)

  const mail = await shop.mailTo(EMAIL, new RegExp(placed.order_no))
  expect(mail.from?.name).toBe(NAME)
  expect(mail.text).toContain('Corner Shop Ltd')
  const receipt = readPdfText(await shop.file(`order/receipt?order=${placed.order}`))
  expect(receipt.actual.join('\n')).toContain('Corner Shop Ltd')
  const sent = (await shop.mail.received()).map(({ subject, text, from }) => [subject, text, from])
  expect(JSON.stringify([sent, receipt.actual])).not.toMatch(/lukado|example street|sampletown/i)

  // The last key is gone: whoever asked to be told of what needs them is.
  const told = await shop.mailTo('you@shop.example', /./)
  expect(`${told.subject} ${told.text}`).toContain(NAME)
}, 600_000)
