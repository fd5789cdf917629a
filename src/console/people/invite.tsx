import { useId, type FormEvent } from 'react'
import { Labelled } from '../kit/labelled.tsx'
import type { Attempt } from '../kit/use-attempt.ts'
import { Field } from '../sign-in/field.tsx'
import { useT } from '../words.tsx'
import type { PeopleData } from './load.ts'
import type { Act } from './page.tsx'

/** Inviting somebody by mail: what they will be called, where the mail goes, as what, and in which language. */
export function Invite({
  data: { roles, languages, language },
  attempt,
  act,
  onClose,
}: {
  readonly data: PeopleData
  readonly attempt: Attempt
  readonly act: Act
  readonly onClose: () => void
}) {
  const t = useT()
  const heading = useId()
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = [...new FormData(event.currentTarget)].filter(([, value]) => value !== '')
    void act('team/invite', Object.fromEntries(fields))
  }
  return (
    <section className="panel stack" aria-labelledby={heading}>
      <h2 id={heading}>{t('console.people.invite')}</h2>
      <form className="stack" onSubmit={send}>
        <Field
          name="email"
          label={t('console.people.email')}
          autoComplete="off"
          fault={attempt.fields['email']}
          isFirst
        />
        <Field
          name="name"
          label={t('console.people.signInName')}
          autoComplete="off"
          fault={attempt.fields['name']}
        />
        <Choice
          name="role"
          label={t('console.people.role')}
          initial="read-only"
          options={roles}
          fault={attempt.fields['role']}
        />
        <Choice
          name="language"
          label={t('console.people.language')}
          initial={language}
          options={languages}
        />
        <p className="hint">{t('console.people.inviteHint')}</p>
        <div className="row wrapx">
          <button type="submit" className="btn solid" disabled={attempt.isBusy}>
            {t('console.people.send')}
          </button>
          <button type="button" className="btn ghost" onClick={onClose}>
            {t('console.back')}
          </button>
        </div>
      </form>
    </section>
  )
}

function Choice({
  name,
  label,
  initial,
  options,
  fault,
}: {
  readonly name: string
  readonly label: string
  readonly initial: string
  readonly options: readonly { readonly code: string; readonly name: string }[]
  readonly fault?: string | undefined
}) {
  const id = useId()
  return (
    <Labelled id={id} label={label} fault={fault}>
      <select className="input" id={id} name={name} defaultValue={initial}>
        {options.map((option) => (
          <option key={option.code} value={option.code}>
            {option.name}
          </option>
        ))}
      </select>
    </Labelled>
  )
}
