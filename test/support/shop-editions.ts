import fc from 'fast-check'
import { smallCatalogue, type Documents } from './catalogue-folder.ts'

/**
 * What an operator may import one after the other: goods that come, go, are renamed and come back, in any words, at any
 * price. Not every edition fits the shop that the ones before it made; an import refuses those.
 */
const hostile = fc.constantFrom(
  '</script>',
  '"quoted" \\ back',
  '{store} %s ${x}',
  '\u202eturned',
  '👩‍👩‍👧‍👦',
  'e\u0301',
  '\u2028line',
  'constructor',
  '-0',
  '1e3',
)
const line = (max: number) =>
  fc
    .oneof(
      { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
      { weight: 1, arbitrary: hostile },
    )
    .map((text) => text.replaceAll('\0', '').trim().slice(0, max) || 'x')
    .filter((text) => text.isWellFormed() && text.trim() === text)

const figure = (digits: number) =>
  fc
    .tuple(fc.bigInt({ min: 1n, max: 10n ** 14n }), fc.integer({ min: 0, max: digits }))
    .map(([minor, shown]) => (shown === 0 ? `${minor}` : `${minor}.${'7'.repeat(shown)}`))
const price = fc.oneof(
  figure(2),
  figure(0).map((text) => `JPY ${text}`),
  figure(2).map((text) => `USD ${text}`),
)

const color = fc.option(fc.constantFrom('#1b6fb3', '#000000'), { nil: undefined })
const coverParts = {
  tag: fc.option(fc.constantFrom('', 'USD'), { nil: undefined }),
  seed: fc.option(fc.constant('s'), { nil: undefined }),
}
const file = fc.record({ file: fc.constantFrom('a.png', 'b/c.webp') })
const brandPicture = fc.oneof(
  file,
  fc.record({
    cover: fc.record({
      name: fc.constant('Vapour'),
      kind: fc.constantFrom('gift', 'pin'),
      color,
      ...coverParts,
    }),
  }),
)
const productPicture = fc.oneof(
  file,
  fc.record({
    cover: fc.record({
      name: fc.option(fc.constant('Own'), { nil: undefined }),
      kind: fc.constant('gift'),
      color,
      ...coverParts,
    }),
  }),
)
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

const translation = fc.oneof(
  line(100),
  fc.record({ text: line(100), origin: fc.constantFrom('human', 'data', 'machine') }),
  fc.record({ text: line(100), english_hash: fc.constant('0123456789abcdef') }),
)

export const edition = fc.record({
  name: fc.constantFrom('one', 'one', 'one', 'two'),
  codes: fc.record({
    brand: fc.constantFrom('vapour', 'steam'),
    product: fc.constantFrom('vapour-us', 'steam-us'),
    game: fc.constantFrom('dragon-quarry', 'dragon-mine'),
    category: fc.constantFrom('game-wallets', 'wallets'),
    item: fc.constantFrom('card:vapour:us:10', 'card:steam:us:10'),
  }),
  isRenaming: fc.boolean(),
  hasBrand: fc.boolean(),
  hasArticle: fc.boolean(),
  hasSecondItem: fc.boolean(),
  isSuspended: fc.boolean(),
  words: fc.array(line(300), { minLength: 8, maxLength: 8 }),
  paragraphs: fc.array(line(300), { minLength: 1, maxLength: 3 }),
  translations: fc.array(maybe(translation), { minLength: 3, maxLength: 3 }),
  unitTranslation: maybe(translation),
  phrase: maybe(translation),
  prices: fc.array(price, { minLength: 2, maxLength: 2 }),
  faceCurrency: maybe(fc.constantFrom('USD', 'JPY')),
  stock: maybe(fc.nat({ max: 2_147_483_647 })),
  bonus: maybe(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })),
  position: maybe(fc.nat({ max: 1_000_000 })),
  rate: fc.constantFrom('152', '152.50', '0.860', '0.000000000001', '007'),
  brandPicture: maybe(brandPicture),
  productPicture: maybe(productPicture),
  isHot: fc.boolean(),
})
export type Edition = typeof edition extends fc.Arbitrary<infer T> ? T : never

const OTHER: Readonly<Record<string, string>> = {
  vapour: 'steam',
  steam: 'vapour',
  'vapour-us': 'steam-us',
  'steam-us': 'vapour-us',
  'dragon-quarry': 'dragon-mine',
  'dragon-mine': 'dragon-quarry',
  'game-wallets': 'wallets',
  wallets: 'game-wallets',
  'card:vapour:us:10': 'card:steam:us:10',
  'card:steam:us:10': 'card:vapour:us:10',
}

export function folderOf(wanted: Edition): Documents {
  const folder: Documents = smallCatalogue()
  const { codes, words } = wanted
  const [unit = '', title = '', help = '', step = '', itemName = '', note = '', alias = ''] = words
  const base = smallCatalogue()
  base['currencies.json'].currencies[1] = {
    ...base['currencies.json'].currencies[1],
    per_usd: wanted.rate,
  } as never
  const topUp = base['brands/top_up/dragon-quarry.json'] as Record<string, unknown>
  const game = base['games.json'].games[0]
  delete folder['brands/gift_card/vapour.json']
  return {
    ...folder,
    'catalogue.json': { format: 1, name: wanted.name },
    'currencies.json': base['currencies.json'],
    'categories.json': {
      categories: [
        base['categories.json'].categories[0],
        { ...base['categories.json'].categories[1], code: codes.category },
      ],
    },
    'units.json': { units: [{ key: 'diamonds', name: unit }] },
    'games.json': { games: [{ ...game, code: codes.game, aliases: [alias], hot: wanted.isHot }] },
    'brands/top_up/dragon-quarry.json': {
      ...topUp,
      game: codes.game,
      ...(wanted.isHot ? { check: 'must' } : {}),
      fields: [{ key: 'user_id', kind: 'digits', label: help, required: false, help, min: 0 }],
      products: [
        {
          ...(topUp['products'] as Record<string, unknown>[])[0],
          items: [
            {
              code: 'game:dragon-quarry:global:1200',
              kind: 'pack',
              units: 1200,
              bonus: wanted.bonus,
              price: wanted.prices[0],
            },
            {
              code: 'game:dragon-quarry:global:pass',
              kind: 'pass',
              name: itemName,
              price: wanted.prices[1],
              position: wanted.position,
            },
          ],
        },
      ],
    },
    ...(wanted.hasBrand
      ? { [`brands/gift_card/${codes.brand}.json`]: card(wanted, step, note) }
      : {}),
    'reviews.json': {
      reviews: wanted.hasBrand
        ? [
            {
              id: 1,
              brand: codes.brand,
              language: 'en',
              rating: 5,
              text: '',
              nickname: note.slice(0, 60),
              published: '2026-06-28T10:11:12.345Z',
            },
          ]
        : [],
    },
    'articles/news.json': {
      categories: [{ code: 'guides', name: title }],
      articles: wanted.hasArticle
        ? [
            {
              code: 'first',
              category: 'guides',
              title,
              published: '2026-11-18',
              related: [...(wanted.hasBrand ? [codes.brand] : []), codes.game],
              sections: [{ paragraphs: wanted.paragraphs }],
            },
          ]
        : [],
    },
    'redirects.json': wanted.isRenaming ? redirectsOf(wanted) : {},
    'translations/de.json': translationsOf(wanted),
    'translations/phrases/de.json': wanted.phrase === undefined ? {} : { [step]: wanted.phrase },
  }
}

function card(
  {
    codes,
    hasSecondItem,
    isSuspended,
    prices,
    faceCurrency,
    stock,
    brandPicture,
    productPicture,
  }: Edition,
  step: string,
  note: string,
) {
  const face = faceCurrency === undefined ? {} : { face: '10' }
  const name = faceCurrency === undefined ? { name: 'Ten' } : {}
  return {
    code: codes.brand,
    kind: 'gift_card',
    name: note,
    categories: [codes.category],
    delivery: 'card_key',
    picture: brandPicture,
    redeem: { steps: [step], key_format: { type: 'code', text: step, parts: [] } },
    products: [
      {
        code: codes.product,
        region: 'us',
        currency: 'USD',
        face_currency: faceCurrency,
        lock_note: note,
        picture: productPicture,
        ...(isSuspended ? { status: 'suspended' } : {}),
        items: [
          {
            code: codes.item,
            kind: 'value',
            ...name,
            ...face,
            price: prices[0],
            stock,
            levels: { 1: prices[1] },
            cost: prices[1],
          },
          ...(hasSecondItem
            ? [
                {
                  code: 'card:vapour:us:20',
                  kind: 'value',
                  ...name,
                  ...face,
                  price: prices[1],
                  source: 'supplier:acme',
                },
              ]
            : []),
        ],
      },
    ],
  }
}

function redirectsOf({ codes, hasBrand }: Edition) {
  const from = (code: string) => ({ [OTHER[code] ?? '']: code })
  return {
    game: from(codes.game),
    category: from(codes.category),
    ...(hasBrand
      ? { brand: from(codes.brand), product: from(codes.product), item: from(codes.item) }
      : {}),
  }
}

function translationsOf({
  codes,
  hasArticle,
  paragraphs,
  translations,
  unitTranslation,
  hasBrand,
}: Edition) {
  const texts = paragraphs.flatMap((_, index) =>
    translations[index] === undefined
      ? []
      : [[`sections.0.paragraphs.${index}`, translations[index]] as const],
  )
  return {
    ...(unitTranslation === undefined ? {} : { unit: { diamonds: unitTranslation } }),
    ...(hasBrand
      ? { brand: { [codes.brand]: 'Dampf' }, category: { [codes.category]: 'Guthaben' } }
      : {}),
    ...(hasArticle && texts.length > 0
      ? { article: { 'news/first': Object.fromEntries(texts) } }
      : {}),
  }
}
