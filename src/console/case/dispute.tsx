import { useId, useState, type FormEvent } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { Labelled } from '../kit/labelled.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { CaseData } from './load.ts'
import { SendEvidence } from './send-evidence.tsx'

/** A dispute is decided by the payer's bank: until when it takes evidence, and the evidence as files. */
export function Dispute({ data }: { readonly data: CaseData }) {
  return (
    <>
      <DueDate data={data} />
      <Evidence data={data} />
      {data.answer !== null && <SendEvidence data={data} answer={data.answer} />}
    </>
  )
}

function DueDate({ data }: { readonly data: CaseData }) {
  const t = useT()
  const field = useId()
  const attempt = useAttempt()
  const [due, setDue] = useState(data.due)

  async function noteDue(event: FormEvent) {
    event.preventDefault()
    const body = { case: data.id, due: `${due}T23:59:00.000Z` }
    if (await attempt.run(() => callConsole('cases/due', body))) refreshPage()
  }
  return (
    <section className="panel">
      <form className="stack-2" onSubmit={(event) => void noteDue(event)}>
        <h2>{t('console.cases.due')}</h2>
        <Labelled
          id={field}
          label={t('console.cases.dueDate')}
          hint={t('console.cases.dueHint')}
          fault={attempt.fields['due']}
        >
          <input
            className="input"
            id={field}
            type="date"
            required
            value={due}
            onChange={(event) => setDue(event.target.value)}
          />
        </Labelled>
        <Fault text={attempt.fault} />
        <button type="submit" className="btn edge" disabled={attempt.isBusy}>
          {t('console.cases.noteDue')}
        </button>
      </form>
    </section>
  )
}

interface Pack {
  readonly files: readonly {
    readonly name: string
    readonly type: string
    readonly base64: string
  }[]
}

function Evidence({ data }: { readonly data: CaseData }) {
  const t = useT()
  const attempt = useAttempt()
  const [pack, setPack] = useState<Pack | null>(null)

  async function make() {
    const made = await attempt.run(() => callConsole<Pack>('cases/evidence', { case: data.id }))
    if (made) setPack(made)
  }
  return (
    <section className="panel stack-2">
      <h2>{t('console.cases.pack')}</h2>
      <p>{t('console.cases.packText')}</p>
      {pack === null ? (
        <button
          type="button"
          className="btn solid"
          disabled={attempt.isBusy}
          onClick={() => void make()}
        >
          {t('console.cases.makePack')}
        </button>
      ) : (
        <ul className="stack-2">
          {pack.files.map(({ name, type, base64 }) => (
            <li key={name}>
              <a className="link" download={name} href={`data:${type};base64,${base64}`}>
                <bdi>{name}</bdi>
              </a>
            </li>
          ))}
        </ul>
      )}
      <Fault text={attempt.fault} />
      <p className="hint">{t('console.cases.packHint')}</p>
    </section>
  )
}
