import type { Db } from '#platform/db.ts'
import type { Review } from './rules.ts'

export { countReviewViews, listDeskReviews } from './read/desk.ts'

/** Published reviews, newest first. */
export async function listReviews(db: Db): Promise<Review[]> {
  const rows = await db
    .selectFrom('review')
    .selectAll()
    .where('status', '=', 'active')
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    brand: row.brand,
    language: row.language,
    country: row.country,
    rating: row.rating,
    text: row.text,
    nickname: row.nickname,
    helpful: row.helpful,
    publishedAt: row.published_at,
    isVerified: row.order_id !== null,
    answer: row.answer,
  }))
}

/** What a shopper said of goods, for the export of everything about them. */
export async function exportReview(db: Db, accountId: string): Promise<Record<string, unknown>[]> {
  const rows = await db
    .selectFrom('review')
    .select(['brand', 'rating', 'text', 'nickname', 'published_at', 'answer'])
    .where('account_id', '=', accountId)
    .orderBy('published_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    brand: row.brand,
    rating: row.rating,
    text: row.text,
    shown_as: row.nickname,
    answer: row.answer,
    published_at: row.published_at.toISOString(),
  }))
}
