import { callConsole } from '../browser/call.ts'
import { Fault } from '../kit/fault.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { Pager } from '../kit/pager.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { AuditData, FilterName } from './load.ts'

const FIELDS: readonly { readonly name: FilterName; readonly type: 'text' | 'date' }[] = [
  { name: 'actor', type: 'text' },
  { name: 'action', type: 'text' },
  { name: 'subject', type: 'text' },
  { name: 'code', type: 'text' },
  { name: 'from', type: 'date' },
  { name: 'until', type: 'date' },
]

/** Every change and every look at a secret: who, when, what it was before and after. */
export function Page({ data }: { readonly data: AuditData }) {
  const t = useT()
  const { sealed } = data
  return (
    <>
      <div className="pg">
        <div>
          <h1>{t('console.audit.nav')}</h1>
          <p>{t('console.audit.lead')}</p>
          {sealed && (
            <p className="hint">
              {t('console.audit.sealed', { batch: sealed.batch, at: sealed.at })}{' '}
              <bdi className="mono tiny">{sealed.hash.slice(0, 16)}</bdi>
            </p>
          )}
        </div>
      </div>
      <Filters data={data} />
      <section className="panel flush">
        {data.lines.length === 0 ? (
          <div className="empty">
            <h2>{t('console.audit.none')}</h2>
          </div>
        ) : (
          <ol className="inbox">
            {data.lines.map((line) => (
              <Line key={line.id} line={line} />
            ))}
          </ol>
        )}
        {data.lookedUntil !== null && (
          <p className="hint">{t('console.audit.looked', { at: data.lookedUntil })}</p>
        )}
        <Pager older={data.older} />
      </section>
    </>
  )
}

function Filters({ data }: { readonly data: AuditData }) {
  const t = useT()
  const attempt = useAttempt()
  async function take() {
    const found = await attempt.run(() =>
      callConsole<{ readonly address: string }>('audit/export', data.exported),
    )
    if (found) location.assign(found.address)
  }
  return (
    <form className="row wrapx" action={`${CONSOLE_PATH}/audit`}>
      {FIELDS.map(({ name, type }) => (
        <label key={name} className="field">
          <span className="label">{t(`console.audit.by.${name}`)}</span>
          <input
            // Another address fills the fields anew.
            key={data.filters[name]}
            className="input"
            type={type}
            name={name}
            maxLength={300}
            defaultValue={data.filters[name]}
            autoComplete="off"
          />
        </label>
      ))}
      <button type="submit" className="btn edge">
        {t('console.audit.filter')}
      </button>
      {data.mayExport && (
        <button
          type="button"
          className="btn edge"
          disabled={attempt.isBusy}
          onClick={() => void take()}
        >
          {t('console.audit.export')}
        </button>
      )}
      <Fault text={attempt.fault} />
    </form>
  )
}

function Line({ line }: { readonly line: AuditData['lines'][number] }) {
  const t = useT()
  const to = (filter: Record<string, string>) =>
    `${CONSOLE_PATH}/audit?${new URLSearchParams(filter).toString()}`
  return (
    <li className="log">
      <time className="num muted small">{line.at}</time>
      <p>
        <a className="link" href={to({ actor: line.actor })}>
          <b dir="auto">{line.actor}</b>
        </a>{' '}
        {line.actionName}{' '}
        <a className="link" href={to({ subject: line.subject, code: line.code })}>
          {line.subjectName} <bdi className="mono small">{line.code}</bdi>
        </a>{' '}
        {/* As filters, files and support have them. */}
        <bdi className="mono tiny muted" dir="ltr">
          {line.action} {line.subject}
        </bdi>
      </p>
      <details>
        <summary className="link small">{t('console.audit.values')}</summary>
        {(line.before !== null || line.after !== null) && (
          <pre className="mono tiny" dir="ltr">
            {line.before !== null && `− ${line.before}\n`}
            {line.after !== null && `+ ${line.after}`}
          </pre>
        )}
        <small className="mono" dir="ltr">
          {line.network} {line.requestId}
        </small>
      </details>
    </li>
  )
}
