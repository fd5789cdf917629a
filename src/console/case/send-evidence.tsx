import { useState } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { CaseData } from './load.ts'

interface Answering {
  readonly data: CaseData
  readonly answer: NonNullable<CaseData['answer']>
}

/** What the provider gets is read word for word before it goes, once and for good. */
export function SendEvidence({ data, answer }: Answering) {
  const t = useT()
  const attempt = useAttempt()
  const [text, setText] = useState<string | null>(null)
  const body = { case: data.id }

  async function show() {
    const shown = await attempt.run(() =>
      callConsole<{ readonly text: string }>('cases/evidence_preview', body),
    )
    if (shown) setText(shown.text)
  }
  async function send() {
    if (await attempt.run(() => callConsole('cases/evidence_send', body))) setText(null)
    refreshPage()
  }
  return (
    <section className="panel stack-2">
      <h2>{t('console.cases.sendTitle', { provider: answer.provider })}</h2>
      <Standing answer={answer} />
      {answer.state !== 'sent' && data.isOpen && data.mayDecide && (
        <>
          {text !== null && (
            <div className="fx">
              <h3>{t('console.effect')}</h3>
              <p>{t('console.cases.sendText', { provider: answer.provider })}</p>
              <pre className="small scrollx" lang="en" dir="ltr" tabIndex={0}>
                {text}
              </pre>
            </div>
          )}
          <Fault text={attempt.fault} />
          <button
            type="button"
            className={text === null ? 'btn edge' : 'btn solid'}
            disabled={attempt.isBusy}
            onClick={() => void (text === null ? show() : send())}
          >
            {t(text === null ? 'console.cases.sendShow' : 'console.cases.send')}
          </button>
        </>
      )}
    </section>
  )
}

function Standing({ answer: { provider, state, told, failure } }: Pick<Answering, 'answer'>) {
  const t = useT()
  if (state === 'none') return null
  if (state === 'sent') return <p className="note ok">{t('console.cases.sent', { told })}</p>
  return (
    <div className={state === 'sending' ? 'note warn' : 'note bad'}>
      <p>
        {t(state === 'sending' ? 'console.cases.sendUnsure' : 'console.cases.sendRefused', {
          provider,
        })}
      </p>
      {failure !== null && (
        <small lang="en" dir="ltr">
          {failure}
        </small>
      )}
    </div>
  )
}
