import { listDeliveries, listEndpoints } from '#features/buying/webhook/queries.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { pageOf } from '#kernel/page.ts'
import { PUBLIC_ID } from '#kernel/public-id.ts'
import { formatShortMoment } from '#platform/i18n/format.ts'
import type { ConsoleContext, Loaded } from '../page.ts'

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

export async function load(context: ConsoleContext): Promise<Loaded<WebhooksData>> {
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
      open: PUBLIC_ID.test(endpoint) ? await openOf(context, endpoint) : null,
      mayReplay: mayDo(ctx.operator, 'reseller.manage'),
    },
  }
}

const momentOf = ({ language, timeZone }: ConsoleContext, at: Date): string =>
  formatShortMoment(language.code, at, timeZone)

async function openOf(context: ConsoleContext, id: string): Promise<WebhooksData['open']> {
  const before = context.query.get('before') ?? ''
  const from = PUBLIC_ID.test(before) ? before : undefined
  const found = await listDeliveries(context.ctx.db, id, LISTED + 1, from)
  const { shown, last } = pageOf(found, LISTED)
  return {
    id,
    deliveries: shown.map((each) => ({
      id: each.delivery,
      order: each.orderNumber,
      state: each.state,
      attempts: each.attempts,
      answer: each.answer ?? '',
      made: momentOf(context, each.createdAt),
    })),
    older: last ? `/webhooks?endpoint=${id}&before=${last.delivery}` : null,
  }
}
