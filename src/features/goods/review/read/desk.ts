import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'
import type { LanguageCode } from '#kernel/language.ts'
import type { ReviewView } from '../rules.ts'

/** A review of a buyer's as operators see it. */
export interface DeskReview {
  readonly id: string
  readonly brand: string
  readonly language: LanguageCode
  readonly country: string | null
  readonly rating: number
  readonly text: string
  readonly nickname: string
  readonly publishedAt: Date
  readonly status: 'active' | 'suspended'
  readonly answer: string | null
  readonly isLookedAt: boolean
  readonly order: string | null
}

/** How many reviews there are, and how many nobody has looked at, counted to one more than `most` and no further. */
export async function countReviewViews(
  db: Db,
  most: number,
): Promise<Readonly<Record<Exclude<ReviewView, 'hidden'>, number>>> {
  const { rows } = await sql<{ new: number; all: number }>`
    select (select count(*)::integer from (select from review where source = 'shopper' and looked_at is null limit ${most + 1}) as fresh) as new,
      (select count(*)::integer from (select from review where source = 'shopper' limit ${most + 1}) as told) as all`.execute(
    db,
  )
  return rows[0] ?? { new: 0, all: 0 }
}

/** What buyers said, newest first; those nobody has looked at, those that are hidden, or all. */
export async function listDeskReviews(
  db: Db,
  {
    view,
    after,
    limit,
  }: { readonly view: ReviewView; readonly after: string | null; readonly limit: number },
): Promise<DeskReview[]> {
  const which =
    view === 'new'
      ? sql`and r.looked_at is null`
      : view === 'hidden'
        ? sql`and r.status = 'suspended'`
        : sql``
  const beyond =
    after === null
      ? sql``
      : sql`and (r.published_at, r.id) < (select published_at, id from review where id = ${after})`
  const { rows } = await sql<DeskReview>`
    select r.id::text as id, r.brand, r.language, r.country, r.rating, r.text, r.nickname, r.published_at as "publishedAt", r.status, r.answer,
      r.looked_at is not null as "isLookedAt", o.number as order
    from review r left join shop_order o on o.id = r.order_id where r.source = 'shopper' ${which} ${beyond}
    order by r.published_at desc, r.id desc limit ${limit}`.execute(db)
  return rows
}
