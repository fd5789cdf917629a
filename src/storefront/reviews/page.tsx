import { ButtonLink } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Pagination } from '#ui/pagination.tsx'
import { Panel } from '#ui/panel.tsx'
import { SectionHeader } from '#ui/section.tsx'
import { Crumbs } from '../goods/breadcrumbs.tsx'
import { useHref, useT } from '../i18n.tsx'
import type { ReviewsData } from './load.ts'
import { GradeLinks, Ratings, ReviewList } from './review-list.tsx'
import css from './reviews.module.css'

export function Page({ data }: { readonly data: ReviewsData }) {
  const { rating, reviews } = data
  return (
    <div className="wrap">
      <Crumbs items={data.crumbs} />
      <SectionHeader level={1} title={<bdi>{data.title}</bdi>} />
      <div className="stack-l">
        <Panel>
          <div className="stack">
            {rating === null ? null : (
              <>
                <Ratings rating={rating} />
                <GradeLinks rating={rating} path={data.path} current={data.grade} withAll />
              </>
            )}
            {reviews.length === 0 ? (
              <NoReviews data={data} />
            ) : (
              <div className={css.list}>
                <ReviewList reviews={reviews} />
              </div>
            )}
          </div>
        </Panel>
        {data.pages.length === 0 ? null : <Pages data={data} />}
      </div>
    </div>
  )
}

function NoReviews({ data }: { readonly data: ReviewsData }) {
  const t = useT()
  const href = useHref()
  return (
    <Empty title={data.rating === null ? t('reviews.noneTitle') : t('reviews.noneHere')} level={2}>
      {data.rating === null ? null : (
        <ButtonLink href={href(data.path)}>{t('reviews.showAll')}</ButtonLink>
      )}
    </Empty>
  )
}

function Pages({ data }: { readonly data: ReviewsData }) {
  const t = useT()
  const href = useHref()
  const address = (page: number) => {
    const query = new URLSearchParams()
    if (data.grade !== null) query.set('grade', data.grade)
    if (page > 1) query.set('page', String(page))
    return href(query.size === 0 ? data.path : `${data.path}?${query}`)
  }
  const step = (page: number) => (page >= 1 && page <= data.pageCount ? address(page) : undefined)
  return (
    <Pagination
      label={t('reviews.pages')}
      pages={data.pages.map(
        (entry) =>
          entry && {
            text: entry.text,
            href: address(entry.page),
            label: t('reviews.page', { page: entry.text }),
            current: entry.page === data.page,
          },
      )}
      previous={{
        text: t('reviews.previous'),
        href: step(Math.min(data.page, data.pageCount + 1) - 1),
      }}
      next={{ text: t('reviews.next'), href: step(data.page + 1) }}
    />
  )
}
