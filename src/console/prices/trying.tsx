import type { PriceChange } from '#features/office/pricing/schema.ts'
import { Fault } from '../kit/fault.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import { TrialEffect } from './trial-effect.tsx'
import { useTrying, type Trying as State } from './use-trying.ts'

/** Digits behind the point of each currency, by its code. */
export type Places = Readonly<Record<string, number>>

const OUTCOMES = {
  made: 'console.prices.outcome.made',
  waits: 'console.prices.outcome.waits',
  taken_back: 'console.prices.outcome.taken_back',
  held: 'console.prices.outcome.held',
  not_chosen: 'console.prices.outcome.not_chosen',
} as const

/** Tries a change, shows what it would do, and makes it. The fields that say what is changed stand above. */
export function Trying({
  change,
  places,
  trying,
}: {
  readonly change: PriceChange | null
  readonly places: Places
  readonly trying: State
}) {
  const t = useT()
  const { attempt, tried, outcome, mayUndo } = trying
  return (
    <div className="stack-2">
      <Fault text={attempt.fault} />
      {tried && <TrialEffect tried={tried} places={places} />}
      <div className="row wrapx">
        <button
          type="button"
          className="btn edge"
          disabled={attempt.isBusy || change === null}
          onClick={() => void trying.tryIt()}
        >
          {t('console.prices.try')}
        </button>
        {tried && (
          <button
            type="button"
            className="btn solid"
            disabled={attempt.isBusy}
            onClick={() => void trying.make()}
          >
            {t(tried.needs_second_person ? 'console.askApproval' : 'console.orders.apply')}
          </button>
        )}
      </div>
      <div role="status" className={outcome === null ? 'sr' : 'note ok'}>
        {outcome !== null && t(OUTCOMES[outcome])}{' '}
        {outcome === 'waits' && (
          <a className="link" href={`${CONSOLE_PATH}/approvals`}>
            {t('console.approvals.nav')}
          </a>
        )}
        {outcome !== null && mayUndo && (
          <button
            type="button"
            className="btn edge sm"
            disabled={attempt.isBusy}
            onClick={() => void trying.takeBack()}
          >
            {t('console.approvals.takeBack')}
          </button>
        )}
      </div>
    </div>
  )
}

export { useTrying }
