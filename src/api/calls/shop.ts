import { z } from 'zod'
import { countryView, type ShopView } from '#features/goods/browse/views.ts'
import { pictureLink } from '#features/goods/browse/queries.ts'
import { textIn, type Category } from '#features/goods/catalogue/rules.ts'
import { methodsOf } from '#features/goods/pay-method/rules.ts'
import { footerView, payTypeViews } from '#features/base/shop/views.ts'
import { isOffered } from '#features/goods/currency/rules.ts'
import { countryOfZone } from '#features/goods/region/rules.ts'
import { LANGUAGES } from '#kernel/language.ts'
import { readingCall } from '../call.ts'

const text = (example: string) => z.string().meta({ examples: [example] })

interface CategoryNode {
  id: number
  name: string
  route: { path: string }
  pic_image: string
  _child: CategoryNode[]
}

const categoryShape: z.ZodType<CategoryNode> = z
  .object({
    id: z.int().meta({ examples: [101] }),
    name: text('Game Wallets'),
    route: z.object({
      path: z.string().meta({
        description: 'Address of its page, without language prefix',
        examples: ['/cards-category/game-wallets'],
      }),
    }),
    pic_image: z
      .string()
      .meta({ description: 'Address of its picture; empty when there is none', examples: [''] }),
    get _child() {
      return z.array(categoryShape)
    },
  })
  .meta({ id: 'Category' })

export const goodsCategoryIndex = readingCall({
  path: 'goods_category/index',
  summary: 'List categories',
  description: 'The category tree, in the order of the menu.',
  query: z.object({}),
  data: z.array(categoryShape).meta({ id: 'Categories' }),
  mayMiss: false,
  example: {},
  read: () => ({}),
  answer: (view) => view.shop.catalogue.categories.map((category) => categoryNode(view, category)),
})

function categoryNode(view: ShopView, category: Category): CategoryNode {
  return {
    id: category.id,
    name: textIn(category.name, view.language),
    route: { path: category.path },
    pic_image:
      category.picture === null ? '' : pictureLink(view.shop, 'goods_thumb_1_1', category.picture),
    _child: category.children.map((child) => categoryNode(view, child)),
  }
}

export const commonFooter = readingCall({
  path: 'common/footer',
  summary: 'Foot of the page',
  query: z.object({}),
  data: z
    .object({
      footer_link: z.array(
        z.object({
          title: text('Help'),
          list: z.array(z.object({ title: text('Payment methods'), link: text('/pay-type') })),
        }),
      ),
      corporate_name: text('Corner Shop Ltd'),
      address: z.string(),
      copyright: z.string(),
      social: z.array(
        z.object({
          code: text('telegram'),
          name: text('Telegram'),
          link: text('https://t.me/share/url?url=https%3A%2F%2Fshop.example'),
        }),
      ),
    })
    .meta({ id: 'Footer' }),
  mayMiss: false,
  example: {},
  read: () => ({}),
  answer: ({ shop, t, publicUrl }) => footerView(shop.settings, t, publicUrl),
})

export const commonInit = readingCall({
  path: 'common/init',
  summary: 'What a client asks for first',
  query: z.object({
    version: z.string().optional().meta({ description: 'Accepted and ignored' }),
    lng: z.string().optional().meta({ description: 'Accepted and ignored' }),
    lat: z.string().optional().meta({ description: 'Accepted and ignored' }),
  }),
  data: z
    .object({
      name: text('Corner Shop'),
      version: z.string().meta({ description: 'Of the program', examples: ['0.1.0'] }),
      pay_type: z.array(
        z
          .object({
            code: text('card'),
            name: text('Credit or debit card'),
            icon: text('/pay/card.svg'),
          })
          .meta({ id: 'PayType' }),
      ),
    })
    .meta({ id: 'Init' }),
  mayMiss: false,
  example: { version: '', lng: '', lat: '' },
  read: () => ({}),
  answer: ({ shop, t, release, payProviders }) => ({
    name: shop.settings.name,
    version: release,
    pay_type: payTypeViews(shop.settings, methodsOf(shop.payMethods, payProviders), t),
  }),
})

export const indexRegions = readingCall({
  path: 'index/regions',
  summary: 'Countries, currencies and languages',
  description:
    'What a visitor may choose: countries the shop sells to, currencies with a rate, languages.',
  query: z.object({}),
  data: z
    .object({
      regions: z.array(
        z.object({
          code: z.string().meta({ description: 'ISO 3166-1 alpha-2', examples: ['DE'] }),
          name: text('Germany'),
          icon: text('/img/national_flag/flag/de.webp'),
          dial_code: z
            .string()
            .meta({ description: 'Empty when there is none', examples: ['+49'] }),
          currency_code: text('EUR'),
          language_code: text('de'),
        }),
      ),
      currencies: z.array(
        z.object({
          code: text('EUR'),
          name: text('Euro'),
          symbol: text('€'),
          minor_units: z
            .int()
            .min(0)
            .max(4)
            .meta({ examples: [2] }),
        }),
      ),
      language: z.array(
        z.object({
          code: text('de'),
          name: text('German'),
          native_name: text('Deutsch'),
          dir: z.enum(['ltr', 'rtl']),
        }),
      ),
    })
    .meta({ id: 'Regions' }),
  mayMiss: false,
  example: {},
  read: () => ({}),
  answer: (view) => {
    const { shop, language } = view
    const languageNames = new Intl.DisplayNames(language === 'tl' ? 'fil' : language, {
      type: 'language',
    })
    return {
      regions: shop.countries
        .filter((country) => country.isOnSale)
        .map((country) => ({
          ...countryView(view, country.code),
          dial_code: country.dialCode ?? '',
          currency_code: country.storeCurrency,
          language_code: country.language,
        })),
      currencies: shop.currencies
        .filter((currency) => currency.isCheckout && currency.perUsd)
        .map((currency) => ({
          code: currency.code,
          name: textIn(shop.currencyNames.get(currency.code) ?? { en: currency.name }, language),
          symbol: currency.symbol,
          minor_units: currency.minorUnits,
        })),
      language: LANGUAGES.map(({ code, tag, nativeName, dir }) => ({
        code,
        name: languageNames.of(tag) ?? nativeName,
        native_name: nativeName,
        dir,
      })),
    }
  },
})

export const indexCountry = readingCall({
  path: 'index/country',
  summary: 'The country of a time zone',
  description:
    'Where a browser seems to be, by its time zone: a country the shop sells to, or null. Nothing else is looked at.',
  query: z.object({
    zone: z
      .string()
      .max(100)
      .optional()
      .meta({ description: 'Name in the IANA database', examples: ['Europe/Berlin'] }),
  }),
  data: z
    .object({
      country: z
        .object({
          code: z.string().meta({ description: 'ISO 3166-1 alpha-2', examples: ['DE'] }),
          name: text('Germany'),
          currency_code: text('EUR'),
        })
        .nullable(),
    })
    .meta({ id: 'ZoneCountry' }),
  mayMiss: false,
  example: { zone: 'Europe/Berlin' },
  read: (params, { shop }) => ({
    country: countryOfZone(params.get('zone') ?? '', shop.countryByCode)?.code ?? '',
  }),
  answer: ({ shop, language }, query) => {
    const country = shop.countryByCode.get(query.country)
    const currency = shop.currencyByCode.get(country?.storeCurrency ?? '')
    return {
      country:
        country?.isOnSale && currency && isOffered(currency)
          ? {
              code: country.code,
              name: textIn(country.name, language),
              currency_code: currency.code,
            }
          : null,
    }
  },
})
