import { Letter } from '../setup/letter.tsx'
import { useT } from '../words.tsx'
import type { StepBody } from './bodies.ts'
import { useRun } from './use-run.ts'

type MailBody = Extract<StepBody, { readonly step: 'mail' }>
interface LetterState {
  readonly state: MailBody['letter']
  readonly failure: string | null
}

/** What to set where mail cannot be sent, and a letter that shows whether it arrives. */
export function MailStep({ body }: { readonly body: MailBody }) {
  const t = useT()
  return (
    <>
      <section className="panel stack-2" aria-labelledby="smtp-h">
        <h3 id="smtp-h">{t('console.guide.mail.server')}</h3>
        <p>{t('console.guide.mail.how')}</p>
        <pre className="raw">SMTP_URL=smtps://name:password@mail.example.com:465</pre>
      </section>
      <Letter />
      {body.letter !== 'none' && (
        <Sending key={body.letter} first={{ state: body.letter, failure: body.failure }} />
      )}
    </>
  )
}

const isOver = ({ state }: LetterState) => state === 'sent' || state === 'none'

function Sending({ first }: { readonly first: LetterState }) {
  const t = useT()
  const { state, failure } = useRun('guide/letter', first, isOver)
  if (state === 'failing')
    return (
      <div className="note bad" role="alert">
        <div>
          <b>{t('console.guide.mail.failing')}</b>
          <p className="tiny" lang="en" dir="ltr">
            {failure}
          </p>
        </div>
      </div>
    )
  return (
    <p className={state === 'sent' ? 'note ok' : 'note'} role="status">
      {t(state === 'sent' ? 'console.guide.mail.sent' : 'console.guide.mail.waiting')}
    </p>
  )
}
