import { useState, type FormEvent } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { LineField } from '../kit/fields.tsx'
import { useAttempt, type Attempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { CaseData } from './load.ts'

/** Who sees to it; who had it as it was seen is sent along, so that two people do not take it from each other unseen. */
export function Claim({ data }: { readonly data: CaseData }) {
  const t = useT()
  const attempt = useAttempt()
  const [name, setName] = useState('')
  const isMine = data.claimedBy === data.me
  async function assign(to: string | null) {
    const body = { case: data.id, from: data.claimedBy, to }
    if (await attempt.run(() => callConsole('cases/assign', body))) refreshPage()
  }
  return (
    <section className="panel stack-2">
      <h2>{t('console.cases.who')}</h2>
      <p>{data.claimedBy === null ? t('console.cases.nobody') : <bdi>{data.claimedBy}</bdi>}</p>
      {data.mayDecide && (
        <>
          <div className="row wrapx">
            {!isMine && (
              <button
                type="button"
                className="btn edge sm"
                disabled={attempt.isBusy}
                onClick={() => void assign(data.me)}
              >
                {t('console.cases.take')}
              </button>
            )}
            {isMine && (
              <button
                type="button"
                className="btn edge sm"
                disabled={attempt.isBusy}
                onClick={() => void assign(null)}
              >
                {t('console.cases.giveBack')}
              </button>
            )}
          </div>
          <HandOver name={name} write={setName} attempt={attempt} assign={assign} />
        </>
      )}
      <Fault text={attempt.fault} />
    </section>
  )
}

function HandOver({
  name,
  write,
  attempt,
  assign,
}: {
  readonly name: string
  readonly write: (name: string) => void
  readonly attempt: Attempt
  readonly assign: (to: string) => Promise<void>
}) {
  const t = useT()
  function handOver(event: FormEvent) {
    event.preventDefault()
    void assign(name.trim())
  }
  return (
    <form className="row wrapx" onSubmit={handOver}>
      <LineField
        label={t('console.cases.handOver')}
        value={name}
        max={40}
        write={write}
        fault={attempt.fields['to']}
        required
        isWide
      />
      <button type="submit" className="btn edge sm" disabled={attempt.isBusy}>
        {t('console.cases.hand')}
      </button>
    </form>
  )
}
