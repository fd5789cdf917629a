import { listCurrencies } from '#features/goods/currency/queries.ts'
import { shownDigits, type Currency } from '#features/goods/currency/rules.ts'
import { postMails, type NewMail } from '#features/people/mail/commands.ts'
import { postNotices } from '#features/people/notice/commands.ts'
import type { NoticeContent } from '#features/people/notice/rules.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { formatMoney } from '#platform/i18n/format.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { takeEvents, type TakenEvent, type TakenLine } from './queries.ts'
import { tellingOf, type Telling } from './rules.ts'

/** Events told in one transaction, which takes five statements whatever their number. */
const BATCH = 100

/**
 * Tells buyers what happened to their orders, by mail and by notice: each event once, however many call this at once and
 * wherever one of them is cut off. @returns how many events that were
 */
export async function tellBuyers(ctx: Ctx): Promise<number> {
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
  const telling = tellingOf({
    ...event,
    deliveries: new Set(lines.map(({ delivery }) => delivery)),
    refundedTo: event.refund?.destination ?? null,
  })
  const named = telling && namedLine(telling, lines)
  if (!named || email === null) return null
  const amount = amountOf(event)
  const format = (minor: string, code: string) => {
    const currency = currencies.get(code)
    return currency
      ? formatMoney(language, code, BigInt(minor), currency.minorUnits, shownDigits(currency))
      : ''
  }
  const t = translatorOf(language)
  return {
    mail: {
      kind: telling.kind,
      accountId,
      recipient: email,
      language,
      params: {
        order: {
          id: event.order,
          number: event.number,
          variant: telling.variant,
          amount: amount ? format(amount.minor, amount.currency) : '',
          goods: lines.map((line) =>
            t('mail.order.goods', {
              quantity: quantityOf(line, details),
              name: line.name,
              item: line.item,
            }),
          ),
          lines: lines.map((line) => {
            const quantity = quantityOf(line, details)
            return {
              name: line.name,
              detail: t('mail.order.item', { quantity, item: line.item }),
              amount: format(String(BigInt(line.priceMinor) * BigInt(quantity)), event.currency),
              picture: line.picture,
            }
          }),
          fee:
            details.line === undefined && event.feeMinor !== '0'
              ? format(event.feeMinor, event.currency)
              : '',
          total: details.line === undefined ? format(event.totalMinor, event.currency) : '',
          minutes: minutesOf(telling, lines),
        },
      },
    },
    notice: {
      accountId,
      kind: telling.kind,
      params: {
        order: event.order,
        number: event.number,
        product: named.product,
        name: named.englishName.slice(0, 200),
        amount,
        variant: telling.variant,
      },
    },
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
function namedLine({ kind }: Telling, lines: readonly TakenLine[]): TakenLine | undefined {
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
  { kind }: Telling,
  lines: readonly TakenLine[],
): { readonly count: number; readonly isMeasured: boolean } | null {
  if (kind !== 'order_paid_by_hand') return null
  const usual = lines.flatMap(({ delivery, minutes, isMeasured }) =>
    delivery === 'direct_charge' && minutes !== null ? [{ count: minutes, isMeasured }] : [],
  )
  return usual.toSorted((a, b) => b.count - a.count)[0] ?? null
}
