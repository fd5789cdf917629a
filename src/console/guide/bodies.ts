import { getShelf } from '#features/buying/shelf/queries.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import {
  countGoods,
  findTestItem,
  findTestLetter,
  listGuidePayments,
  listKeyItems,
  type GoodsCounts,
  type PlaceCounts,
} from '#features/office/guide/queries.ts'
import type { GuideStep } from '#features/office/guide/rules.ts'
import { listLegalTexts, readSamplePages, type LegalText } from '#features/office/legal/queries.ts'
import { listShown } from '#features/office/payment-service/queries.ts'
import { readSettingForms } from '#features/office/setting/queries.ts'
import { findStarterRun } from '#features/office/starter/queries.ts'
import type { StarterRun } from '#features/office/starter/rules.ts'
import { LANGUAGES } from '#kernel/language.ts'
import { formatMoment, formatShortMoment } from '#platform/i18n/format.ts'
import { shelfRows, type ShelfRow } from '../keys/rows.ts'
import { moneyTexts } from '../kit/money.ts'
import type { ConsoleContext } from '../page.ts'
import { matchConsoleRoute } from '../routes.ts'
import { LEGAL_NAMES } from './legal-names.ts'
import { fieldData } from '../settings/load.ts'
import type { SettingData, SettingsData } from '../settings/shown.ts'
import type { GuideLine } from './load.ts'

type Run = Pick<StarterRun, 'state' | 'step' | 'steps' | 'failure'>

interface Forms {
  readonly settings: readonly SettingData[]
  readonly currencies: SettingsData['currencies']
}

export interface LegalData extends LegalText {
  readonly name: string
  readonly sample: { readonly title: string; readonly text: string } | null
}

/** What is shown of a step, and of no other. */
export type StepBody =
  | { readonly step: 'owner' }
  | {
      readonly step: 'identity'
      readonly forms: Forms
      readonly texts: readonly LegalData[]
      readonly hasLooks: boolean
    }
  | {
      readonly step: 'places'
      readonly counts: PlaceCounts
      readonly run: Run | null
      readonly forms: Forms
      readonly zone: { readonly name: string; readonly now: string }
      readonly languages: readonly { readonly code: string; readonly name: string }[]
    }
  | {
      readonly step: 'goods'
      readonly counts: GoodsCounts
      readonly run: Run | null
      readonly pages: { readonly byHand: boolean; readonly files: boolean }
    }
  | { readonly step: 'keys'; readonly shelves: readonly ShelfRow[] }
  | PayBody
  | {
      readonly step: 'mail'
      readonly letter: 'none' | 'waiting' | 'failing' | 'sent'
      readonly failure: string | null
    }
  | {
      readonly step: 'look'
      readonly needed: readonly GuideLine[]
      readonly languages: readonly { readonly code: string; readonly name: string }[]
    }

export interface PayBody {
  readonly step: 'pay'
  readonly services: readonly {
    readonly code: string
    readonly isSet: boolean
    readonly mode: 'test' | 'live' | null
  }[]
  readonly item: { readonly name: string; readonly price: string; readonly path: string } | null
  readonly payments: readonly {
    readonly order: string
    readonly amount: string
    readonly at: string
    readonly provider: string
    readonly isRefunded: boolean
  }[]
  readonly needed: readonly GuideLine[]
}

interface Known {
  readonly places: PlaceCounts
  readonly needed: readonly GuideLine[]
}

const KEYS_SHOWN = 8
const PAYMENTS_SHOWN = 3
const IDENTITY = [
  'shop.name',
  'shop.corporate_name',
  'shop.address',
  'shop.support_email',
  'shop.support_hours',
]
const PLACES = ['shop_currency']

export async function bodyOf(
  context: ConsoleContext,
  step: GuideStep,
  known: Known,
): Promise<StepBody> {
  const { ctx } = context
  switch (step) {
    case 'owner':
      return { step }
    case 'identity':
      return {
        step,
        forms: await formsOf(context, IDENTITY),
        texts: await legalOf(context),
        hasLooks: matchConsoleRoute('/settings/look') !== null,
      }
    case 'places':
      return placesOf(context, known.places)
    case 'goods':
      return {
        step,
        counts: await countGoods(ctx.db),
        run: runOf(await findStarterRun(ctx.db)),
        pages: {
          byHand: isPage('/products/new', 'goods-new'),
          files: isPage('/products/files', 'goods-files'),
        },
      }
    case 'keys':
      return { step, shelves: await shelvesOf(context) }
    case 'pay':
      return payOf(context, known.needed)
    case 'mail':
      return letterOf(context)
    case 'look':
      return { step, needed: known.needed, languages: LANGUAGE_NAMES }
  }
}

const isPage = (path: string, page: string) => matchConsoleRoute(path)?.route.page === page

const LANGUAGE_NAMES = LANGUAGES.map(({ code, nativeName }) => ({ code, name: nativeName }))

const runOf = (run: StarterRun | null): Run | null =>
  run && { state: run.state, step: run.step, steps: run.steps, failure: run.failure }

/** The forms of some settings, by the path of their parts. */
async function formsOf(context: ConsoleContext, paths: readonly string[]): Promise<Forms> {
  const { ctx } = context
  const [settings, currencies] = await Promise.all([
    readSettingForms(ctx.db),
    listCurrencies(ctx.db),
  ])
  return {
    settings: settings.flatMap(({ key, isTold, fault, forms }) => {
      const own = forms.filter(({ field }) => paths.includes(field.path))
      if (own.length === 0) return []
      const fields = own.map((form) => fieldData(context, form))
      return [{ key, tellsOwners: isTold, fault, fields }]
    }),
    currencies: currencies.map(({ code, minorUnits }) => ({ code, places: minorUnits })),
  }
}

async function legalOf({ ctx, t }: ConsoleContext): Promise<readonly LegalData[]> {
  const [texts, samples] = await Promise.all([listLegalTexts(ctx.db), readSamplePages()])
  return texts.map((text) => ({
    ...text,
    name: t(LEGAL_NAMES[text.code]),
    sample: samples.get(text.code) ?? null,
  }))
}

async function placesOf(context: ConsoleContext, counts: PlaceCounts): Promise<StepBody> {
  const { ctx, language, timeZone } = context
  return {
    step: 'places',
    counts,
    run: runOf(await findStarterRun(ctx.db)),
    forms: await formsOf(context, PLACES),
    zone: { name: timeZone, now: formatMoment(language.code, ctx.now(), timeZone) },
    languages: LANGUAGE_NAMES,
  }
}

async function shelvesOf(context: ConsoleContext): Promise<readonly ShelfRow[]> {
  const { ctx, language } = context
  const items = await listKeyItems(ctx.db, KEYS_SHOWN)
  const at = { now: ctx.now(), language: language.code }
  return shelfRows(context, await Promise.all(items.map(({ code }) => getShelf(ctx.db, at, code))))
}

async function payOf(context: ConsoleContext, needed: readonly GuideLine[]): Promise<PayBody> {
  const { ctx, paying, language, timeZone } = context
  const [services, item, payments, money] = await Promise.all([
    listShown(ctx.db, ctx.keys, paying.environment),
    findTestItem(ctx.db),
    listGuidePayments(ctx.db, PAYMENTS_SHOWN),
    moneyTexts(context),
  ])
  const at = { now: ctx.now(), language: language.code }
  const [row] = item ? await shelfRows(context, [await getShelf(ctx.db, at, item.code)]) : []
  return {
    step: 'pay',
    services: services.map(({ code, source, mode }) => ({
      code,
      isSet: paying.providers.has(code) && source !== 'none',
      mode: mode ?? null,
    })),
    item:
      item && row
        ? {
            name: `${row.name}, ${row.sub}`,
            price: money(item.price.minor, item.price.currency),
            path: `/product/${item.product}`,
          }
        : null,
    payments: payments.map(({ orderNo, provider, paid, at, refundedMinor }) => ({
      order: orderNo,
      provider,
      amount: money(paid.minor, paid.currency),
      at: formatShortMoment(language.code, at, timeZone),
      isRefunded: refundedMinor >= paid.minor,
    })),
    needed: needed.filter(({ name }) => name !== 'https' && name !== 'backup' && name !== 'pay'),
  }
}

async function letterOf({ ctx }: ConsoleContext): Promise<StepBody> {
  const letter = await findTestLetter(ctx.db)
  const state = !letter ? 'none' : letter.sentAt ? 'sent' : letter.isFailing ? 'failing' : 'waiting'
  return { step: 'mail', letter: state, failure: letter?.sentAt ? null : (letter?.failure ?? null) }
}
