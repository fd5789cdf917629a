import { useId, useState, type FormEvent } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { Labelled } from '../kit/labelled.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { MeData } from './load.ts'

/** What colleagues read, and the address that mails go to. */
export function Profile({ data }: { readonly data: MeData }) {
  const t = useT()
  return (
    <section className="panel stack" aria-labelledby="my-profile">
      <h2 id="my-profile">
        <bdi>{data.name}</bdi>
      </h2>
      <Changed
        path="preferences"
        field="display_name"
        label={t('console.me.displayName')}
        value={data.displayName}
        autoComplete="name"
      />
      <Changed
        path="email"
        field="email"
        label={t('console.people.email')}
        value={data.email ?? ''}
        autoComplete="email"
      />
    </section>
  )
}

/** One field that is saved for itself. */
function Changed({
  path,
  field,
  label,
  value,
  autoComplete,
}: {
  readonly path: 'preferences' | 'email'
  readonly field: 'display_name' | 'email'
  readonly label: string
  readonly value: string
  readonly autoComplete: string
}) {
  const t = useT()
  const attempt = useAttempt()
  const [isSaved, setSaved] = useState(false)
  const id = useId()
  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const given = new FormData(event.currentTarget).get(field)
    setSaved(false)
    if (!(await attempt.run(() => callConsole(path, { [field]: given })))) return
    setSaved(true)
    refreshPage()
  }
  return (
    <form className="stack-2" onSubmit={(event) => void save(event)}>
      <Labelled id={id} label={label} fault={attempt.fields[field]}>
        <input
          className="input"
          id={id}
          name={field}
          dir="auto"
          defaultValue={value}
          autoComplete={autoComplete}
          maxLength={field === 'email' ? 254 : 80}
          required
          aria-invalid={attempt.fields[field] !== undefined}
        />
      </Labelled>
      <Fault text={attempt.fault} />
      <div className="row wrapx">
        <button type="submit" className="btn edge sm" disabled={attempt.isBusy}>
          {t('console.me.save')}
        </button>
        <span role="status">{isSaved && t('console.me.saved')}</span>
      </div>
    </form>
  )
}
