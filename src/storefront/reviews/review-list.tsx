import { RatingSummary, ReviewItem } from '#ui/rating.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { useHref, useT } from '../i18n.tsx'
import type { RatingData, ReviewData } from './ratings.ts'

/** The three grades, each with its number of reviews, as links to their lists. `path` is of the page of all reviews. */
export function GradeLinks({
  rating,
  path,
  current,
  withAll,
}: {
  readonly rating: RatingData
  readonly path: string
  readonly current?: string | null
  /** Whether the first link leads to all grades. */
  readonly withAll?: boolean
}) {
  const t = useT()
  const href = useHref()
  const all = { href: href(path), text: t('reviews.all'), current: current === null }
  const grades = rating.grades.map(({ grade, label, count }) => ({
    href: href(`${path}?grade=${grade}`),
    text: label,
    count,
    current: current === grade,
  }))
  return <Segmented label={t('reviews.grades')} items={withAll ? [all, ...grades] : grades} />
}

export function Ratings({ rating }: { readonly rating: RatingData }) {
  return (
    <RatingSummary
      average={rating.average}
      text={rating.text}
      starsLabel={rating.starsLabel}
      count={rating.count}
      bars={rating.grades.map(({ label, percent, percentText }) => ({
        label,
        percent,
        text: percentText,
      }))}
    />
  )
}

export function ReviewList({ reviews }: { readonly reviews: readonly ReviewData[] }) {
  const t = useT()
  const href = useHref()
  return reviews.map((review) => (
    <ReviewItem
      key={review.id}
      author={review.author}
      badge={review.country}
      verified={review.isVerified ? t('reviews.verified') : undefined}
      rating={review.rating}
      ratingLabel={review.ratingLabel}
      date={review.date}
      answer={
        review.answer === undefined ? undefined : (
          <>
            <b>{t('reviews.answer')}</b>
            <p>
              <bdi>{review.answer}</bdi>
            </p>
          </>
        )
      }
      about={
        review.goods && (
          <div className="small">
            <a className="link" href={href(review.goods.path)}>
              <bdi>{review.goods.name}</bdi>
            </a>
          </div>
        )
      }
    >
      {review.text === '' ? null : <span lang={review.lang}>{review.text}</span>}
    </ReviewItem>
  ))
}
