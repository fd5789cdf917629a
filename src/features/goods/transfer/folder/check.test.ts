import { describe, expect, test } from 'vitest'
import {
  smallCatalogue,
  type SmallCatalogue,
} from '../../../../../test/support/catalogue-folder.ts'
import { checkFolder } from './check.ts'
import { formatFault } from './faults.ts'
import { knownWith, type Known } from './known.ts'
import { parseFolder } from './parse.ts'

const EMPTY_SHOP: Known = {
  currencies: new Map(),
  countries: new Set(),
  regions: new Set(),
  platforms: new Set(),
  categories: new Set(),
  units: new Map(),
  games: new Set(),
  brands: new Set(),
}

/** Every fault of the small catalogue after a change. */
function faultsOf(change: (documents: SmallCatalogue & Record<string, unknown>) => void): string[] {
  const documents: SmallCatalogue & Record<string, unknown> = smallCatalogue()
  change(documents)
  const { folder, faults } = parseFolder(new Map(Object.entries(documents)))
  if (!folder || faults.length > 0) return faults.map(formatFault)
  return checkFolder(folder, knownWith(EMPTY_SHOP, folder)).map(formatFault)
}

const card = (d: SmallCatalogue) => d['brands/gift_card/vapour.json']
const product = (d: SmallCatalogue) =>
  card(d).products[0] as SmallCatalogue['brands/gift_card/vapour.json']['products'][number]
const item = (d: SmallCatalogue) => product(d).items[0] as Record<string, unknown>
const topUp = (d: SmallCatalogue) => d['brands/top_up/dragon-quarry.json']
const field = (d: SmallCatalogue) => topUp(d).fields[0] as Record<string, unknown>
const CARD = 'brands/gift_card/vapour.json'
const TOP_UP = 'brands/top_up/dragon-quarry.json'

test('a right catalogue has no fault', () => {
  expect(faultsOf(() => {})).toEqual([])
})

describe('a unit', () => {
  const forms = (d: SmallCatalogue, own: Record<string, string>) =>
    void Object.assign(d['units.json'].units[0] ?? {}, { forms: own })
  const english = { one: '{n} Diamond', other: '{n} Diamonds' }
  const german = { one: '{n} Diamant', other: '{n} Diamanten', name: 'Diamanten' }
  const withGerman = (own: Record<string, string>) =>
    faultsOf((d) => {
      forms(d, english)
      Object.assign(d, { 'translations/de.json': { unit: { diamonds: own } } })
    })
  test('says every form that numbers of a language need, and no other', () => {
    expect(withGerman(german)).toEqual([])
    expect(withGerman({ name: 'Diamanten' })).toEqual([])
    expect(withGerman({ ...german, '=1': 'ein Diamant' })).toEqual([])
    expect(withGerman({ other: '{n} Diamanten' })).toEqual([
      'translations/de.json unit.diamonds: numbers in de also need the form one',
    ])
    expect(withGerman({ ...german, few: '{n} Diamanten' })).toEqual([
      'translations/de.json unit.diamonds["few"]: no number in de has the form few',
    ])
    expect(faultsOf((d) => forms(d, { one: '{n} Diamond' }))).toEqual([
      'units.json units[0].forms: numbers in en also need the form other',
    ])
  })
  test('has its figure once in each form that is not of one number alone', () => {
    expect(withGerman({ ...german, one: 'ein Diamant' })).toEqual([])
    for (const other of ['Diamanten', '{n} von {n} Diamanten', '{count} Diamanten'])
      expect(withGerman({ ...german, other })).toEqual([
        'translations/de.json unit.diamonds["other"]: expected {n} once, where the number stands',
      ])
  })
  test('has forms in other languages where it has them in English', () => {
    const unit = { diamonds: { one: '{n} Diamant', other: '{n} Diamanten' } }
    const faults = faultsOf((d) => void Object.assign(d, { 'translations/de.json': { unit } }))
    expect(faults).toEqual([
      'translations/de.json unit.diamonds["one"]: diamonds has no text one',
      'translations/de.json unit.diamonds["other"]: diamonds has no text other',
    ])
  })
})

describe('the folder', () => {
  test('without its head is refused', () => {
    expect(
      faultsOf((d) => void delete (d as Record<string, unknown>)['catalogue.json'])[0],
    ).toMatch(/^catalogue.json: is missing/)
  })
  test('of another format is refused by its number alone', () => {
    expect(
      faultsOf((d) => {
        d['catalogue.json'].format = 2
        d['surprise.json'] = 1
      }),
    ).toEqual(['catalogue.json format: this program reads format 1, the folder is of format 2'])
  })
  test('holds no files the format does not know', () => {
    expect(
      faultsOf((d) => {
        d['brnads.json'] = {}
      }),
    ).toEqual(['brnads.json: the format knows no such file'])
  })
  test('names a brand’s file by its kind and code', () => {
    expect(
      faultsOf((d) => {
        d['brands/top_up/other.json'] = { ...card(d), products: [] }
      }),
    ).toEqual([
      'brands/top_up/other.json kind: a brand of kind gift_card belongs in brands/gift_card/',
      'brands/top_up/other.json code: the file of vapour is called vapour.json',
    ])
  })
})

describe('shapes', () => {
  test('money is text, never a JSON number', () => {
    expect(
      faultsOf((d) => {
        item(d)['price'] = 9.5
      }),
    ).toEqual([`${CARD} products[0].items[0].price: expected string, received number`])
  })
  test('a misspelt key is told', () => {
    expect(
      faultsOf((d) => {
        item(d)['prise'] = '1'
      }),
    ).toEqual([`${CARD} products[0].items[0]: the format knows no "prise" here`])
  })
  test('codes, days and languages have their form', () => {
    expect(
      faultsOf((d) => {
        ;(d['reviews.json'].reviews[0] as Record<string, unknown>)['published'] = '2026-13-40'
      })[0],
    ).toMatch(/^reviews.json reviews\[0\].published/)
    expect(
      faultsOf((d) => {
        item(d)['code'] = 'Card:VAPOUR'
      })[0],
    ).toMatch(/items\[0\].code/)
    expect(
      faultsOf((d) => {
        d['translations/xx.json'] = {}
      }),
    ).toEqual(['translations/xx.json: the format knows no such file'])
  })
})

describe('figures', () => {
  test.each([
    ['price', '0', 'a price is above zero'],
    ['price', '9.999', 'USD has 2 digits after the point'],
    ['price', 'EUR 9', 'unknown currency EUR'],
    ['market', '9', 'is below the price it is compared with'],
    ['market', 'JPY 9000', 'is compared with the price, so it is in USD'],
    ['cost', 'JPY 1.5', 'JPY has 0 digits after the point'],
    ['face', 'JPY 10', 'is in USD'],
  ])('%s %s is refused', (name, value, message) => {
    expect(
      faultsOf((d) => {
        item(d)[name] = value
      }),
    ).toEqual([`${CARD} products[0].items[0].${name}: ${message}`])
  })
  test('level prices, free amounts and roundings are checked', () => {
    expect(
      faultsOf((d) => {
        item(d)['levels'] = { 1: '0' }
      }),
    ).toEqual([`${CARD} products[0].items[0].levels.1: a price is above zero`])
    expect(
      faultsOf((d) => {
        product(d)['free_amount'] = { min: '5', max: '5' }
      }),
    ).toEqual([`${CARD} products[0].free_amount: min is above zero and below max`])
    const air = (d: SmallCatalogue) =>
      d['operators/us.json'].operators[0]?.products[0]?.items[0] as Record<string, unknown>
    const AIR = 'operators/us.json operators[0].products[0].items[0].free_amount'
    for (const [free, fault] of [
      [{ min: '5', max: '50', step: '0.50' }, null],
      [{ min: '5', max: '5', step: '1' }, `${AIR}: min is below max`],
      [{ min: '5', max: '50', step: '0' }, `${AIR}.step: expected an amount above zero in USD`],
      [{ min: '5', max: '50.25', step: '1' }, `${AIR}: max is a whole number of steps above min`],
    ] as const)
      expect(
        faultsOf((d) => {
          air(d)['free_amount'] = free
        }),
      ).toEqual(fault === null ? [] : [fault])
    expect(
      faultsOf((d) => {
        item(d)['free_amount'] = { min: '5', max: '50', step: '1' }
      })[0],
    ).toMatch(/free_amount: is of airtime/)
    expect(
      faultsOf((d) => {
        const money = d['currencies.json'].currencies[1]
        if (money) money.rounding = '0.5'
      })[0],
    ).toMatch(/currencies\[1\].rounding/)
    expect(
      faultsOf((d) => {
        const money = d['currencies.json'].currencies[1]
        if (money) money.per_usd = '0.00'
      })[0],
    ).toMatch(/a rate is above zero/)
  })
})

describe('references', () => {
  test.each([
    [
      'a currency',
      (d: SmallCatalogue) => {
        product(d)['currency'] = 'ZZZ'
      },
      `${CARD} products[0].currency: unknown currency ZZZ`,
    ],
    [
      'a region',
      (d: SmallCatalogue) => {
        product(d)['region'] = 'mars'
      },
      `${CARD} products[0].region: unknown region mars`,
    ],
    [
      'a country',
      (d: SmallCatalogue) => {
        product(d)['countries'] = ['XX']
      },
      `${CARD} products[0].countries[0]: unknown country XX`,
    ],
    [
      'a buyer’s country',
      (d: SmallCatalogue) => {
        item(d)['buyer_countries'] = ['US', 'US']
      },
      `${CARD} products[0].items[0].buyer_countries[1]: US stands twice`,
    ],
    [
      'a category',
      (d: SmallCatalogue) => {
        card(d).categories = ['nothing']
      },
      `${CARD} categories[0]: unknown category nothing`,
    ],
    [
      'a game',
      (d: SmallCatalogue) => {
        topUp(d).game = 'nothing'
      },
      `${TOP_UP} game: unknown game nothing`,
    ],
    [
      'a unit',
      (d: SmallCatalogue) => {
        topUp(d).unit = 'nothing'
      },
      `${TOP_UP} unit: unknown unit nothing`,
    ],
    [
      'a platform',
      (d: SmallCatalogue) => {
        topUp(d).platforms = ['nothing']
      },
      `${TOP_UP} platforms[0]: unknown platform nothing`,
    ],
    [
      'a brand of a review',
      (d: SmallCatalogue) => {
        const review = d['reviews.json'].reviews[0]
        if (review) review.brand = 'nothing'
      },
      'reviews.json reviews[0].brand: unknown brand nothing',
    ],
    [
      'a brand of an article',
      (d: SmallCatalogue) => {
        const article = d['articles/news.json'].articles[0]
        if (article) article.related = ['nothing']
      },
      'articles/news.json articles[0].related[0]: unknown brand or game nothing',
    ],
  ])('%s must be known', (_what, change, fault) => expect(faultsOf(change)).toEqual([fault]))

  test('a brand or game that the shop has already may be referred to', () => {
    const documents = new Map<string, unknown>([
      ['catalogue.json', { format: 1, name: 'more' }],
      [
        'reviews.json',
        {
          reviews: [
            {
              id: 9,
              brand: 'vapour',
              language: 'en',
              rating: 4,
              text: 'Fine.',
              nickname: 'x',
              published: '2026-01-01',
            },
          ],
        },
      ],
    ])
    const { folder } = parseFolder(documents)
    expect(
      folder &&
        checkFolder(folder, knownWith({ ...EMPTY_SHOP, brands: new Set(['vapour']) }, folder)),
    ).toEqual([])
  })
})

describe('codes', () => {
  test('stand once, in all files together', () => {
    expect(
      faultsOf((d) => {
        d['brands/game_card/dragon-quarry.json'] = {
          ...card(d),
          kind: 'game_card',
          code: 'dragon-quarry',
          products: [],
        }
      }),
    ).toEqual([
      `brands/game_card/dragon-quarry.json code: dragon-quarry stands twice, first in ${TOP_UP}`,
    ])
    expect(
      faultsOf((d) => {
        product(d).items.push({ ...item(d) })
      }),
    ).toEqual([
      `${CARD} products[0].items[2].code: card:vapour:us:10 stands twice, first in ${CARD} products[0].items[0]`,
    ])
  })
  test('a brand has one product a region', () => {
    expect(
      faultsOf((d) => {
        card(d).products.push({ ...product(d), code: 'vapour-usa', items: [] })
      }),
    ).toEqual([`${CARD} products[1].region: vapour has two products in region us`])
  })
})

describe('categories', () => {
  test('do not lie inside themselves', () => {
    const faults = faultsOf((d) => {
      ;(d['categories.json'].categories[0] as Record<string, unknown>)['parent'] = 'game-wallets'
    })
    expect(faults).toEqual([
      'categories.json categories[0].parent: cards lies inside itself',
      'categories.json categories[1].parent: game-wallets lies inside itself',
    ])
  })
  test('have an id of their own and a known parent', () => {
    expect(
      faultsOf((d) => {
        Object.assign(d['categories.json'].categories[1] ?? {}, { id: 1, parent: 'none' })
      }),
    ).toEqual([
      'categories.json categories[1].id: 1 stands twice, first at categories[0].id',
      'categories.json categories[1].parent: unknown category none',
    ])
  })
})

describe('account fields and key formats', () => {
  test('patterns are anchored, valid and quick', () => {
    expect(
      faultsOf((d) => {
        field(d)['pattern'] = '^(\\d+)+$'
      })[0],
    ).toMatch(/fields\[0\].pattern: the pattern repeats/)
    expect(
      faultsOf((d) => {
        card(d).redeem.key_format.parts[0]!.pattern = '[A-Z]+'
      })[0],
    ).toMatch(/parts\[0\].pattern: the pattern must match/)
  })
  test('examples match their pattern', () => {
    expect(
      faultsOf((d) => {
        field(d)['placeholder'] = 'abc'
      }),
    ).toEqual([`${TOP_UP} fields[0].placeholder: does not match the pattern`])
  })
  test('a field to choose from has options', () => {
    expect(
      faultsOf((d) => {
        Object.assign(field(d), { kind: 'select' })
      }),
    ).toEqual([`${TOP_UP} fields[0].options: a field to choose from has options`])
  })
})

describe('redirects and translations', () => {
  test('a redirect leads from a code that is gone to one that is here', () => {
    expect(
      faultsOf((d) => {
        d['redirects.json'] = { product: { 'vapour-us': 'vapour-gone' } }
      }),
    ).toEqual([
      'redirects.json product.vapour-us: leads to vapour-gone, which this folder does not have',
      'redirects.json product.vapour-us: vapour-us is still in use here; a redirect is for a code that is gone',
    ])
  })
  test('a translation belongs to something of the folder', () => {
    expect(
      faultsOf((d) => {
        d['translations/de.json'].game = { nothing: 'Nichts' }
      }),
    ).toEqual(['translations/de.json game.nothing: this folder has no game nothing'])
    expect(
      faultsOf((d) => {
        d['translations/de.json'].game = { 'dragon-quarry': { slogan: 'x' } }
      }),
    ).toEqual([
      'translations/de.json game.dragon-quarry["slogan"]: dragon-quarry has no text slogan',
    ])
  })
})

describe('a cover', () => {
  const withDesign = (design: unknown) =>
    faultsOf((d) => Object.assign(card(d).picture.cover, { design }))
  const AT = `${CARD} picture.cover.design`

  test.each([
    [{ motif: 'planet' }, `${AT}.motif: unknown motif "planet"`],
    [{ inks: ['navy', 'sky', 'blue', 'paper'] }, `${AT}.inks[2]: unknown ink "blue"`],
    [{ inks: ['navy'] }, `${AT}.inks: four inks: ground, main shape, second tone, accent`],
    [{ ink: 'mauve' }, `${AT}.ink: unknown ink "mauve"`],
    [{ voice: 'loud' }, `${AT}.voice: unknown voice "loud"`],
    [{ layout: 'upside-down' }, `${AT}.layout: unknown layout "upside-down"`],
    [{ ground: 'moon' }, `${AT}.ground: unknown ground "moon"`],
    [{ title: 'middle' }, `${AT}.title: unknown place of the title "middle"`],
    [{ lines: ['~of'] }, `${AT}.lines: not every line can be small`],
    [{ colour: 'red' }, `${AT}: the format knows no "colour" here`],
  ])('of %j is refused at its place', (design, fault) => {
    expect(withDesign(design)).toEqual([fault])
  })

  test('may say any part of its design, or none', () => {
    expect(withDesign({ motif: 'kettle' })).toEqual([])
    expect(withDesign({})).toEqual([])
  })
})
