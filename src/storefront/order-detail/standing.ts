import { findProduct } from '#features/goods/browse/queries.ts'
import { deliveryTimeOf } from '#features/goods/catalogue/rules.ts'
import type { OrderView, Tone } from '#features/buying/order/view/shapes.ts'
import type { StoredLine, StoredOrder } from '#features/buying/order/view/stored.ts'
import { formatDuration, formatShortMoment } from '#platform/i18n/format.ts'
import type { IconName } from '#ui/icon-paths.ts'
import type { PersonalPageContext } from '../page.ts'
import { timeText } from '../product/facts.ts'

/** How an order stands, beside its headline. */
export interface Standing {
  readonly sign: { readonly tone: Tone | null; readonly icon: IconName }
  /** That no money was taken, where that is certain and worth saying. */
  readonly money: string | null
  /** Until when it can be paid, or what comes next. */
  readonly next: string | null
  readonly scale: DeliveryScale | null
}

/** How long ago it was paid, on a scale of how long deliveries of these goods take. Places are percents of the scale. */
export interface DeliveryScale {
  /** What was measured or estimated, as a sentence. */
  readonly measured: string
  readonly since: string
  readonly elapsed: number
  /** Within which half of the deliveries were there, and 95 of 100; what was estimated, where nothing was measured. */
  readonly marks: readonly { readonly at: number; readonly text: string }[]
  /** What to do once it takes longer than nearly all did; null before. */
  readonly late: string | null
}

type Reader = Pick<PersonalPageContext, 'shop' | 't' | 'language' | 'ctx' | 'timeZone'>

export function standingOf(page: Reader, order: OrderView, stored: StoredOrder): Standing {
  const { t, language, timeZone } = page
  const hasEnded = order.status === 'cancelled' || order.status === 'expired'
  const isUnderWay = isOnItsWay(stored)
  return {
    sign: signOf(order, stored, isUnderWay),
    money: stored.isUncharged && (hasEnded || hasFailed(order)) ? t('order.uncharged') : null,
    next: order.can.pay
      ? t('order.payBy', { time: formatShortMoment(language.code, stored.expiresAt, timeZone) })
      : isUnderWay
        ? t('order.tellLater')
        : null,
    scale: isUnderWay ? scaleOf(page, stored) : null,
  }
}

function hasFailed({ payment, can }: OrderView): boolean {
  return can.pay && payment?.status === 'failed'
}

/** The shape of each sign differs as well as its colour. */
function signOf(
  order: OrderView,
  { hold, lines }: StoredOrder,
  isUnderWay: boolean,
): Standing['sign'] {
  if (hasFailed(order) || order.status === 'expired') return { tone: 'bad', icon: 'x' }
  if (order.missing !== null || hold === 'disputed') return { tone: 'warn', icon: 'alert' }
  if (asksBuyer(lines)) return { tone: 'warn', icon: 'pencil' }
  if (isUnderWay) return { tone: 'info', icon: 'bolt' }
  if (order.tone === 'ok') return { tone: 'ok', icon: 'check' }
  if (order.tone === null)
    return { tone: null, icon: order.status === 'cancelled' ? 'minus' : 'coin' }
  return { tone: order.tone, icon: 'clock' }
}

/** What its buyer gave has to be corrected first. */
const asksBuyer = (lines: readonly StoredLine[]) =>
  lines.some(({ units }) => units.some(({ status }) => status === 'needs_input'))

/** Paid, and something of it is delivered without anything being left to decide. */
function isOnItsWay({ status, hold, settledAt, lines }: StoredOrder): boolean {
  return (
    (status === 'waiting_for_shipment' || status === 'shipping') &&
    hold === null &&
    settledAt !== null &&
    lines.some((line) => isAwaited(line))
  )
}

const isAwaited = ({ units }: StoredLine) =>
  units.some(({ status }) => status === 'queued' || status === 'delivering')

/** Where the time of 95 of 100 deliveries stands on the scale, in percent. */
const MOST_AT = 94

/** Beyond this place a mark for half of the deliveries would run into the other. */
const HALF_AT_MOST = 70

/** An estimate is rough: late is what takes so many times as long, and no delivery is before so many seconds. */
const ESTIMATED_LATE = 2
const LATE_LEAST = 300

interface Taken {
  /** Seconds; of an estimate alone what is estimated. */
  readonly half: number | null
  readonly most: number
  /** As a sentence. */
  readonly text: string
}

/** Of the product or else of its brand; measured or else estimated. */
function takenOf({ shop, t, language }: Reader, code: string | null): Taken | null {
  const product = code === null ? null : findProduct(shop, code)
  if (!product) return null
  const { pace } = product
  if (pace) {
    const told = (seconds: number) => formatDuration(language.code, seconds)
    const text = t('product.pace', { half: told(pace.half), most: told(pace.most) })
    return { half: pace.half, most: pace.most, text }
  }
  const time = deliveryTimeOf(product)
  if (time === null) return null
  const text = timeText(time, t, language.code)
  return time.most === null
    ? { half: null, most: time.minutes * 60, text }
    : { half: time.minutes * 60, most: time.most * 60, text }
}

/** By the slowest of what is awaited; null where of one of these nothing is known. */
function scaleOf(page: Reader, { lines, settledAt }: StoredOrder): DeliveryScale | null {
  const { t, language, ctx } = page
  const times = lines.filter(isAwaited).map(({ product }) => takenOf(page, product))
  const known = times.filter((time) => time !== null)
  const [slowest] = known.toSorted((a, b) => b.most - a.most)
  if (settledAt === null || slowest === undefined || known.length < times.length) return null
  const seconds = Math.max(0, Math.floor((ctx.now().getTime() - settledAt.getTime()) / 1_000))
  const placeOf = (taken: number) => (taken / slowest.most) * MOST_AT
  const { half, most } = slowest
  const isLate = seconds > (half === null ? Math.max(most * ESTIMATED_LATE, LATE_LEAST) : most)
  const told = (taken: number) => formatDuration(language.code, taken)
  return {
    measured: slowest.text,
    since: t('order.sincePayment', { time: formatDuration(language.code, seconds) }),
    elapsed: Math.min(100, placeOf(seconds)),
    marks: [...(half === null || placeOf(half) > HALF_AT_MOST ? [] : [half]), most].map(
      (taken) => ({ at: placeOf(taken), text: told(taken) }),
    ),
    late: isLate ? t(half === null ? 'order.longerThanEstimated' : 'order.takesLonger') : null,
  }
}
