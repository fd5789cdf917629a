import { useState, type FormEvent } from 'react'
import { Icon } from '#ui/icon.tsx'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { CustomerData } from './load.ts'
import { ReasonField } from './reason-field.tsx'

type Act = 'freeze' | 'release' | 'export' | 'erase'

/** What changes an account as a whole; each says what it does before it is done. */
export function Account({ data }: { readonly data: CustomerData }) {
  const t = useT()
  const [open, setOpen] = useState<Act | null>(null)
  const acts: readonly Act[] = [
    ...(data.may.change && data.status === 'active' ? (['freeze'] as const) : []),
    ...(data.may.change && data.status === 'frozen' ? (['release'] as const) : []),
    ...(data.may.export ? (['export'] as const) : []),
    ...(data.may.change && data.status === 'active' ? (['erase'] as const) : []),
  ]
  return (
    <section className="panel stack-2">
      <h2>{t('console.customer.account')}</h2>
      {open === null ? (
        acts.map((act) => (
          <button key={act} type="button" className="btn edge" onClick={() => setOpen(act)}>
            <Icon name={ICONS[act]} />
            {t(`console.customer.act.${act}`)}
          </button>
        ))
      ) : (
        <Doing act={open} data={data} onClose={() => setOpen(null)} />
      )}
      <p className="hint">{t('console.customer.audited')}</p>
    </section>
  )
}

const ICONS = { freeze: 'lock', release: 'key', export: 'download', erase: 'trash' } as const

function Doing({
  act,
  data,
  onClose,
}: {
  readonly act: Act
  readonly data: CustomerData
  readonly onClose: () => void
}) {
  const t = useT()
  const attempt = useAttempt()
  const [reason, setReason] = useState('')
  const [givesUp, setGivesUp] = useState(false)
  const hasReason = act === 'freeze' || act === 'release'
  const asksCredit = act === 'erase' && data.hasCredit

  async function run() {
    const body = {
      shopper: data.id,
      ...(hasReason ? { reason } : {}),
      ...(act === 'erase' ? { give_up_credit: givesUp } : {}),
    }
    const done = await attempt.run(() => callConsole<unknown>(`shoppers/${act}`, body))
    if (!done) return
    if (act === 'export') saveFile(`customer-${data.id}.json`, done)
    onClose()
    refreshPage()
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    void run()
  }
  return (
    <form className="stack-2" onSubmit={submit}>
      <ToldEffect act={act} />
      {hasReason && (
        <ReasonField reason={reason} write={setReason} fault={attempt.fields['reason']} />
      )}
      {asksCredit && (
        <label className="row">
          <input
            type="checkbox"
            checked={givesUp}
            onChange={(event) => setGivesUp(event.target.checked)}
          />
          {t('console.customer.giveUpCredit')}
        </label>
      )}
      <Fault text={attempt.fault} />
      <div className="row wrapx">
        <button
          type="submit"
          className="btn solid"
          disabled={attempt.isBusy || (asksCredit && !givesUp)}
        >
          {t(`console.customer.do.${act}`)}
        </button>
        <button type="button" className="btn ghost" onClick={onClose}>
          {t('console.back')}
        </button>
      </div>
    </form>
  )
}

function ToldEffect({ act }: { readonly act: Act }) {
  const t = useT()
  return (
    <section className="fx">
      <h3>{t('console.effect')}</h3>
      <ul>
        <li>
          <span>{t(`console.customer.effect.${act}`)}</span>
        </li>
      </ul>
    </section>
  )
}

/** Gives what a call answered as a file, without it being in an address. */
function saveFile(name: string, content: unknown): void {
  const url = URL.createObjectURL(
    new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }),
  )
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
