import type { ReactNode } from 'react'
import { Badge } from './badge.tsx'
import { Icon } from './icon.tsx'
import css from './rating.module.css'

const FIVE = [1, 2, 3, 4, 5] as const

/** Five stars, filled up to the rounded average (0 to 5); `label` says it in words ("4.9 of 5"). */
export function Stars({ average, label }: { average: number; label: string }) {
  return (
    <span className={css.stars} role="img" aria-label={label}>
      {FIVE.map((star) => (
        <Icon
          key={star}
          name="star"
          className={star <= Math.round(average) ? css.full : undefined}
        />
      ))}
    </span>
  )
}

export interface RatingBar {
  label: string
  /** 0 to 100. */
  percent: number
  /** The same, ready to show ("94%"). */
  text: string
}

export function RatingBars({ bars }: { bars: readonly RatingBar[] }) {
  return (
    <ul className={css.bars}>
      {bars.map((bar) => (
        <li key={bar.label}>
          <span>{bar.label}</span>
          <svg className={css.meter} width="160" height="8" aria-hidden="true">
            <rect width={`${bar.percent}%`} height="100%" rx="4" />
          </svg>
          <span className="num small muted">{bar.text}</span>
        </li>
      ))}
    </ul>
  )
}

export interface RatingSummaryProps {
  average: number
  /** The average, ready to show ("4.9"), and in words for the stars. */
  text: string
  starsLabel: string
  /** How many rated ("12,740 ratings"). */
  count: string
  bars: readonly RatingBar[]
}

/** Large average with its stars, beside the share of each answer. */
export function RatingSummary({ average, text, starsLabel, count, bars }: RatingSummaryProps) {
  return (
    <div className={css.head}>
      <div className={css.score}>
        <b className="num">{text}</b>
        <span>
          <Stars average={average} label={starsLabel} />
          <span className="small muted num">{count}</span>
        </span>
      </div>
      <RatingBars bars={bars} />
    </div>
  )
}

export interface ReviewItemProps {
  author: string
  /** Small badge after the name, say a country. */
  badge?: string | undefined
  /** Says that who wrote it bought it here. */
  verified?: string | undefined
  rating: number
  ratingLabel: string
  date: string
  /** What was written, null for stars alone; in whatever script: it runs as its letters do, in a block that keeps the page's direction. */
  children: ReactNode
  /** What it is about, say a linked product name. */
  about?: ReactNode
  answer?: ReactNode
}

export function ReviewItem({
  author,
  badge,
  verified,
  rating,
  ratingLabel,
  date,
  children,
  about,
  answer,
}: ReviewItemProps) {
  return (
    <article className={css.review}>
      <div className="row between">
        <span className="row">
          <b className="small">
            <bdi>{author}</bdi>
          </b>
          {badge === undefined ? null : <Badge>{badge}</Badge>}
          {verified === undefined ? null : (
            <Badge tone="ok" icon="check">
              {verified}
            </Badge>
          )}
        </span>
        <Stars average={rating} label={ratingLabel} />
      </div>
      {about}
      {children === null ? null : (
        <p>
          <bdi>{children}</bdi>
        </p>
      )}
      {answer === undefined ? null : <div className={css.answer}>{answer}</div>}
      <p>{date}</p>
    </article>
  )
}
