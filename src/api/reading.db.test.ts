import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadSnapshot, type ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { LANGUAGE_CODES } from '#kernel/language.ts'
import { createLogger } from '#platform/log.ts'
import { useDemoDatabase } from '../../test/support/demo-database.ts'
import type { CallAnswer } from './answer.ts'
import { READING_CALLS } from './calls.ts'
import type { ApiCalls } from './contract.ts'
import type { Envelope } from './envelope.ts'
import { createReadingCalls, type ReadingCalls } from './reading.ts'

type ReadingPath = (typeof READING_CALLS)[number]['path']

const database = useDemoDatabase()
let shop: ShopSnapshot
let calls: ReadingCalls
const logged: string[] = []

/** The demo catalogue, as a fresh shop has it. */
beforeAll(async () => {
  await database.ctx.db
    .insertInto('code_redirect')
    .values([
      { kind: 'product', old_code: 'steam-usa', new_code: 'steam-us-old' },
      { kind: 'product', old_code: 'steam-us-old', new_code: 'steam-us' },
      { kind: 'product', old_code: 'loop-a', new_code: 'loop-b' },
      { kind: 'product', old_code: 'loop-b', new_code: 'loop-a' },
    ])
    .execute()
  shop = await loadSnapshot(database.ctx.db, 1)
  calls = newCalls()
})

function newCalls(snapshot = () => shop): ReadingCalls {
  const log = createLogger({ level: 'debug', write: (line) => logged.push(line) })
  return createReadingCalls({
    snapshot,
    timeZone: 'UTC',
    publicUrl: 'https://shop.example',
    release: '1.2.3',
    payProviders: new Map(
      ['store-credit', 'stripe', 'sandbox'].map((code) => [code, { limits: () => null }]),
    ),
    log,
    newId: () => 'the-id',
  })
}

function ask(target: string, method = 'GET'): CallAnswer {
  const answer = calls.answer({ method, target, encoding: 'identity' })
  if (!answer || answer instanceof Promise) throw new Error(`no short answer at ${target}`)
  return answer
}

function envelopeOf(answer: CallAnswer): Envelope {
  return JSON.parse(answer.body?.toString() ?? '') as Envelope
}

function data<Path extends ReadingPath>(
  path: Path,
  query: Readonly<Record<string, string | number>> | string = '',
): ApiCalls[Path]['data'] {
  const text =
    typeof query === 'string'
      ? query
      : new URLSearchParams(
          Object.entries(query).map(([name, value]) => [name, String(value)]),
        ).toString()
  const answer = ask(`/api/${path}?${text}`)
  expect(answer.status).toBe(200)
  const { code, data } = envelopeOf(answer)
  expect(code).toBe(1)
  const { data: shape } = READING_CALLS.find(
    (call) => call.path === path,
  ) as (typeof READING_CALLS)[number]
  // What is not in the published shape would be stripped, and missed here.
  expect(shape.parse(data)).toEqual(data)
  return data as ApiCalls[Path]['data']
}

describe('answers', () => {
  test('every call answers its example in the published shape, in every language', () => {
    for (const call of READING_CALLS)
      for (const lang of LANGUAGE_CODES)
        data(call.path, { ...call.example, lang, currency_code: 'JPY' })
  })

  test('every product and every game shows its detail', () => {
    for (const product of shop.catalogue.products)
      expect(data('goods/detail', { code: product.code }).items).toHaveLength(product.items.length)
    for (const game of shop.catalogue.games) data('game/detail', { code: game.code, lang: 'ar' })
  })

  test('hot goods, recommended cards and direct charges come as the storefront asks for them', () => {
    expect(data('goods/index', 'is_hot=1&page=1&limit=10').list).toHaveLength(10)
    const cards = data('goods/index', 'type=1&is_home=1&page=1&limit=7').list
    expect(cards).toHaveLength(7)
    expect(cards.every((card) => card.type === 1)).toBe(true)
    expect(
      data('goods/index', 'type=2&is_hot=1&page=1&limit=10').list.every((card) => card.type === 2),
    ).toBe(true)
  })

  test('goods that are sold at any amount say which, as their plans do', () => {
    const { items } = data('goods/detail', 'code=ng-mtn-nigeria')
    const { list } = data('recharge/plans', 'operator=ng-mtn-nigeria')
    const plans = new Map(list.map(({ item, amount }) => [item, amount]))
    expect(items.map(({ amount }) => amount)).toEqual(items.map(({ code }) => plans.get(code)))
    expect(items.flatMap(({ amount }) => amount?.step.currency ?? [])).toEqual(['NGN'])
  })

  test('prices are in the currency asked for, and written in the language asked for', () => {
    const [usd] = data('goods/detail', 'code=steam-us').items
    expect(usd?.price).toMatchObject({
      currency: 'USD',
      amount: '5.00',
      minor: '500',
      text: '$5.00',
    })
    const [yen] = data('goods/detail', 'code=steam-us&currency_code=JPY&lang=ja').items
    expect(yen?.price).toMatchObject({
      currency: 'JPY',
      text: expect.stringMatching(/^￥\d/) as string,
    })
    expect(yen?.label).toBe('$5')
    expect(
      data('goods/index', 'sort=price_asc&currency_code=KWD&limit=1').list[0]?.price?.amount,
    ).toMatch(/^\d+\.\d{3}$/)
  })

  test('a brand, its former codes and its products lead to one product; a circle of renames to nothing', () => {
    for (const code of ['steam', 'steam-usa', 'steam-us-old', 'steam-us'])
      expect(data('goods/detail', { code }).code).toBe('steam-us')
    for (const code of ['loop-a', 'nope', '', '__proto__', 'constructor', '../steam-us']) {
      const answer = ask(`/api/goods/detail?code=${encodeURIComponent(code)}`)
      expect([answer.status, envelopeOf(answer).code]).toEqual([404, 404])
    }
  })

  test('packs say what comes on top, and a top-up is named after its game and unit', () => {
    const detail = data('goods/detail', 'code=mobile-legends&lang=de')
    expect(detail.goods_name).toBe('Mobile Legends: Bang Bang Diamanten')
    expect(detail.items[0]).toMatchObject({ label: '50 Diamanten', bonus: '5 Diamanten' })
    expect(detail.fields.map((field) => field.key)).toEqual(['user_id', 'zone_id'])
    expect(detail.regions.map((region) => region.code)).toContain('global')
    expect(detail.related).not.toHaveLength(0)
  })

  test('search forgives typing errors and counts each kind', () => {
    expect(data('goods/index', 'keywords=genshn%20impct').list[0]?.code).toMatch(/^genshin-impact/)
    const counts = data('goods/search', 'keywords=steam')
    expect(counts.map((entry) => entry.type)).toEqual([0, 1, 2])
    expect(counts[1]?.count).toBe(data('goods/index', 'type=1&keywords=steam').total)
    expect(counts[0]?.count).toBe(data('game/index', 'keywords=steam').total)
  })

  test('reviews are filtered by grade and belong to the brand', () => {
    const all = data('review/index', 'code=steam-us&limit=9999')
    expect(all.total).toBe(all.summary.count)
    for (const grade of ['excellent', 'general', 'bad'] as const) {
      const page = data('review/index', { code: 'steam', grade })
      expect(page.total).toBe(all.summary.grades[grade])
      expect(page.list.every((review) => review.grade === grade)).toBe(true)
    }
    expect(data('review/index').total).toBe(shop.reviews.length)
  })

  test('the tree, the footer, what a client asks for first, and what a visitor may choose', () => {
    expect(data('goods_category/index')[0]).toMatchObject({
      id: 1,
      name: 'Cards',
      route: { path: '/cards' },
    })
    expect(
      data('common/footer').footer_link.flatMap((group) => group.list.map((item) => item.link)),
    ).toContain('/article/privacy-policy')
    expect(data('common/footer').social[0]?.link).toContain(
      encodeURIComponent('https://shop.example'),
    )
    expect(data('common/init', 'version=&lng=&lat=')).toMatchObject({
      version: '1.2.3',
      name: 'Lukado',
    })
    const choice = data('index/regions', 'lang=de')
    expect(choice.language).toHaveLength(21)
    expect(choice.currencies).toHaveLength(66)
    expect(choice.regions.find((region) => region.code === 'DE')).toMatchObject({
      name: 'Deutschland',
      dial_code: '+49',
      currency_code: 'EUR',
    })
    expect(data('index/country', { zone: 'Europe/Berlin', lang: 'de' })).toEqual({
      country: { code: 'DE', name: 'Deutschland', currency_code: 'EUR' },
    })
    expect(data('index/country', { zone: 'UTC' })).toEqual({ country: null })
  })

  test('news: newest first, by category, with its neighbours', () => {
    const page = data('news/index', 'limit=9999')
    expect(page.total).toBe(23)
    expect([...page.list].sort((a, b) => (a.published_at < b.published_at ? 1 : -1))).toEqual(
      page.list,
    )
    expect(data('news/index', 'category=guides').total).toBe(
      data('news/category').find((category) => category.code === 'guides')?.count,
    )
    expect(data('news/index', 'category=nope').total).toBe(page.total)
    const second = data('news/detail', { code: page.list[1]?.code ?? '' })
    expect([second.next?.code, second.previous?.code]).toEqual([
      page.list[0]?.code,
      page.list[2]?.code,
    ])
  })

  test('games that need a correction are not meant where goods carry the words as typed', () => {
    const games = (keywords: string) =>
      (data('goods/search', `keywords=${keywords}`) as { type: number; count: number }[]).find(
        ({ type }) => type === 0,
      )?.count
    expect(games('steam')).toBe(0)
    expect(games('genshn')).toBe(1)
    expect(games('genshin')).toBe(1)
  })

  test('search finds every kind, a product once with its regions', () => {
    type Kind = {
      type: number
      count: number
      list: {
        code: string
        path: string
        note: string
        regions: { code: string; path: string }[]
      }[]
    }
    const kinds = (query: string) => {
      const found = data('search/index', query) as { total: number; kinds: Kind[] }
      expect(found.total).toBe(found.kinds.reduce((sum, { count }) => sum + count, 0))
      return new Map(found.kinds.map((kind) => [kind.type, kind]))
    }
    const steam = kinds('keywords=steam').get(1)
    const wallet = shop.catalogue.brandByCode.get('steam')
    const entries = steam?.list.filter(({ path }) => path.startsWith('/cards/steam-'))
    expect(entries).toHaveLength(1)
    expect(entries?.[0]?.regions.map(({ code }) => code).sort()).toEqual(
      wallet?.products.map(({ region }) => region.code).sort(),
    )
    expect(entries?.[0]?.path).toBe(entries?.[0]?.regions[0]?.path)
    // Operators and keys, which `goods/search` does not count.
    expect(kinds('keywords=telkomsel').get(3)?.list[0]?.path).toMatch(/^\/mobile-recharge\//)
    const key = shop.catalogue.products.find((product) => product.type === 4)
    expect(
      kinds(`keywords=${encodeURIComponent(key?.brand.name.en ?? '')}`)
        .get(4)
        ?.list.map(({ path }) => path),
    ).toContain(`/product/${key?.code}`)
    // One region that is named stands alone.
    const [turkey] = kinds('keywords=steam+turkey').get(1)?.list ?? []
    expect(turkey).toMatchObject({ path: '/cards/steam-tr', regions: [] })
    expect(turkey?.note).not.toBe('')
    expect(data('search/index', 'keywords=').total).toBe(0)
    expect(kinds('keywords=a&limit=9999').get(1)?.list.length).toBeLessThanOrEqual(20)
  })

  test('games are filtered and sorted as goods are', () => {
    type Card = { code: string; price: { minor: string } | null }
    const list = (query: string): Card[] => {
      const pageAt = (page: number) => data('game/index', `limit=40&page=${page}&${query}`)
      const { pages } = pageAt(1)
      return Array.from({ length: pages }, (_, index) => pageAt(index + 1).list as Card[]).flat()
    }
    const codes = (query: string) => list(query).map(({ code }) => code)
    const { games } = shop.catalogue
    const all = games.map(({ code }) => code)
    expect(codes('')).toEqual(all)
    const forUs = games.filter((game) => game.products.some(({ region }) => region.code === 'us'))
    expect(forUs.length).toBeGreaterThan(0)
    expect(forUs.length).toBeLessThan(games.length)
    expect(codes('region=us')).toEqual(forUs.map(({ code }) => code))
    expect(codes('platform=nintendo-switch')).toEqual(
      games.filter((game) => game.platforms.includes('nintendo-switch')).map(({ code }) => code),
    )
    const category = shop.catalogue.categories.find(({ path }) => path === '/game')?.children[0]
    expect(codes(`category=${category?.code}`)).toEqual(
      games.filter((game) => game.categoryId === category?.id).map(({ code }) => code),
    )
    const prices = (query: string) =>
      list(query).flatMap(({ price }) => (price ? [Number(price.minor)] : []))
    const rising = prices('sort=price_asc')
    expect(rising).toEqual([...rising].sort((a, b) => a - b))
    expect(prices('sort=price_desc')).toEqual([...rising].reverse())
    expect(codes('price_max=1').length).toBe(rising.filter((minor) => minor <= 100).length)
    expect(codes('price_min=100000000')).toEqual([])
    const names = codes('sort=name&keywords=legends')
    expect(names).not.toEqual(codes('keywords=legends'))
    expect([...names].sort()).toEqual(codes('keywords=legends').sort())
  })

  test('an empty shop answers too', () => {
    const empty = {
      ...shop,
      catalogue: {
        ...shop.catalogue,
        products: [],
        categories: [],
        games: [],
        brands: [],
        productByCode: new Map(),
        brandByCode: new Map(),
        gameByCode: new Map(),
      },
      currencies: [],
      currencyByCode: new Map(),
      countries: [],
      reviews: [],
      reviewsOfBrand: new Map(),
      contents: new Map(),
      lists: new Map(),
    } as unknown as ShopSnapshot
    const before = calls
    calls = newCalls(() => empty)
    for (const call of READING_CALLS) if (!call.mayMiss) data(call.path, { lang: 'my' })
    calls = before
  })
})

describe('bad input', () => {
  test('what cannot be understood means the default', () => {
    const usual = data('goods/index')
    for (const query of [
      'limit=abc',
      'page=0',
      'page=-1',
      'type=9',
      'sort=best',
      'lang=xx',
      'currency_code=ZZZ',
      'deviceType=toaster',
      'unknown=1',
      'is_hot=yes',
      'price_min=-1',
      'lang=&lang=de',
      'lang=en&lang=de',
      'region=atlantis',
      'platform=abacus',
      'category=no-such-category',
    ])
      expect(data('goods/index', query)).toEqual(usual)
    const games = data('game/index')
    for (const query of ['region=atlantis', 'platform=abacus', 'category=music', 'sort=best'])
      expect(data('game/index', query)).toEqual(games)
    // A category of another kind is unknown to this one, as on its page.
    expect(data('goods/index', 'type=1&category=moba')).toEqual(data('goods/index', 'type=1'))
  })

  test('limit is clamped, a page past the end is empty, huge numbers are numbers', () => {
    expect(data('news/index', 'limit=99999').limit).toBe(9_999)
    expect(data('goods/index', 'limit=-5').limit).toBe(1)
    expect(data('goods/index', 'page=999999').list).toEqual([])
    expect(data('goods/index', `page=${'9'.repeat(300)}&limit=${'9'.repeat(300)}`).list).toEqual([])
    expect(data('goods/index', `price_min=${'9'.repeat(18)}`).total).toBe(0)
    expect(data('review/index', 'page=1e999').page).toBe(1)
  })

  test('of a repeated parameter the first counts, of a filter each adds one', () => {
    expect(data('goods/index', 'limit=3&limit=7').limit).toBe(3)
    expect(data('goods/index', 'region=us&region=de').total).toBe(
      data('goods/index', 'region=us').total + data('goods/index', 'region=de').total,
    )
    expect(data('goods/index', 'region=us,de').total).toBe(
      data('goods/index', 'region=us&region=de').total,
    )
  })

  test('broken percent-encoding and bytes that are no UTF-8 are named, never their values', () => {
    for (const [query, field] of [
      ['keywords=%zz', 'keywords'],
      ['keywords=%', 'keywords'],
      ['keywords=%C3%28', 'keywords'],
      ['token=%ffsecret', 'token'],
      ['%ff=1', '\uFFFD'],
      ['keywords=\u00c3\u0028', 'keywords'],
      ['a=1&page=%ED%A0%80', 'page'],
    ] as const) {
      const answer = ask(`/api/goods/index?${query}`)
      expect(answer.status).toBe(422)
      expect(envelopeOf(answer)).toMatchObject({ code: 422, data: { fields: [{ field }] } })
      expect(answer.body?.toString()).not.toContain('secret')
    }
  })

  test('bytes of UTF-8 that were sent as they are mean the same as percent-encoded', () => {
    const raw = Buffer.from('keywords=原神&lang=zh').toString('latin1')
    expect(data('goods/index', raw)).toEqual(
      data('goods/index', 'keywords=%E5%8E%9F%E7%A5%9E&lang=zh'),
    )
  })

  test('other methods are refused with those that are taken', () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND']) {
      const answer = ask('/api/goods/index', method)
      expect([answer.status, envelopeOf(answer).code]).toEqual([405, 405])
      expect(answer.headers[answer.headers.indexOf('allow') + 1]).toBe('GET, HEAD, OPTIONS')
    }
    expect(ask('/api/goods/index', 'OPTIONS').status).toBe(204)
    expect(
      calls.answer({ method: 'GET', target: '/api/goods/index/', encoding: 'identity' }),
    ).toBeNull()
  })

  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.constantFrom(
      '',
      '1',
      '-1',
      '0',
      'NaN',
      '1e309',
      '9'.repeat(400),
      'us',
      'steam-us',
      '%00',
      '\0',
      "' or 1=1 --",
      '../../etc/passwd',
      '{{7*7}}',
      '<script>',
      '\r\nset-cookie: x=1',
      'de',
      'USD',
      'EUR',
      '原神',
      'price_asc',
      '1,2,3',
      ',,,',
      '__proto__',
    ),
  )
  const names = [
    ...new Set(READING_CALLS.flatMap((call) => Object.keys(call.query.shape))),
    'lang',
    'currency_code',
    'deviceType',
    'token',
    'x',
    '',
    '__proto__',
  ]
  const pair = fc
    .tuple(fc.oneof(fc.constantFrom(...names), text), text)
    .map(([name, value]) => `${encodeSafely(name)}=${encodeSafely(value)}`)
  const rawPair = fc
    .tuple(
      fc.constantFrom(...names),
      fc.string({
        unit: fc
          .integer({ min: 0x21, max: 0xff })
          .map((code) => String.fromCharCode(code))
          .filter((char) => char !== '#'),
      }),
    )
    .map(([name, value]) => `${name}=${value}`)
  const query = fc
    .array(fc.oneof({ weight: 3, arbitrary: pair }, rawPair), { maxLength: 8 })
    .map((pairs) => pairs.join('&'))

  test.each(READING_CALLS.map((call) => [call.path, call] as const))(
    '%s never fails, whatever it is asked',
    async (path, call) => {
      await fc.assert(
        fc.asyncProperty(query, async (raw) => {
          const target = `/api/${path}?${raw}`
          const answer = await calls.answer({ method: 'GET', target, encoding: 'identity' })
          if (!answer) throw new Error(`no call at ${target}`)
          expect([200, 404, 422]).toContain(answer.status)
          const envelope = envelopeOf(answer)
          expect(envelope.code).toBe(answer.status === 200 ? 1 : answer.status)
          expect(envelope.msg).not.toBe('')
          if (answer.status === 200) expect(call.data.parse(envelope.data)).toEqual(envelope.data)
          for (const part of answer.headers) expect(part).toMatch(/^[\x20-\x7e]*$/)
          const again = calls.fromCache({ method: 'GET', target, encoding: 'identity' })
          if (again) expect(again.body?.equals(answer.body ?? Buffer.alloc(0))).toBe(true)
        }),
        { numRuns: 150 },
      )
      expect(logged).toEqual([])
    },
  )
})

describe('memory', () => {
  const from = (target: string, encoding: 'identity' | 'br' = 'identity') =>
    calls.fromCache({ method: 'GET', target, encoding })

  test('an address seen before is answered from memory, until the shop changes', () => {
    let current = shop
    const before = calls
    calls = newCalls(() => current)
    const target = '/api/goods/index?limit=5&x=1'
    expect(from(target)).toBeNull()
    const first = ask(target)
    expect(from(target)?.body).toBe(first.body)
    expect(ask('/api/goods/index?y=2&limit=5').body, 'another address of the same meaning').toBe(
      first.body,
    )
    current = { ...shop, version: 2 }
    expect(from(target)).toBeNull()
    calls = before
  })

  test('an address with a token is not remembered, however it is written', () => {
    for (const target of [
      '/api/goods/index?token=abc',
      '/api/goods/index?%74oken=abc',
      '/api/goods/index?a=1&token',
    ]) {
      ask(target)
      expect(from(target)).toBeNull()
    }
  })

  test('languages and currencies never share an answer', () => {
    const [de, ja] = ['de', 'ja'].map((lang) =>
      ask(`/api/goods/index?keywords=steam&lang=${lang}`).body?.toString(),
    )
    expect(de).not.toBe(ja)
    expect(ask('/api/goods/index?currency_code=EUR').body?.toString()).not.toBe(
      ask('/api/goods/index?currency_code=USD').body?.toString(),
    )
  })

  test('an unchanged answer is said to be so', () => {
    const { headers } = ask('/api/index/regions')
    const etag = headers[headers.indexOf('etag') + 1] ?? ''
    for (const ifNoneMatch of [etag, `"other", ${etag}`]) {
      expect(
        calls.answer({
          method: 'GET',
          target: '/api/index/regions',
          encoding: 'identity',
          ifNoneMatch,
        }),
      ).toMatchObject({ status: 304, body: null })
    }
  })

  test('a bug is told with an id that the log has, without what was asked', () => {
    const before = calls
    calls = newCalls(
      () =>
        new Proxy(shop, {
          get: (target, name) =>
            name === 'reviews' ? undefined : (Reflect.get(target, name) as unknown),
        }),
    )
    const answer = ask('/api/review/index?token=verysecret&code=')
    calls = before
    expect(answer.status).toBe(500)
    expect(envelopeOf(answer)).toMatchObject({
      code: 500,
      msg: expect.stringContaining('the-id') as string,
      data: null,
    })
    expect(logged.join()).toContain('the-id')
    expect(logged.join()).not.toContain('verysecret')
  })
})

function encodeSafely(value: string): string {
  return encodeURIComponent(value.toWellFormed())
}
