import type { LanguageCode } from '#kernel/language.ts'
import type { Db } from '#platform/db.ts'
import type { Review } from './rules.ts'

/** Published reviews, newest first. */
export async function listReviews(db: Db): Promise<Review[]> {
  const rows = await db.selectFrom('review').selectAll().where('status', '=', 'active').orderBy('published_at', 'desc').orderBy('id', 'desc').execute()
  return rows.map((row) => ({
    id: row.id,
    brand: row.brand,
    language: row.language as LanguageCode,
    country: row.country,
    rating: row.rating,
    text: row.text,
    nickname: row.nickname,
    helpful: row.helpful,
    publishedAt: row.published_at,
  }))
}
