import { useId, useState } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { LineField } from '../kit/fields.tsx'
import { OrderLink } from '../kit/order-link.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { Places } from '../prices/trying.tsx'
import type { ApprovalsData } from './load.ts'
import { GoodsChangeEffect, PriceEffect } from './price-effect.tsx'

type Waiting = ApprovalsData['waiting'][number]

/** What one person must not do alone and another decides. */
export function Page({ data: { waiting, places } }: { readonly data: ApprovalsData }) {
  const t = useT()
  return (
    <>
      <div className="pg">
        <div>
          <h1>{t('console.approvals.nav')}</h1>
          <p>{t('console.approvals.lead')}</p>
        </div>
      </div>
      {waiting.length === 0 ? (
        <section className="panel empty">
          <h2>{t('console.approvals.none')}</h2>
          <p>{t('console.approvals.noneText')}</p>
        </section>
      ) : (
        waiting.map((act) => <Request key={act.id} act={act} places={places} />)
      )}
    </>
  )
}

function Request({ act, places }: { readonly act: Waiting; readonly places: Places }) {
  const t = useT()
  const heading = useId()
  return (
    <section className="panel stack-2" aria-labelledby={heading}>
      <h2 id={heading}>
        {act.what} <span className="moved">{act.amount}</span>
      </h2>
      <p>
        {t('console.approvals.asked', { name: act.askedBy, at: act.askedAt })}{' '}
        {act.endsAt !== null && t('console.approvals.ends', { at: act.endsAt })}
      </p>
      {act.detail !== null && <p className="small mono as-typed">{act.detail}</p>}
      {act.warnings.map((warning) => (
        <p key={warning}>
          <b>{warning}</b>
        </p>
      ))}
      {act.isAboutPrices && <PriceEffect id={act.id} places={places} />}
      {act.isAboutGoods && <GoodsChangeEffect id={act.id} />}
      {act.order && (
        <p>
          <OrderLink number={act.order} />
        </p>
      )}
      {act.mayDo === null ? (
        <p className="hint">{t('console.approvals.notYours')}</p>
      ) : (
        <Decision act={act} />
      )}
    </section>
  )
}

/** Approving does it at once and once; declining, or taking one's own back, asks for the reason that the audit keeps. */
function Decision({ act }: { readonly act: Waiting }) {
  const t = useT()
  const attempt = useAttempt()
  const [reason, setReason] = useState('')
  async function decide(path: string, body: Readonly<Record<string, unknown>>) {
    if (await attempt.run(() => callConsole(path, { id: act.id, ...body }))) refreshPage()
  }
  return (
    <form
      className="stack-2"
      onSubmit={(event) => {
        event.preventDefault()
        void decide('approvals/refuse', { reason })
      }}
    >
      <LineField
        label={t('console.reason')}
        value={reason}
        max={500}
        write={setReason}
        fault={attempt.fields['reason']}
      />
      <Fault text={attempt.fault} />
      <div className="row wrapx">
        {act.mayDo === 'decide' && (
          <button
            type="button"
            className="btn pay"
            disabled={attempt.isBusy}
            onClick={() => void decide('approvals/approve', {})}
          >
            {t('console.approvals.approve', { amount: act.amount })}
          </button>
        )}
        <button type="submit" className="btn edge" disabled={attempt.isBusy}>
          {t(act.mayDo === 'decide' ? 'console.approvals.decline' : 'console.approvals.takeBack')}
        </button>
      </div>
    </form>
  )
}
