import { useEffect } from 'react'
import { Badge } from '#ui/badge.tsx'
import { Button, ButtonLink } from '#ui/button.tsx'
import { joined } from '#ui/class-names.ts'
import { DetailLayout } from '#ui/detail.tsx'
import { Icon } from '#ui/icon.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { Timeline } from '#ui/timeline.tsx'
import { CallForm } from '../forms/call-form.tsx'
import { Refusal } from '../forms/code-sent.tsx'
import { Crumbs } from '../goods/breadcrumbs.tsx'
import { usePageState } from '../forms/page-state.tsx'
import { useHref, useT } from '../i18n.tsx'
import { refreshPage } from '../state/refresh.ts'
import { Correct } from './correct.tsx'
import { DeliveryScale } from './delivery-scale.tsx'
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
      <Head data={data} />
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

/** The result first: what has become of it, of the money, and what comes next. */
function Head({ data: { head, standing, problem, pay } }: { readonly data: OrderDetailData }) {
  const t = useT()
  const href = useHref()
  const { sign, money, next } = standing
  const hasLead = !problem && (money !== null || next !== null)
  return (
    <header className={css.head}>
      {/* Who reports a problem is not told once more that all went well. */}
      <span
        className={joined(css.sign, !problem && sign.tone !== null && css[sign.tone])}
        aria-hidden="true"
      >
        <Icon name={problem ? 'chat' : sign.icon} />
      </span>
      <div className={css.words}>
        <h1>{problem ? t('order.problem') : head.heading}</h1>
        {hasLead ? (
          <p>
            {money === null ? null : <b>{money} </b>}
            {next}
          </p>
        ) : null}
        <p className="small muted">{head.placed}</p>
      </div>
      <Badge large tone={head.tone ?? undefined} icon={head.tone === 'ok' ? 'check' : undefined}>
        {head.status}
      </Badge>
      {pay === null ? null : (
        <ButtonLink look="pay" size="large" block className={css.pay} href={href(pay.path)}>
          {pay.text}
        </ButtonLink>
      )}
    </header>
  )
}

function Standing({ data }: { readonly data: OrderDetailData }) {
  const t = useT()
  const timeline = (
    <Panel minor title={t('order.history')}>
      <Timeline label={t('order.history')} badLabel={t('order.stepFailed')} steps={data.steps} />
    </Panel>
  )
  // Codes are what somebody comes for; how they came is below them.
  const hasCodes = data.keys !== null && data.keys.keys.length > 0
  return (
    <>
      {data.news ? <News order={data.order} news={data.news} /> : null}
      {data.corrections.map((correction) => (
        <Correct key={correction.unit} order={data.order} correction={correction} />
      ))}
      {data.standing.scale === null ? null : <DeliveryScale scale={data.standing.scale} />}
      {hasCodes ? null : timeline}
      {data.refresh === null ? null : <p className="small muted">{t('order.waitingNote')}</p>}
      <Goods lines={data.lines} keys={data.keys} />
      {hasCodes ? timeline : null}
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
