import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadSnapshot, type ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { US_DOLLAR } from '#features/goods/currency/rules.ts'
import { getLanguage, LANGUAGES, type LanguageCode } from '#kernel/language.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { matchRoute } from '#storefront/server/match.ts'
import { loadPage } from '#storefront/server/load-page.ts'
import { sitePaths } from '#storefront/server/sitemap.ts'
import { useDemoDatabase } from '../test/support/demo-database.ts'
import { startShop, type RunningShop } from '../test/support/running-shop.ts'

const database = useDemoDatabase()
let snapshot: ShopSnapshot
let shop: RunningShop
let withoutWorker: RunningShop

beforeAll(async () => {
  snapshot = await loadSnapshot(database.ctx.db, 1)
  shop = await startShop(database.url)
  withoutWorker = await startShop(database.url, { OFFLINE_PAGE: 'off' })
})
afterAll(() => Promise.all([shop.stop(), withoutWorker.stop()]))

const textOf = async (path: string, of = shop) => (await fetch(of.origin + path)).text()

async function headOf(address: string, code: LanguageCode) {
  const { pathname, searchParams } = new URL(address, 'https://shop.example')
  const language = getLanguage(code)
  const { meta, payload } = await loadPage(
    {
      shop: snapshot,
      language,
      currency: snapshot.currencyByCode.get('USD') ?? US_DOLLAR,
      t: translatorOf(code),
      path: pathname,
      query: searchParams,
      timeZone: 'UTC',
      publicUrl: 'https://shop.example',
      country: null,
      payProviders: new Map(),
      // Of a personal page that is open to everybody: nobody asks.
      person: null,
      cookie: () => null,
      outcome: null,
    },
    matchRoute(pathname),
  )
  return { meta, payload }
}

/** A shared description is as good as none: search engines write their own then. */
test.each(['en', 'de'] as const)(
  'every address of the sitemap is canonical, to be indexed and told apart by its title and description: %s',
  async (language) => {
    const titles = new Map<string, string>()
    const descriptions = new Map<string, string>()
    const faults: string[] = []
    const paths = sitePaths(snapshot).map(({ path }) => path)
    expect(paths.length).toBeGreaterThan(1_000)
    for (const path of paths) {
      const { meta, payload } = await headOf(path, language)
      const say = (fault: string) => faults.push(`${path}: ${fault}`)
      if (payload.status !== 200) say(`answers ${payload.status}`)
      if (meta.noIndex) say('is kept out of search engines')
      const canonical = meta.canonical ?? payload.address
      if (canonical !== path) say(`is ${canonical}`)
      if (meta.description.length < 20) say(`says ${meta.description}`)
      const sameTitle = titles.get(meta.title)
      if (sameTitle !== undefined) say(`is titled as ${sameTitle}: ${meta.title}`)
      const same = descriptions.get(meta.description)
      if (same !== undefined) say(`is described as ${same}: ${meta.description}`)
      titles.set(meta.title, path)
      descriptions.set(meta.description, path)
    }
    expect(faults.slice(0, 20)).toEqual([])
  },
)

test.each([
  ['/cards?in_stock=1', '/cards'],
  ['/cards?sort=new&page=2', '/cards'],
  ['/cards?limit=12&page=3', '/cards'],
  ['/cards?page=2', '/cards?page=2'],
  ['/top-up?region=EU&region=US', '/top-up'],
  ['/game?sort=name', '/game'],
  ['/news?page=2', '/news?page=2'],
])('of %s search engines keep %s', async (address, canonical) => {
  const { meta, payload } = await headOf(address, 'en')
  expect(meta.canonical ?? payload.address).toBe(canonical)
})

function tagsOf(html: string): Map<string, string[]> {
  const tags = new Map<string, string[]>()
  for (const [, name = '', content = ''] of html.matchAll(
    /<meta (?:property|name)="([\w:]+)" content="([^"]*)">/g,
  ))
    tags.set(name, [...(tags.get(name) ?? []), content])
  return tags
}

test.each([
  ['/', 'website', '/img/link_preview/scene/games-evening.png'],
  ['/cards/steam-us', 'product', '/img/link_preview/product/steam-us.png'],
  ['/game/mobile-legends', 'website', '/img/link_preview/game/mobile-legends.png'],
])('%s says what other sites show beside a link to it', async (path, type, picture) => {
  const tags = tagsOf(await textOf(`/de${path === '/' ? '' : path}`))
  const only = (name: string) => {
    expect([name, tags.get(name)?.length]).toEqual([name, 1])
    return tags.get(name)?.[0] ?? ''
  }
  expect(only('og:type')).toBe(type)
  expect(only('og:url')).toBe(`${shop.origin}/de${path === '/' ? '' : path}`)
  expect(only('og:title')).not.toBe('')
  expect(only('og:description')).toBe(only('description'))
  expect(only('og:site_name')).toBe(snapshot.settings.name)
  expect(only('og:locale')).toBe('de')
  expect(new Set(tags.get('og:locale:alternate')).size).toBe(LANGUAGES.length - 1)
  expect(only('twitter:card')).toBe('summary_large_image')
  const image = only('og:image')
  expect(image.split('?')[0]).toBe(shop.origin + picture)
  const answer = await fetch(image.replaceAll('&amp;', '&'))
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
  const bytes = Buffer.from(await answer.arrayBuffer())
  const seen = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  expect(seen).toEqual([Number(only('og:image:width')), Number(only('og:image:height'))])
})

test('an article is one to other sites, and in the language it is written in to search engines', async () => {
  const [article] = snapshot.contents.get('en')?.news ?? []
  const html = await textOf(`/de/news/${article?.code}`)
  expect(tagsOf(html).get('og:type')).toEqual(['article'])
  const language = snapshot.contents.get('de')?.newsByCode.get(article?.code ?? '')?.language
  expect(html).toContain(`"inLanguage":"${language}"`)
})

test('nothing of a personal page or of one that is not there is told to other sites', async () => {
  for (const path of ['/login', '/no-such-page'])
    expect(tagsOf(await textOf(path)).has('og:title')).toBe(false)
})

test('what a phone puts on its home screen is named by the settings, in the language of the page', async () => {
  for (const { code, tag, dir, prefix } of LANGUAGES) {
    const page = await textOf(prefix === '' ? '/login' : `${prefix}/login`)
    const path = /<link rel="manifest" href="([^"]*)">/.exec(page)?.[1] ?? ''
    expect(path).toBe(`/manifest-${code}.webmanifest`)
    const answer = await fetch(shop.origin + path)
    expect(answer.headers.get('content-type')).toContain('application/manifest+json')
    expect(await answer.json()).toMatchObject({
      name: snapshot.settings.name,
      lang: tag,
      dir,
      start_url: prefix === '' ? '/' : prefix,
      icons: expect.arrayContaining([
        expect.objectContaining({ purpose: 'maskable', type: 'image/png' }),
      ]) as unknown,
    })
  }
  expect((await fetch(`${shop.origin}/manifest-xx.webmanifest`)).status).toBe(404)
})

test('the offline page is in the service worker, in every language, under the name of the shop', async () => {
  const answer = await fetch(`${shop.origin}/service-worker.js`)
  expect(answer.headers.get('content-type')).toContain('text/javascript')
  expect(answer.headers.get('cache-control')).toBe('no-cache')
  const script = await answer.text()
  for (const { code } of LANGUAGES)
    expect(script).toContain(translatorOf(code)('offline.text', { store: snapshot.settings.name }))
  expect(script).not.toMatch(/\bcaches\b/)
  const same = await fetch(`${shop.origin}/service-worker.js`, {
    headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
  })
  expect(same.status).toBe(304)
  expect(await textOf('/')).toContain('"worker":"/service-worker.js"')
})

test('OFFLINE_PAGE=off ends the worker that browsers have, and no page asks for one', async () => {
  const script = await textOf('/service-worker.js', withoutWorker)
  expect(script).toContain('registration.unregister()')
  expect(script).not.toContain("addEventListener('fetch'")
  expect(await textOf('/', withoutWorker)).not.toContain('service-worker')
})
