import { listHandUnits, listHandUnitsOf } from '#features/buying/fulfilment/queries.ts'
import {
  FAILURES,
  type FulfilmentFailure,
  type HandUnit,
} from '#features/buying/fulfilment/rules.ts'
import { listOperators } from '#features/team/operator/queries.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { pageOf } from '#kernel/page.ts'
import { PUBLIC_ID } from '#kernel/public-id.ts'
import { formatClock, formatDuration } from '#platform/i18n/format.ts'
import type { StateLook } from '../kit/state.tsx'
import type { ConsoleContext, Loaded } from '../page.ts'

export interface HandRow {
  readonly unit: string
  readonly goods: string
  readonly place: string
  readonly order: string
  readonly waits: string
  readonly look: StateLook
  readonly state: string
  readonly isMine: boolean
  /** Nobody has it, and nothing is open about its order. */
  readonly isFree: boolean
  /** Where it goes; of one's own alone. */
  readonly account: readonly { readonly name: string; readonly value: string }[]
}

export interface ByHandData {
  readonly rows: readonly HandRow[]
  /** The unit that was asked for, where it waits. */
  readonly wanted: string | null
  /** Address of the page after this one; null at the end. */
  readonly next: string | null
  readonly colleagues: readonly { readonly name: string; readonly shown: string }[]
  readonly failures: readonly FulfilmentFailure[]
}

const LISTED = 50

export async function load(context: ConsoleContext): Promise<Loaded<ByHandData>> {
  const { ctx, t, query } = context
  const named = query.get('after')
  const after = named !== null && PUBLIC_ID.test(named) ? named : null
  const asked = query.get('unit')
  const wanted = asked !== null && PUBLIC_ID.test(asked) ? asked : null
  const [found, own, operators] = await Promise.all([
    listHandUnits(ctx.db, { after, limit: LISTED + 1 }),
    listHandUnitsOf(ctx.db, ctx.operator.name, wanted),
    listOperators(ctx.db, ctx.now()),
  ])
  const { shown, last } = pageOf(found, LISTED)
  // One's own, and what was asked for, stands on every page.
  const more = own.filter(({ unit }) => !shown.some((one) => one.unit === unit))
  const units = [...more, ...shown]
  return {
    title: t('console.by-hand.nav'),
    data: {
      rows: units.map((unit) => rowOf(context, unit)),
      wanted: units.some(({ unit }) => unit === wanted) ? wanted : null,
      next: last ? `/by-hand?after=${last.unit}` : null,
      colleagues: operators
        .filter((one) => one.status === 'active' && one.id !== ctx.operator.id)
        .filter((one) => mayDo(one, 'order.deliver'))
        .map(({ name, displayName }) => ({ name, shown: displayName })),
      failures: FAILURES,
    },
  }
}

function rowOf(context: ConsoleContext, unit: HandUnit): HandRow {
  const { ctx, language } = context
  const isMine = unit.status === 'delivering' && unit.claimedBy === ctx.operator.name
  const seconds = Math.max(0, Math.round((ctx.now().getTime() - unit.paidAt.getTime()) / 1_000))
  return {
    unit: unit.unit,
    goods: `${unit.product}, ${unit.item}`,
    place: unit.quantity > 1 ? `${unit.place}/${unit.quantity}` : '',
    order: unit.orderNumber,
    waits: formatDuration(language.code, seconds),
    ...stateOf(context, unit, isMine),
    isMine,
    isFree: unit.status === 'queued' && unit.hold === null,
    account: isMine ? Object.entries(unit.fields).map(([name, value]) => ({ name, value })) : [],
  }
}

function stateOf(
  { t, language, timeZone }: ConsoleContext,
  { status, hold, claimedBy, claimedUntil }: HandUnit,
  isMine: boolean,
): Pick<HandRow, 'look' | 'state'> {
  const until = claimedUntil ? formatClock(language.code, claimedUntil, timeZone) : ''
  if (status === 'delivering')
    return isMine
      ? { look: 'way', state: t('console.by-hand.mine', { at: until }) }
      : { look: 'way', state: t('console.by-hand.other', { name: claimedBy ?? '', at: until }) }
  if (status === 'in_doubt') return { look: 'badge bad', state: t('console.by-hand.doubt') }
  if (status === 'failed') return { look: 'fail', state: t('console.by-hand.failed') }
  if (hold !== null)
    return {
      look: '',
      state: t('console.state.processing', { reason: t(`console.hold.${hold as 'risk'}`) }),
    }
  return { look: 'badge warn', state: t('console.by-hand.waiting') }
}
