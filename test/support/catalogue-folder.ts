import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { importCatalogue } from '#features/goods/transfer/commands.ts'
import type { Ctx } from '#platform/ctx.ts'

export type Documents = Record<string, unknown>

/** A small but complete catalogue: one brand of each kind of goods. Each call makes a new value to change freely. */
export function smallCatalogue() {
  return {
    'catalogue.json': { format: 1, name: 'small' } as { format: number; name: string },
    'currencies.json': {
      rates_as_of: '2026-11-20',
      currencies: [
        {
          code: 'USD',
          numeric: '840',
          name: 'US Dollar',
          symbol: '$',
          minor_units: 2,
          per_usd: '1',
          rounding: '0.01',
          checkout: true,
        },
        {
          code: 'JPY',
          numeric: '392',
          name: 'Japanese Yen',
          symbol: '¥',
          minor_units: 0,
          per_usd: '152',
          rounding: '1',
          margin_percent: '1.5',
          checkout: true,
        },
      ],
    },
    'countries.json': {
      countries: [
        {
          code: 'US',
          alpha3: 'USA',
          numeric: '840',
          name: 'United States',
          continent: 'NA',
          dial_code: '+1',
          currency: 'USD',
          store_currency: 'USD',
          language: 'en',
          on_sale: true,
          phone: {
            calling_code: '+1',
            trunk_prefix: '1',
            mobile_example: '2015550123',
            e164_example: '+12015550123',
          },
        },
        {
          code: 'AQ',
          alpha3: 'ATA',
          numeric: '010',
          name: 'Antarctica',
          continent: 'AN',
          dial_code: null,
          currency: 'USD',
          store_currency: 'USD',
          language: 'en',
          on_sale: false,
          phone: null,
        },
      ],
    },
    'regions.json': {
      regions: [
        { code: 'global', name: 'Global' },
        { code: 'us', name: 'United States' },
      ],
    },
    'platforms.json': {
      platforms: [
        { code: 'mobile', name: 'Mobile' },
        { code: 'pc', name: 'PC' },
      ],
    },
    'categories.json': {
      categories: [
        { id: 1, code: 'cards', name: 'Cards', icon: 'card', path: '/cards' } as Record<
          string,
          unknown
        >,
        {
          id: 101,
          code: 'game-wallets',
          name: 'Game Wallets',
          parent: 'cards',
          path: '/cards-category/game-wallets',
        } as Record<string, unknown>,
      ],
    },
    'units.json': { units: [{ key: 'diamonds', name: 'Diamonds' }] },
    'games.json': {
      games: [
        {
          code: 'dragon-quarry',
          name: 'Dragon Quarry',
          publisher: 'Quarry',
          aliases: ['DQ'],
          platforms: ['mobile'],
          popularity: 5,
          picture: { cover: { name: 'Dragon Quarry', kind: 'topup' } },
        },
      ],
    },
    'brands/top_up/dragon-quarry.json': topUp(),
    'brands/gift_card/vapour.json': giftCard(),
    'operators/us.json': { operators: [operator()] },
    'reviews.json': {
      reviews: [
        {
          id: 1,
          brand: 'vapour',
          language: 'en',
          country: 'US',
          rating: 5,
          text: 'Quick.',
          nickname: 'a***b',
          published: '2026-06-28',
        },
      ],
    },
    'articles/news.json': {
      categories: [{ code: 'guides', name: 'Guides' }],
      articles: [
        {
          code: 'first',
          category: 'guides',
          title: 'First steps',
          summary: 'Short.',
          published: '2026-11-18',
          related: ['vapour'],
          sections: [{ paragraphs: ['One.', 'Two.'] }],
        },
      ],
    },
    'articles/faq.json': { articles: [] },
    'articles/pages.json': { articles: [] },
    'redirects.json': {} as Record<string, Record<string, string>>,
    'translations/de.json': {
      origins: { country: 'cldr' },
      game: { 'dragon-quarry': 'Drachenbruch' } as Record<string, unknown>,
      country: { US: 'Vereinigte Staaten' },
      article: { 'news/first': { 'sections.0.paragraphs.1': 'Zwei.', title: 'Erste Schritte' } },
    },
    'translations/phrases/de.json': { 'Type the code.': 'Code eingeben.' } as Record<
      string,
      unknown
    >,
  }
}
export type SmallCatalogue = ReturnType<typeof smallCatalogue>

function topUp() {
  return {
    code: 'dragon-quarry',
    kind: 'top_up',
    name: 'Dragon Quarry',
    publisher: 'Quarry',
    game: 'dragon-quarry',
    platforms: ['mobile'],
    delivery: 'direct_charge',
    minutes: 10,
    unit: 'diamonds',
    fields: [
      {
        key: 'user_id',
        kind: 'digits',
        label: 'User ID',
        required: true,
        help: 'On your profile.',
        pattern: '^\\d{5,10}$',
        min: 5,
        max: 10,
        placeholder: '123456',
      },
    ],
    picture: { cover: { name: 'Dragon Quarry', kind: 'topup' } },
    products: [
      {
        code: 'dragon-quarry-global',
        region: 'global',
        currency: 'USD',
        items: [
          {
            code: 'game:dragon-quarry:global:1200',
            kind: 'pack',
            units: 1200,
            bonus: 50,
            price: '19.90',
          } as Record<string, unknown>,
          {
            code: 'game:dragon-quarry:global:pass',
            kind: 'pass',
            name: 'Quarry Pass',
            days: 30,
            price: '9.99',
          } as Record<string, unknown>,
        ],
      },
    ],
  }
}

function giftCard() {
  return {
    code: 'vapour',
    kind: 'gift_card',
    name: 'Vapour Gift Card',
    categories: ['game-wallets'],
    delivery: 'card_key',
    minutes: 1,
    redeem: {
      at: 'vapour.example',
      steps: ['Type the code.', 'Press Continue.'],
      key_format: {
        type: 'code',
        text: '16 letters and digits',
        parts: [{ name: 'code', pattern: '^[A-Z0-9]{16}$', example: 'ABCDEFGH12345678' }],
      },
      validity: 'Does not expire',
    },
    popularity: 10,
    hot: true,
    picture: { cover: { name: 'Vapour Gift Card', kind: 'gift', color: '#1b6fb3' } },
    products: [
      {
        code: 'vapour-us',
        region: 'us',
        countries: ['US'],
        lock: 'currency',
        currency: 'USD',
        face_currency: 'USD',
        free_amount: { min: '1', max: '200' },
        picture: { cover: { tag: 'USD' } },
        items: [
          {
            code: 'card:vapour:us:10',
            kind: 'value',
            face: '10',
            price: '9.50',
            market: '10',
            cost: '9.20',
            levels: { '1': '9.40' },
            stock: 0,
            sold: 3,
          } as Record<string, unknown>,
          {
            code: 'card:vapour:us:20',
            kind: 'value',
            face: '20',
            price: '19',
            market: '20',
            cost: 'JPY 2500',
            stock: 7,
            blocked_countries: ['AQ'],
          } as Record<string, unknown>,
        ],
      } as Record<string, unknown> & { items: Record<string, unknown>[] },
    ],
  }
}

function operator() {
  return {
    code: 'us-bell',
    kind: 'recharge',
    name: 'Bell',
    delivery: 'direct_charge',
    minutes: 5,
    recharge: {
      country: 'US',
      calling_code: '+1',
      prefixes: ['201'],
      prefixes_note: 'Only the main ranges.',
      airtime: { kind: 'range', min: '5', max: '50' },
      portability: true,
    },
    products: [
      {
        code: 'us-bell',
        region: 'us',
        countries: ['US'],
        lock: 'country',
        currency: 'USD',
        face_currency: 'USD',
        items: [
          { code: 'air:us-bell:10', kind: 'airtime', face: '10', price: '10.40' },
          { code: 'data:us-bell:500mb-1d', kind: 'data', days: 1, data_mb: 500, price: '2' },
        ],
      },
    ],
  }
}

/** A folder that is gone when the test has ended. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lukado-catalogue-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Writes documents (or file contents, where a value is text or bytes) to a temporary folder. */
export function writeFolder(documents: Documents): string {
  const folder = temporaryFolder()
  writeDocuments(folder, documents)
  return folder
}

/** Gives a database the small catalogue, also before the first test of a file. */
export async function importSmallCatalogue(ctx: Ctx): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lukado-catalogue-'))
  try {
    writeDocuments(folder, smallCatalogue())
    const { faults } = await importCatalogue(ctx, folder)
    if (faults.length > 0)
      throw new Error(`The small catalogue has faults: ${JSON.stringify(faults)}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function writeDocuments(folder: string, documents: Documents): void {
  for (const [path, value] of Object.entries(documents)) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(
      file,
      typeof value === 'string' || value instanceof Uint8Array ? value : JSON.stringify(value),
    )
  }
}

/** Every file of a folder: path → text. */
export function readTexts(folder: string): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return new Map(
    paths
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [file.slice(folder.length + 1), readFileSync(file, 'utf8')]),
  )
}
