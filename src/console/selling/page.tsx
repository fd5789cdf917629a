import { useId, useState } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { Choice, LineField } from '../kit/fields.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { SellingData } from './load.ts'

type Stop = SellingData['stops'][number]

/** What is not sold for the moment, and one press to stop or to start. */
export function Page({ data: { stops, kinds, asked } }: { readonly data: SellingData }) {
  const t = useT()
  return (
    <>
      <div className="pg">
        <div>
          <h1>{t('console.selling.nav')}</h1>
          <p>{t('console.selling.lead')}</p>
        </div>
      </div>
      {kinds.length > 0 && <StopForm kinds={kinds} asked={asked} />}
      {stops.length === 0 ? (
        <section className="panel empty">
          <h2>{t('console.selling.none')}</h2>
        </section>
      ) : (
        stops.map((stop) => <Stopped key={stop.kind + stop.code} stop={stop} />)
      )}
    </>
  )
}

const TYPED_MAX = 300

function StopForm({ kinds, asked }: Pick<SellingData, 'kinds' | 'asked'>) {
  const t = useT()
  const attempt = useAttempt()
  const [kind, setKind] = useState(kinds.find((known) => known === asked.kind) ?? kinds[0] ?? '')
  const [code, setCode] = useState(asked.code)
  const [reason, setReason] = useState('')
  const heading = useId()
  const isShop = kind === 'shop'
  async function stop() {
    const body = { reason, ...(isShop ? {} : { code: code.trim() }) }
    if (await attempt.run(() => callConsole(`selling/stop_${kind}`, body))) {
      setCode('')
      setReason('')
      refreshPage()
    }
  }
  return (
    <form
      className="panel stack-2"
      aria-labelledby={heading}
      onSubmit={(event) => {
        event.preventDefault()
        void stop()
      }}
    >
      <h2 id={heading}>{t('console.selling.stopTitle')}</h2>
      <Choice
        label={t('console.selling.what')}
        value={kind}
        options={kinds.map((each) => ({ value: each, text: t(`console.selling.kind.${each}`) }))}
        choose={setKind}
      />
      {!isShop && (
        <LineField
          label={t('console.selling.code')}
          value={code}
          max={TYPED_MAX}
          write={setCode}
          fault={attempt.fields['code']}
        />
      )}
      <LineField
        label={t('console.reason')}
        value={reason}
        max={TYPED_MAX}
        write={setReason}
        fault={attempt.fields['reason']}
      />
      <div className="fx">
        <h3>{t('console.effect')}</h3>
        <p>
          {t(kind === 'supplier' ? 'console.selling.effectSupplier' : 'console.selling.effectText')}
        </p>
      </div>
      <Fault text={attempt.fault} />
      <button type="submit" className="btn bad" disabled={attempt.isBusy}>
        {t('console.selling.stop')}
      </button>
    </form>
  )
}

function Stopped({ stop }: { readonly stop: Stop }) {
  const t = useT()
  const attempt = useAttempt()
  const heading = useId()
  const { kind, code, name } = stop
  async function start() {
    const body = kind === 'shop' ? {} : { code }
    if (await attempt.run(() => callConsole(`selling/start_${kind}`, body))) refreshPage()
  }
  return (
    <section className="panel stack-2" aria-labelledby={heading}>
      <h2 id={heading}>
        {t(`console.selling.kind.${kind}`)} <bdi>{name}</bdi>
      </h2>
      {name !== code && (
        <p className="mono tiny muted">
          <bdi>{code}</bdi>
        </p>
      )}
      <p dir="auto">{stop.reason}</p>
      <p className="hint">{t('console.selling.by', { name: stop.by, at: stop.at })}</p>
      <Fault text={attempt.fault} />
      {stop.mayStart ? (
        <div className="row">
          <button
            type="button"
            className="btn edge"
            disabled={attempt.isBusy}
            onClick={() => void start()}
          >
            {t('console.selling.start')}
          </button>
        </div>
      ) : (
        <p className="hint">{t('console.selling.notYours')}</p>
      )}
    </section>
  )
}
