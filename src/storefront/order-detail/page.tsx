import { useEffect } from 'react'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { DetailLayout } from '#ui/detail.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { Timeline } from '#ui/timeline.tsx'
import { CallForm } from '../forms/call-form.tsx'
import { Refusal } from '../forms/code-sent.tsx'
import { Crumbs } from '../goods/breadcrumbs.tsx'
import { usePageState } from '../forms/page-state.tsx'
import { useT } from '../i18n.tsx'
import { refreshPage } from '../state/refresh.ts'
import { forms } from './forms.ts'
import { Goods } from './goods.tsx'
import type { OrderDetailData } from './load.ts'
import { Problem } from './problem.tsx'
import { ReviewForm } from './review-form.tsx'
import { Side } from './side.tsx'
import css from './order-detail.module.css'

export function Page({ data }: { readonly data: OrderDetailData }) {
  const t = useT()
  useRefresh(data.refresh)
  return (
    <div className={`wrap ${css.page}`}>
      <Crumbs items={[{ text: t('order.orders'), path: '/user/order' }, { text: data.title }]} />
      <div className={css.head}>
        <div>
          <h1>{data.problem ? t('order.problem') : data.head.heading}</h1>
          <p className="muted">{data.head.placed}</p>
        </div>
        <Badge
          large
          tone={data.head.tone ?? undefined}
          icon={data.head.tone === 'ok' ? 'check' : undefined}
        >
          {data.head.status}
        </Badge>
      </div>
      <DetailLayout
        aside={<Side data={data} />}
        rest={data.problem ? undefined : <Reviews data={data} />}
      >
        {data.problem ? (
          <Problem order={data.order} problem={data.problem} />
        ) : (
          <Standing data={data} />
        )}
      </DetailLayout>
    </div>
  )
}

function Standing({ data }: { readonly data: OrderDetailData }) {
  const t = useT()
  return (
    <>
      {data.news ? <News order={data.order} news={data.news} /> : null}
      <Panel>
        <Timeline label={t('order.history')} badLabel={t('order.stepFailed')} steps={data.steps} />
      </Panel>
      {data.refresh === null ? null : <p className="small muted">{t('order.waitingNote')}</p>}
      <Goods lines={data.lines} keys={data.keys} />
    </>
  )
}

function News({
  order,
  news,
}: {
  readonly order: string
  readonly news: NonNullable<OrderDetailData['news']>
}) {
  const t = useT()
  const withdraw = news.canWithdraw ? (
    <CallForm name="withdraw" form={forms.withdraw}>
      {(view) => (
        <>
          <Refusal view={view} />
          <input type="hidden" name="order" value={order} />
          <Button type="submit" size="small" busy={view.busy}>
            {t('order.withdraw')}
          </Button>
        </>
      )}
    </CallForm>
  ) : undefined
  return (
    <Note tone={news.tone} lead={news.text} action={withdraw}>
      {news.note === '' ? null : <bdi>{news.note}</bdi>}
    </Note>
  )
}

function Reviews({ data }: { readonly data: OrderDetailData }) {
  const t = useT()
  const { outcome } = usePageState()
  const isThanked = outcome?.form === 'review' && outcome.isDone
  return (
    <>
      {isThanked ? (
        <Note tone="ok" role="status">
          {t('order.reviewThanks')}
        </Note>
      ) : null}
      <ReviewForm
        key={data.reviews.map(({ code }) => code).join()}
        order={data.order}
        products={data.reviews}
        isOneOfSeveral={data.lines.length > 1}
      />
    </>
  )
}

/** Looks again while something is to come, as long as somebody sees the page. */
function useRefresh(seconds: number | null): void {
  useEffect(() => {
    if (seconds === null) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') refreshPage()
    }, seconds * 1_000)
    return () => clearInterval(timer)
  }, [seconds])
}
