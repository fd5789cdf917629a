import { goodsName, joinLabel, labelOf } from '#features/goods/browse/view/names.ts'
import type { Unit } from '#features/goods/catalogue/rules.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { shownDigits, type Currency } from '#features/goods/currency/rules.ts'
import { postMails, type NewMail } from '#features/people/mail/commands.ts'
import { postNotices } from '#features/people/notice/commands.ts'
import type { NoticeContent } from '#features/people/notice/rules.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { formatMoney } from '#platform/i18n/format.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { takeEvents, type GoodsWords, type TakenEvent, type TakenLine } from './queries.ts'
import { notificationOf, type OrderNotification } from './rules.ts'

/** Events told in one transaction, which takes five statements whatever their number. */
const BATCH = 100

/**
 * Tells buyers what happened to their orders, by mail and by notice: each event once, however many call this at once and
 * wherever one of them is cut off. @returns how many events that were
 */
export async function notifyBuyers(ctx: Ctx): Promise<number> {
  let currencies: ReadonlyMap<string, Currency> | null = null
  for (let total = 0; ; ) {
    const taken = await transaction(ctx, async (tx) => {
      const events = await takeEvents(tx, BATCH)
      if (events.length === 0) return 0
      currencies ??= new Map(
        (await listCurrencies(tx)).map((currency) => [currency.code, currency]),
      )
      const known = currencies
      const posts = events.flatMap((event) => postsOf(event, known) ?? [])
      await postMails(
        tx,
        ctx,
        posts.map(({ mail }) => mail),
      )
      await postNotices(
        tx,
        ctx,
        posts.map(({ notice }) => notice),
      )
      return events.length
    })
    total += taken
    if (taken < BATCH) return total
  }
}

interface Posts {
  readonly mail: NewMail
  readonly notice: NoticeContent & { readonly accountId: string }
}

/** Null where there is nothing to say, or nobody left to say it to. */
function postsOf(event: TakenEvent, currencies: ReadonlyMap<string, Currency>): Posts | null {
  const { details, accountId, email, language } = event
  const lines = linesOf(event)
  const notification = notificationOf({
    ...event,
    deliveries: new Set(lines.map(({ delivery }) => delivery)),
    refundedTo: event.refund?.destination ?? null,
  })
  const named = notification && namedLine(notification, lines)
  if (!named || email === null) return null
  const amount = amountOf(event)
  const format = (minor: string, code: string) => {
    const currency = currencies.get(code)
    return currency
      ? formatMoney(language, code, BigInt(minor), currency.minorUnits, shownDigits(currency))
      : ''
  }
  const t = translatorOf(language)
  const bought = lines.map((line) => ({
    ...goodsIn(language, line, currencies),
    quantity: quantityOf(line, details),
    priceMinor: line.priceMinor,
    picture: line.picture,
  }))
  return {
    mail: {
      kind: notification.kind,
      accountId,
      recipient: email,
      language,
      params: {
        order: {
          id: event.order,
          number: event.number,
          variant: notification.variant,
          amount: amount ? format(amount.minor, amount.currency) : '',
          goods: bought.map(({ name, item, quantity }) =>
            t('mail.order.goods', { quantity, name, item }),
          ),
          lines: bought.map(({ name, item, quantity, priceMinor, picture }) => ({
            name,
            detail: t('mail.order.item', { quantity, item }),
            amount: format(String(BigInt(priceMinor) * BigInt(quantity)), event.currency),
            picture,
          })),
          fee:
            details.line === undefined && event.feeMinor !== '0'
              ? format(event.feeMinor, event.currency)
              : '',
          total: details.line === undefined ? format(event.totalMinor, event.currency) : '',
          minutes: minutesOf(notification, lines),
        },
      },
    },
    notice: {
      accountId,
      kind: notification.kind,
      params: {
        order: event.order,
        number: event.number,
        product: named.product,
        name: named.englishName.slice(0, 200),
        amount,
        variant: notification.variant,
      },
    },
  }
}

/** Name and label of what was bought as pages of the language have them; what is sold no more keeps the order's own words. */
function goodsIn(
  language: LanguageCode,
  { words, delivery, englishName, item, phone }: TakenLine,
  currencies: ReadonlyMap<string, Currency>,
): { readonly name: string; readonly item: string } {
  const t = translatorOf(language)
  if (delivery === 'store_credit') return { name: t('order.storeCredit'), item }
  if (!words) return { name: englishName, item }
  const unit = words.unit === null ? null : unitOf(words, words.unit, language)
  const brand = {
    en: words.brand,
    ...(words.ownBrand === null ? {} : { [language]: words.ownBrand }),
  }
  const name = goodsName({ kind: words.kind, name: brand, unit }, language, t)
  const count = (figure: string | null) => (figure === null ? null : BigInt(figure))
  const label = labelOf(
    {
      language,
      t,
      unit,
      face: currencies.get(words.faceCurrency ?? '') ?? null,
      phrase: (english) => words.ownItemName ?? english,
    },
    {
      kind: words.itemKind,
      name: words.itemName,
      units: count(words.units),
      bonus: count(words.bonus),
      days: words.days,
      dataMb: words.dataMb,
      faceMinor: count(words.faceMinor),
      free: null,
    },
  )
  return {
    name: words.region === null ? name : t('product.title', { name, region: words.region }),
    item:
      phone === null
        ? joinLabel(label)
        : t('mail.order.toPhone', { item: joinLabel(label), number: phone }),
  }
}

function unitOf(
  { unitTexts, englishUnitTexts }: GoodsWords,
  english: string,
  language: LanguageCode,
): Pick<Unit, 'name' | 'forms'> {
  const own = unitTexts?.name
  return {
    name: { en: english, ...(own === undefined ? {} : { [language]: own }) },
    forms: { en: englishUnitTexts ?? {}, ...(unitTexts ? { [language]: unitTexts } : {}) },
  }
}

/** An event about one line says which. */
function linesOf({ lines, details }: TakenEvent): readonly TakenLine[] {
  return typeof details.line === 'number'
    ? lines.filter(({ position }) => position === details.line)
    : lines
}

/** An event may be about some of a line. */
function quantityOf({ quantity }: TakenLine, { units }: TakenEvent['details']): number {
  return typeof units === 'number' ? units : quantity
}

/** The one line that a notice has room for: of what is delivered by hand, none that is there already. */
function namedLine(
  { kind }: OrderNotification,
  lines: readonly TakenLine[],
): TakenLine | undefined {
  const byHand =
    kind === 'order_paid_by_hand'
      ? lines.find(({ delivery }) => delivery === 'direct_charge')
      : undefined
  return byHand ?? lines[0]
}

function amountOf({
  refund,
  details,
  currency,
}: TakenEvent): { readonly minor: string; readonly currency: string } | null {
  if (typeof details.amount_minor === 'string')
    return { minor: details.amount_minor, currency: String(details.currency ?? currency) }
  return refund && { minor: refund.minor, currency: refund.currency }
}

/** The slowest of what is delivered by hand. */
function minutesOf(
  { kind }: OrderNotification,
  lines: readonly TakenLine[],
): { readonly count: number; readonly isMeasured: boolean } | null {
  if (kind !== 'order_paid_by_hand') return null
  const usual = lines.flatMap(({ delivery, minutes, isMeasured }) =>
    delivery === 'direct_charge' && minutes !== null ? [{ count: minutes, isMeasured }] : [],
  )
  return usual.toSorted((a, b) => b.count - a.count)[0] ?? null
}
