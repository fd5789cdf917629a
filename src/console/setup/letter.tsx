import { useState } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { LineField } from '../kit/fields.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'

/** A letter to see whether mail arrives. */
export function Letter() {
  const t = useT()
  const attempt = useAttempt()
  const [email, setEmail] = useState('')
  const [sentTo, setSentTo] = useState<string | null>(null)
  async function send() {
    setSentTo(null)
    if (!(await attempt.run(() => callConsole('setup/test_letter', { email })))) return
    setSentTo(email)
    refreshPage()
  }
  return (
    <form
      className="panel stack-2"
      aria-labelledby="letter-h"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <h2 id="letter-h">{t('console.setup.letter')}</h2>
      <div className="row wrapx">
        <LineField
          isWide
          label={t('console.setup.letterTo')}
          value={email}
          max={254}
          required
          write={setEmail}
          fault={attempt.fields['email']}
        />
        <button type="submit" className="btn edge" disabled={attempt.isBusy}>
          {t('console.setup.send')}
        </button>
      </div>
      <Fault text={attempt.fault} />
      <p role="status" className={sentTo === null ? 'sr' : 'note ok'}>
        {sentTo !== null && t('console.setup.sent', { email: sentTo })}
      </p>
    </form>
  )
}
