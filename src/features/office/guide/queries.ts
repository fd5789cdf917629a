import { sql } from 'kysely'
import type { Money } from '#kernel/money.ts'
import type { Db } from '#platform/db.ts'
import { redactText } from '#platform/redaction.ts'
import { GUIDE_STEPS, type GuideChoices } from './rules.ts'

export async function readGuideChoices(db: Db): Promise<GuideChoices> {
  const rows = await db.selectFrom('guide_step').select(['step', 'choice']).execute()
  const choiceOf = (step: string) => rows.find((row) => row.step === step)?.choice
  const whole = choiceOf('guide')
  return {
    skipped: GUIDE_STEPS.filter((step) => choiceOf(step) === 'skipped'),
    hasLooked: choiceOf('look') === 'done',
    whole: whole === 'left' || whole === 'dismissed' ? whole : null,
  }
}

/** Whether whoever may set up the shop is led to the guide: nobody has left it yet, and nothing was ever for sale. */
export async function opensOnGuide(db: Db): Promise<boolean> {
  const { rows } = await sql<{ opens: boolean }>`
    select not exists (select from guide_step where step = 'guide') and not exists (select from item)
      as opens`.execute(db)
  return rows[0]?.opens ?? false
}

export interface PlaceCounts {
  readonly currencies: number
  readonly countries: number
  readonly regions: number
}

/** What goods stand on. A currency counts with a rate alone: nothing is priced in another. */
export async function countPlaces(db: Db): Promise<PlaceCounts> {
  const { rows } = await sql<PlaceCounts>`
    select (select count(*) from currency c where exists (select from currency_rate r where r.currency = c.code))::integer as currencies,
      (select count(*) from country)::integer as countries, (select count(*) from region)::integer as regions`.execute(
    db,
  )
  return rows[0] ?? { currencies: 0, countries: 0, regions: 0 }
}

export const hasPlaces = ({ currencies, countries, regions }: PlaceCounts) =>
  currencies > 0 && countries > 0 && regions > 0

export async function hasHadKeys(db: Db): Promise<boolean> {
  const { rows } = await sql<{ had: boolean }>`
    select exists (select from key_batch) as had`.execute(db)
  return rows[0]?.had ?? false
}

export interface GoodsCounts {
  readonly onSale: number
  readonly drafts: number
}

/** Products, by whether they are for sale. */
export async function countGoods(db: Db): Promise<GoodsCounts> {
  const { rows } = await sql<GoodsCounts>`
    select count(*) filter (where p.status = 'active' and b.status = 'active')::integer as "onSale",
      count(*) filter (where p.status <> 'active' or b.status <> 'active')::integer as drafts
    from product p join brand b on b.code = p.brand`.execute(db)
  return rows[0] ?? { onSale: 0, drafts: 0 }
}

export interface GuideItem {
  readonly code: string
  readonly product: string
  readonly price: Money
  readonly free: number
}

/** Items for sale that need card keys: those without any first, then by what they are called. */
export async function listKeyItems(db: Db, limit: number): Promise<readonly GuideItem[]> {
  const { rows } = await sql<ItemRow>`
    select i.code, i.product, i.price_minor, i.price_currency, coalesce(l.free, 0)::integer as free
    from item i join product p on p.code = i.product join brand b on b.code = p.brand
    left join stock_level l on l.item = i.id
    where i.status = 'active' and p.status = 'active' and b.status = 'active' and b.delivery = 'card_key'
    order by coalesce(l.free, 0) > 0, b.code, p.position, p.code, i.position, i.code limit ${limit}`.execute(
    db,
  )
  return rows.map(itemOf)
}

interface ItemRow {
  readonly code: string
  readonly product: string
  readonly price_minor: string
  readonly price_currency: string
  readonly free: number
}

const itemOf = ({ code, product, price_minor, price_currency, free }: ItemRow): GuideItem => ({
  code,
  product,
  price: { minor: BigInt(price_minor), currency: price_currency as Money['currency'] },
  free,
})

/** The cheapest item that would be delivered at once: what a payment is tried with. */
export async function findTestItem(db: Db): Promise<GuideItem | null> {
  const { rows } = await sql<ItemRow>`
    select i.code, i.product, i.price_minor, i.price_currency, l.free::integer as free
    from stock_level l join item i on i.id = l.item join product p on p.code = i.product join brand b on b.code = p.brand
    left join currency_rate r on r.currency = i.price_currency
    where l.free > 0 and i.status = 'active' and p.status = 'active' and b.status = 'active'
    order by i.price_minor / coalesce(nullif(r.per_usd, 0), 1), i.code limit 1`.execute(db)
  const row = rows[0]
  return row ? itemOf(row) : null
}

export interface GuidePayment {
  readonly orderNo: string
  readonly provider: string
  readonly paid: Money
  readonly at: Date
  readonly refundedMinor: bigint
}

/** The newest payments that have arrived, and what of each went back. */
export async function listGuidePayments(db: Db, limit: number): Promise<readonly GuidePayment[]> {
  const { rows } = await sql<{
    number: string
    provider: string
    captured_minor: string
    currency: string
    created_at: Date
    refunded_minor: string
  }>`
    select o.number, a.provider, a.captured_minor, a.captured_currency as currency, a.created_at, a.refunded_minor
    from payment_attempt a join shop_order o on o.id = a.order_id
    where a.captured_minor > 0 order by a.id desc limit ${limit}`.execute(db)
  return rows.map((row) => ({
    orderNo: row.number,
    provider: row.provider,
    paid: { minor: BigInt(row.captured_minor), currency: row.currency as Money['currency'] },
    at: row.created_at,
    refundedMinor: BigInt(row.refunded_minor),
  }))
}

export interface TestLetter {
  readonly askedAt: Date
  readonly sentAt: Date | null
  /** It was tried, and the mail server did not take it. */
  readonly isFailing: boolean
  readonly failure: string | null
}

/** The newest test letter, and how its sending stands. */
export async function findTestLetter(db: Db): Promise<TestLetter | null> {
  const { rows } = await sql<{
    created_at: Date
    sent_at: Date | null
    attempts: number | null
    last_error: string | null
  }>`
    select m.created_at, m.sent_at, j.attempts, j.last_error from outgoing_mail m
    left join graphile_worker.jobs j on j.key = coalesce(m.job_key, 'mail:' || m.id)
    where m.kind = 'test_letter' order by m.created_at desc, m.id desc limit 1`.execute(db)
  const row = rows[0]
  if (!row) return null
  return {
    askedAt: row.created_at,
    sentAt: row.sent_at,
    isFailing: row.sent_at === null && (row.attempts ?? 0) > 0 && row.last_error !== null,
    failure: row.last_error === null ? null : redactText(row.last_error),
  }
}
