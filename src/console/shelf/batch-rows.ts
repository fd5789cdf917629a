import type { Batch } from '#features/buying/shelf/queries.ts'
import { formatCount, formatShortMoment } from '#platform/i18n/format.ts'
import { supplierName } from '../kit/supplier-name.ts'
import { actorName } from '../kit/actor-name.ts'
import { moneyTexts } from '../kit/money.ts'
import type { ConsoleContext } from '../page.ts'

export interface BatchRow {
  readonly id: string
  readonly item: string
  readonly file: string
  readonly supplier: string | null
  readonly cost: string | null
  readonly at: string
  readonly by: string
  readonly free: string
  readonly reserved: string
  readonly sold: string
  readonly quarantined: string
  readonly void: string
  readonly reported: number
  readonly isWithdrawn: boolean
}

export async function batchRows(
  context: ConsoleContext,
  batches: readonly Batch[],
): Promise<BatchRow[]> {
  const money = await moneyTexts(context)
  const { language, timeZone } = context
  const count = (value: number) => formatCount(language.code, value)
  return batches.map((batch) => ({
    id: batch.id,
    item: batch.itemCode,
    file: batch.fileName,
    supplier: batch.supplier && supplierName(batch.supplier),
    cost: batch.cost && money(batch.cost.minor, batch.cost.currency),
    at: formatShortMoment(language.code, batch.createdAt, timeZone),
    by: actorName(batch.createdBy),
    free: count(batch.free),
    reserved: count(batch.reserved),
    sold: count(batch.sold),
    quarantined: count(batch.quarantined),
    void: count(batch.void),
    reported: batch.reported,
    isWithdrawn: batch.withdrawnAt !== null,
  }))
}
