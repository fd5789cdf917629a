import { listStops } from '#features/goods/sale-stop/queries.ts'
import { STOP_KINDS, type StopKind } from '#features/goods/sale-stop/rules.ts'
import { mayDo, type Permission } from '#features/team/operator/rules.ts'
import { formatShortMoment } from '#platform/i18n/format.ts'
import { actorName } from '../kit/actor-name.ts'
import type { ConsoleContext, Loaded } from '../page.ts'

export interface SellingData {
  readonly stops: readonly {
    readonly kind: StopKind
    readonly code: string
    readonly reason: string
    readonly by: string
    readonly at: string
    readonly mayStart: boolean
  }[]
  /** What the operator may stop. */
  readonly kinds: readonly StopKind[]
  /** What was asked for in the address, by a page about the thing. */
  readonly asked: { readonly kind: string; readonly code: string }
}

const NEEDS: Readonly<Record<StopKind, Permission>> = {
  shop: 'shop.manage',
  product: 'product.change',
  shelf: 'product.change',
  supplier: 'system.manage',
  method: 'payment.settings',
}

export async function load({
  ctx,
  t,
  language,
  timeZone,
  query,
}: ConsoleContext): Promise<Loaded<SellingData>> {
  const may = (kind: StopKind) => mayDo(ctx.operator, NEEDS[kind])
  return {
    title: t('console.selling.nav'),
    data: {
      stops: (await listStops(ctx.db)).map((stop) => ({
        kind: stop.kind,
        code: stop.code,
        reason: stop.reason,
        by: actorName(stop.stoppedBy),
        at: formatShortMoment(language.code, stop.stoppedAt, timeZone),
        mayStart: may(stop.kind),
      })),
      kinds: STOP_KINDS.filter(may),
      asked: { kind: query.get('kind') ?? '', code: query.get('code') ?? '' },
    },
  }
}
