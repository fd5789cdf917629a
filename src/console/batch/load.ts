import { getBatch } from '#features/buying/shelf/queries.ts'
import { listKeys } from '#features/buying/vault/queries.ts'
import { KEY_STATUSES, type KeyStatus } from '#features/buying/vault/rules.ts'
import { readShopCurrency } from '#features/base/shop/queries.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { listKeyExports, type KeyExport } from '#features/office/key-export/queries.ts'
import { hasAnotherApprover } from '#features/team/approval/queries.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { pageOf } from '#kernel/page.ts'
import { isUuid } from '#kernel/uuid.ts'
import { formatShortMoment } from '#platform/i18n/format.ts'
import { actorName } from '../kit/actor-name.ts'
import type { StateLook } from '../kit/state.tsx'
import type { ConsoleContext, Loaded } from '../page.ts'
import { batchRows, type BatchRow } from '../shelf/batch-rows.ts'

export interface KeyRow {
  readonly id: string
  readonly endsIn: string
  readonly expires: string | null
  readonly order: string | null
  readonly delivered: string | null
  readonly seen: string | null
  readonly isReported: boolean
}

/** A file of keys that was asked for. */
export interface KeyFile {
  readonly id: string
  readonly look: StateLook
  readonly state: string
  readonly keys: number
  readonly reason: string
  readonly by: string
  readonly at: string
  /** Until when whoever reads this can take it; null where they cannot. */
  readonly until: string | null
}

export interface BatchTerms {
  readonly supplier: string | null
  readonly cost: { readonly minor: string; readonly currency: string } | null
}

export interface BatchData {
  readonly row: BatchRow
  readonly terms: BatchTerms
  /** The same as a person types it, '18.85'. */
  readonly costText: string
  readonly currencies: readonly { readonly code: string; readonly minorUnits: number }[]
  readonly counts: {
    readonly free: number
    readonly reserved: number
    readonly quarantined: number
  }
  readonly status: KeyStatus
  readonly keys: readonly KeyRow[]
  readonly mayImport: boolean
  readonly maySee: boolean
  readonly mayExport: boolean
  /** Whether there is somebody who could approve a file of keys. */
  readonly hasApprover: boolean
  readonly exports: readonly KeyFile[]
  readonly next: string | null
}

const LISTED = 50

export async function load(context: ConsoleContext): Promise<Loaded<BatchData>> {
  const { ctx, params, query, language, timeZone } = context
  const itemCode = decodeURIComponent(params['item'] ?? '')
  const batch = await getBatch(ctx.db, itemCode, params['batch'] ?? '')
  const named = query.get('status')
  const status = KEY_STATUSES.find((one) => one === named) ?? 'free'
  const after = query.get('after')
  const found = await listKeys(ctx.db, {
    batch: batch.id,
    status,
    after: after !== null && isUuid(after) ? after : null,
    limit: LISTED + 1,
  })
  const { shown, last } = pageOf(found, LISTED)
  const moment = (at: Date | null) => at && formatShortMoment(language.code, at, timeZone)
  const currencies = await listCurrencies(ctx.db)
  const shop = await readShopCurrency(ctx.db)
  const places = currencies.find(({ code }) => code === batch.cost?.currency)?.minorUnits ?? 2
  const [row] = await batchRows(context, [batch])
  return {
    title: batch.fileName,
    data: {
      row: row as BatchRow,
      terms: {
        supplier: batch.supplier,
        cost: batch.cost && {
          minor: batch.cost.minor.toString(),
          currency: batch.cost.currency,
        },
      },
      costText: batch.cost ? decimalOf(batch.cost.minor, places) : '',
      currencies: currencies
        .map(({ code, minorUnits }) => ({ code, minorUnits }))
        // The shop's own is chosen first.
        .toSorted(
          (one, other) => Number(other.code === shop.code) - Number(one.code === shop.code),
        ),
      counts: {
        free: batch.free,
        reserved: batch.reserved,
        quarantined: batch.quarantined,
      },
      status,
      keys: shown.map((key) => ({
        id: key.id,
        endsIn: key.lastFour,
        expires: key.expiresOn,
        order: key.orderNumber,
        delivered: moment(key.deliveredAt),
        seen: moment(key.revealedAt),
        isReported: key.isReported,
      })),
      mayImport: mayDo(ctx.operator, 'key.import'),
      maySee: mayDo(ctx.operator, 'key.see'),
      mayExport: mayDo(ctx.operator, 'key.export'),
      hasApprover: await hasAnotherApprover(ctx.db, ctx.now(), [ctx.operator.name]),
      exports: await filesOf(context, batch.id),
      next: last ? `/keys/${itemCode}/${batch.id}?status=${status}&after=${last.id}` : null,
    },
  }
}

const EXPORT_LOOKS: Readonly<Record<KeyExport['state'], StateLook>> = {
  waiting: 'badge warn',
  making: 'way',
  ready: 'done',
  taken: 'gone',
  refused: 'gone',
  failed: 'fail',
  ended: 'gone',
}

async function filesOf(
  { ctx, t, language, timeZone }: ConsoleContext,
  batch: string,
): Promise<KeyFile[]> {
  const moment = (at: Date) => formatShortMoment(language.code, at, timeZone)
  return (await listKeyExports(ctx.db, batch)).map((one) => ({
    id: one.id,
    look: EXPORT_LOOKS[one.state],
    state: t(`console.keys.file.${one.state}`),
    keys: one.keys === 0 ? one.asked : one.keys,
    reason: one.reason,
    by: actorName(one.askedBy),
    at: moment(one.askedAt),
    until: one.takenUntil && one.askedBy === ctx.actor ? moment(one.takenUntil) : null,
  }))
}

function decimalOf(minor: bigint, places: number): string {
  const digits = minor.toString().padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
}
