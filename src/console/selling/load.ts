import { namesOfGoods } from '#features/goods/editing/queries.ts'
import { listStops } from '#features/goods/sale-stop/queries.ts'
import { STOP_KINDS, type Stop, type StopKind } from '#features/goods/sale-stop/rules.ts'
import { mayDo, type Permission } from '#features/team/operator/rules.ts'
import { formatShortMoment } from '#platform/i18n/format.ts'
import { methodNames } from '../kit/method-name.ts'
import { supplierName } from '../kit/supplier-name.ts'
import { actorName } from '../kit/actor-name.ts'
import type { ConsoleContext, Loaded } from '../page.ts'

export interface SellingData {
  readonly stops: readonly {
    readonly kind: StopKind
    readonly code: string
    /** What that is called; its code where nothing calls it anything. */
    readonly name: string
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

export async function load(context: ConsoleContext): Promise<Loaded<SellingData>> {
  const { ctx, t, language, timeZone, query } = context
  const stops = await listStops(ctx.db)
  const nameOf = await stopNames(context, stops)
  const may = (kind: StopKind) => mayDo(ctx.operator, NEEDS[kind])
  return {
    title: t('console.selling.nav'),
    data: {
      stops: stops.map((stop) => ({
        kind: stop.kind,
        code: stop.code,
        name: nameOf(stop),
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

/** What is stopped, as people call it. */
async function stopNames(
  context: ConsoleContext,
  stops: readonly Stop[],
): Promise<(stop: Stop) => string> {
  const { ctx, language } = context
  const [methods, goods] = await Promise.all([
    methodNames(context),
    namesOfGoods(
      ctx.db,
      stops.flatMap(({ kind, code }) => {
        const subject = kind === 'shelf' ? 'item' : kind
        return subject === 'item' || subject === 'product' ? [{ subject, code }] : []
      }),
      language.code,
    ),
  ])
  return ({ kind, code }) => {
    switch (kind) {
      case 'supplier':
        return supplierName(code)
      case 'method':
        return methods(code)
      case 'shop':
        return code
      case 'product':
        return goods.get(`product ${code}`) ?? code
      case 'shelf':
        return goods.get(`item ${code}`) ?? code
    }
  }
}
