import { useId, useState, type FormEvent } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { Labelled } from '../kit/labelled.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'

/** Another password; that it is still the same person is asked over the page. */
export function Password({ name }: { readonly name: string }) {
  const t = useT()
  const attempt = useAttempt()
  const [isChanged, setChanged] = useState(false)
  const field = useId()
  async function change(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const password = new FormData(form).get('password')
    setChanged(false)
    if (!(await attempt.run(() => callConsole('password', { password })))) return
    form.reset()
    setChanged(true)
    refreshPage()
  }
  return (
    <form
      className="panel stack-2"
      aria-labelledby="my-password"
      onSubmit={(event) => void change(event)}
    >
      <h2 id="my-password">{t('console.signIn.password')}</h2>
      <p className="hint">{t('console.me.passwordText')}</p>
      {/* Whose password it is, for what keeps passwords. */}
      <input type="hidden" name="username" autoComplete="username" defaultValue={name} />
      <Labelled id={field} label={t('console.me.newPassword')} fault={attempt.fields['password']}>
        <input
          className="input"
          id={field}
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={12}
          maxLength={128}
          required
          aria-invalid={attempt.fields['password'] !== undefined}
        />
      </Labelled>
      <Fault text={attempt.fault} />
      <div className="row wrapx">
        <button type="submit" className="btn edge" disabled={attempt.isBusy}>
          {t('console.me.changePassword')}
        </button>
        <span role="status">{isChanged && t('console.me.saved')}</span>
      </div>
    </form>
  )
}
