import { listDeliveries, listEndpoints } from '#features/buying/webhook/queries.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { formatShortMoment } from '#platform/i18n/format.ts'
import { groupedNumber } from '../orders/rows.ts'
import type { ConsoleContext } from '../page.ts'

export interface WebhooksData {
  readonly endpoints: readonly {
    readonly id: string
    readonly account: string | null
    readonly host: string
    readonly isOn: boolean
    readonly waiting: number
    readonly givenUp: number
    readonly delivered: number
    readonly tried: string | null
  }[]
  /** Of the endpoint that is open; null for the list. */
  readonly open: {
    readonly id: string
    readonly deliveries: readonly {
      readonly id: string
      readonly order: string
      readonly number: string
      readonly state: 'waiting' | 'delivered' | 'given_up'
      readonly attempts: number
      readonly answer: string
      readonly made: string
    }[]
    readonly older: string | null
  } | null
  readonly mayReplay: boolean
}

const LISTED = 50
const ID = /^[A-Za-z0-9_-]{22}$/

export async function load(
  context: ConsoleContext,
): Promise<{ readonly title: string; readonly data: WebhooksData }> {
  const { ctx, t, query } = context
  const endpoint = query.get('endpoint') ?? ''
  const endpoints = await listEndpoints(ctx.db)
  return {
    title: t('console.webhooks.nav'),
    data: {
      endpoints: endpoints.map((each) => ({
        id: each.endpoint,
        account: each.email,
        host: new URL(each.url).host,
        isOn: each.status === 'on',
        waiting: each.waiting,
        givenUp: each.givenUp,
        delivered: each.delivered,
        tried: each.lastAttemptAt && momentOf(context, each.lastAttemptAt),
      })),
      open: ID.test(endpoint) ? await openOf(context, endpoint) : null,
      mayReplay: mayDo(ctx.operator, 'reseller.manage'),
    },
  }
}

const momentOf = ({ language, timeZone }: ConsoleContext, at: Date): string =>
  formatShortMoment(language.code, at, timeZone)

async function openOf(context: ConsoleContext, id: string): Promise<WebhooksData['open']> {
  const before = context.query.get('before') ?? ''
  const found = await listDeliveries(
    context.ctx.db,
    id,
    LISTED + 1,
    ID.test(before) ? before : undefined,
  )
  const shown = found.slice(0, LISTED)
  const last = found.length > LISTED ? shown.at(-1) : undefined
  return {
    id,
    deliveries: shown.map((each) => ({
      id: each.delivery,
      order: each.orderNumber,
      number: groupedNumber(each.orderNumber),
      state: each.state,
      attempts: each.attempts,
      answer: each.answer ?? '',
      made: momentOf(context, each.createdAt),
    })),
    older: last ? `/webhooks?endpoint=${id}&before=${last.delivery}` : null,
  }
}
