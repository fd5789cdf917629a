import { useId, useState } from 'react'
import { Icon } from '#ui/icon.tsx'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { groupedNumber } from '../kit/grouped-number.ts'
import { State } from '../kit/state.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { ReviewsData } from './load.ts'

type Review = ReviewsData['reviews'][number]

/** What buyers said: shown or hidden, and answered below; what they wrote is never changed. */
export function Page({ data }: { readonly data: ReviewsData }) {
  const t = useT()
  return (
    <>
      <div className="pg">
        <div>
          <a className="back" href={`${CONSOLE_PATH}/cases`}>
            <Icon name="left" />
            {t('console.cases.nav')}
          </a>
          <h1>{t('console.reviews.nav')}</h1>
          <p>{t('console.reviews.lead')}</p>
        </div>
      </div>
      <nav className="views" aria-label={t('console.orders.views')}>
        {data.views.map((view) => (
          <a
            key={view}
            href={`${CONSOLE_PATH}/reviews?view=${view}`}
            aria-current={view === data.view ? 'page' : undefined}
          >
            {t(`console.reviews.view.${view}`)}
            {data.counts[view] !== undefined && <span className="n">{data.counts[view]}</span>}
          </a>
        ))}
      </nav>
      {data.reviews.length === 0 ? (
        <section className="panel empty">
          <h2>{t('console.reviews.none')}</h2>
          <p>{t('console.reviews.noneText')}</p>
        </section>
      ) : (
        data.reviews.map((review) => (
          <OneReview
            key={`${review.id} ${review.status} ${review.answer}`}
            review={review}
            mayDecide={data.mayDecide}
          />
        ))
      )}
      {data.next !== null && (
        <nav aria-label={t('console.pages')}>
          <a className="btn edge sm" href={CONSOLE_PATH + data.next}>
            {t('console.older')}
            <Icon name="right" />
          </a>
        </nav>
      )}
    </>
  )
}

function OneReview({
  review,
  mayDecide,
}: {
  readonly review: Review
  readonly mayDecide: boolean
}) {
  const t = useT()
  const isShown = review.status === 'active'
  return (
    <section className="panel stack-2">
      <div className="row between wrapx">
        <h2>
          <bdi>{review.author}</bdi>{' '}
          <small>{t('console.reviews.stars', { rating: review.rating })}</small>
        </h2>
        <State
          look={isShown ? (review.isNew ? 'badge warn' : 'done') : 'gone'}
          text={t(
            isShown
              ? review.isNew
                ? 'console.reviews.new'
                : 'console.reviews.shown'
              : 'console.reviews.hidden',
          )}
        />
      </div>
      <p className="small muted">
        <bdi>{review.brand}</bdi>, {review.date}
        {review.order !== null && (
          <>
            ,{' '}
            <a className="link" href={`${CONSOLE_PATH}/orders/${review.order}`}>
              <bdi className="oid">{groupedNumber(review.order)}</bdi>
            </a>
          </>
        )}
      </p>
      {review.text === '' ? (
        <p className="muted">{t('console.reviews.noText')}</p>
      ) : (
        <blockquote className="note">
          <bdi className="as-typed" lang={review.lang}>
            {review.text}
          </bdi>
        </blockquote>
      )}
      {mayDecide && <Judging review={review} />}
    </section>
  )
}

/** What nobody has looked at yet is open; what was decided opens by a press. */
function Judging({ review }: { readonly review: Review }) {
  const t = useT()
  if (review.status !== 'active' || review.isNew) return <Judge review={review} />
  return (
    <details className="stack-2">
      <summary>{t('console.reviews.answer')}</summary>
      <Judge review={review} />
    </details>
  )
}

function Judge({ review }: { readonly review: Review }) {
  const t = useT()
  const field = useId()
  const attempt = useAttempt()
  const [answer, setAnswer] = useState(review.answer)
  const isShown = review.status === 'active'
  async function judge(to: Review['status']) {
    const body = {
      id: review.id,
      from: review.status,
      to,
      answer: answer.trim() === '' ? null : answer,
    }
    if (await attempt.run(() => callConsole('reviews/judge', body))) refreshPage()
  }
  const fault = attempt.fields['answer']
  return (
    <form
      className="stack-2"
      onSubmit={(event) => {
        event.preventDefault()
        void judge('active')
      }}
    >
      <div className={fault === undefined ? 'field' : 'field err'}>
        <label htmlFor={field}>{t('console.reviews.answer')}</label>
        <textarea
          className="input"
          id={field}
          rows={2}
          maxLength={1_000}
          dir="auto"
          value={answer}
          onChange={(event) => setAnswer(event.target.value)}
          aria-invalid={fault !== undefined}
        />
        <p className="hint">{t('console.reviews.answerHint')}</p>
        {fault !== undefined && (
          <p className="msg" role="alert">
            {fault}
          </p>
        )}
      </div>
      <Fault text={attempt.fault} />
      <div className="row wrapx">
        <button type="submit" className="btn solid sm" disabled={attempt.isBusy}>
          {t(isShown ? 'console.reviews.keep' : 'console.reviews.publish')}
        </button>
        {isShown && (
          <button
            type="button"
            className="btn edge sm"
            disabled={attempt.isBusy}
            onClick={() => void judge('suspended')}
          >
            {t('console.reviews.hide')}
          </button>
        )}
      </div>
    </form>
  )
}
