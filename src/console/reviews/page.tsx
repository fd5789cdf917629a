import { useState } from 'react'
import { Icon } from '#ui/icon.tsx'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { TextField } from '../kit/fields.tsx'
import { OrderLink } from '../kit/order-link.tsx'
import { State } from '../kit/state.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { Views } from '../kit/views.tsx'
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
      <Views
        views={data.views.map((name) => ({
          name,
          text: t(`console.reviews.view.${name}`),
          count: data.counts[name],
        }))}
        current={data.view}
        address={(view) => `/reviews?view=${view}`}
      />
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
            , <OrderLink number={review.order} />
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
  return (
    <form
      className="stack-2"
      onSubmit={(event) => {
        event.preventDefault()
        void judge('active')
      }}
    >
      <TextField
        label={t('console.reviews.answer')}
        hint={t('console.reviews.answerHint')}
        value={answer}
        max={1_000}
        write={setAnswer}
        fault={attempt.fields['answer']}
      />
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
