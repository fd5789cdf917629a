import { useState } from 'react'
import { callConsole, takeFile } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { Labelled } from '../kit/labelled.tsx'
import { State } from '../kit/state.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { BatchData, KeyFile } from './load.ts'

/** Keys that leave the shop as a file: asking for one, and what became of others. */
export function Files({ data }: { readonly data: BatchData }) {
  const t = useT()
  const [isOpen, open] = useState(false)
  const { quarantined } = data.counts
  return (
    <section className="panel stack-2" aria-labelledby="key-files">
      <div className="row wrapx between">
        <h2 id="key-files">{t('console.keys.files')}</h2>
        {data.mayExport && (
          <button
            type="button"
            className="btn edge sm"
            aria-expanded={isOpen}
            disabled={quarantined === 0}
            onClick={() => open(!isOpen)}
          >
            {t('console.keys.export')}
          </button>
        )}
      </div>
      {data.mayExport && quarantined === 0 && (
        <p className="hint">{t('console.keys.exportNone')}</p>
      )}
      {isOpen && quarantined > 0 && <Ask data={data} close={() => open(false)} />}
      {data.exports.length > 0 && (
        <ul className="units">
          {data.exports.map((file) => (
            <OneFile key={file.id} file={file} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Ask({ data, close }: { readonly data: BatchData; readonly close: () => void }) {
  const t = useT()
  const attempt = useAttempt()
  const count = data.counts.quarantined
  async function ask(form: FormData) {
    const asked = { batch: data.row.id, reason: form.get('reason') }
    if (!(await attempt.run(() => callConsole('keys/export/ask', asked)))) return
    close()
    refreshPage()
  }
  return (
    <form
      className="stack-2"
      onSubmit={(event) => {
        event.preventDefault()
        void ask(new FormData(event.currentTarget))
      }}
    >
      <section className="fx" aria-live="polite">
        <h3>{t('console.effect')}</h3>
        <p>
          {t(data.hasApprover ? 'console.keys.exportEffect' : 'console.keys.exportAlone', {
            count,
          })}
        </p>
      </section>
      <Labelled id="export-reason" label={t('console.reason')} fault={attempt.fields['reason']}>
        <input
          className="input"
          id="export-reason"
          name="reason"
          required
          minLength={3}
          maxLength={300}
        />
      </Labelled>
      <Fault text={attempt.fault} />
      <div className="row">
        <button type="submit" className="btn solid" disabled={attempt.isBusy}>
          {t('console.keys.exportAsk')}
        </button>
      </div>
    </form>
  )
}

function OneFile({ file }: { readonly file: KeyFile }) {
  const t = useT()
  const attempt = useAttempt()
  async function take() {
    if (await attempt.run(() => takeFile('keys/export/take', { id: file.id }))) refreshPage()
  }
  return (
    <li>
      <span>
        <b>{t('console.keys.fileKeys', { count: file.keys })}</b>
        <small>
          <bdi>{file.reason}</bdi>
        </small>
        <small>
          {file.at}, <bdi>{file.by}</bdi>
        </small>
        {file.until !== null && <small>{t('console.keys.fileUntil', { at: file.until })}</small>}
        <Fault text={attempt.fault} />
      </span>
      <span className="s">
        <State look={file.look} text={file.state} />
      </span>
      <span className="p">
        {file.until !== null && (
          <button
            type="button"
            className="btn edge sm"
            disabled={attempt.isBusy}
            onClick={() => void take()}
          >
            {t('console.keys.fileTake')}
          </button>
        )}
      </span>
    </li>
  )
}
