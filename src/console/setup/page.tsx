import { useState } from 'react'
import { Icon } from '#ui/icon.tsx'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { LineField } from '../kit/fields.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { SetupData, SetupLine } from './load.ts'

/** Is the shop ready? What is open first, each with one press to where it is mended. */
export function Page({ data: { lines, isDemo } }: { readonly data: SetupData }) {
  const t = useT()
  const open = lines.filter(({ isDone }) => !isDone)
  const done = lines.filter(({ isDone }) => isDone)
  const first = [...open.filter((line) => line.isNeeded), ...open.filter((line) => !line.isNeeded)]
  return (
    <>
      <div className="pg">
        <div>
          <h1>{t('console.setup.nav')}</h1>
          <p>{t('console.setup.open', { count: open.length })}</p>
        </div>
      </div>
      {isDemo && <p className="note">{t('console.setup.demo')}</p>}
      <div
        className="pbar"
        role="progressbar"
        aria-valuenow={done.length}
        aria-valuemin={0}
        aria-valuemax={lines.length}
        aria-label={t('console.setup.progress', { done: done.length, all: lines.length })}
      >
        <i className="o" style={{ inlineSize: `${(done.length / lines.length) * 100}%` }} />
      </div>
      <section className="panel flush" aria-label={t('console.setup.nav')}>
        <ul className="todo line-t">
          {first.map((line) => (
            <Open key={line.name} line={line} />
          ))}
          {done.length > 0 && (
            <li>
              <p>
                <b>
                  <Icon name="check" /> {t('console.setup.done', { count: done.length })}
                </b>
                <small>{done.map(({ title }) => title).join(' · ')}</small>
              </p>
            </li>
          )}
        </ul>
      </section>
      <Letter />
    </>
  )
}

function Open({ line: { name, title, text, open, isNeeded, path } }: { readonly line: SetupLine }) {
  const t = useT()
  return (
    <li className={isNeeded ? 'late' : 'soon'} id={name}>
      <p>
        <b>
          <Icon name="alert" /> {title}
        </b>
        <small>
          {text}
          {open.length > 0 && (
            <>
              {' '}
              <bdi className="mono">{open.join(', ')}</bdi>
            </>
          )}
        </small>
      </p>
      <span className="age" />
      {path !== null && name !== 'letter' && (
        <a className="btn edge sm" href={CONSOLE_PATH + path}>
          {t('console.open')}
          <span className="sr"> {title}</span>
        </a>
      )}
    </li>
  )
}

/** A letter to see whether mail arrives. */
function Letter() {
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
