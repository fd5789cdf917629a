import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { AuditData } from './load.ts'

/** Every change and every look at a secret: who, when, what it was before and after. */
export function Page({ data }: { readonly data: AuditData }) {
  const t = useT()
  return (
    <>
      <div className="pg">
        <div>
          <h1>{t('console.audit.nav')}</h1>
          <p>{t('console.audit.lead')}</p>
        </div>
      </div>
      <form className="row wrapx" action={`${CONSOLE_PATH}/audit`}>
        <label className="field">
          <span className="label">{t('console.audit.who')}</span>
          <input className="input" name="actor" defaultValue={data.actor} autoComplete="off" />
        </label>
        <label className="field">
          <span className="label">{t('console.audit.what')}</span>
          <input className="input" name="subject" defaultValue={data.subject} autoComplete="off" />
        </label>
        <button type="submit" className="btn edge">
          {t('console.audit.filter')}
        </button>
      </form>
      <section className="panel flush">
        {data.lines.length === 0 ? (
          <div className="empty">
            <h2>{t('console.audit.none')}</h2>
          </div>
        ) : (
          <ol className="inbox">
            {data.lines.map((line) => (
              <li key={line.id}>
                <p>
                  <time className="num muted">{line.at}</time> <b dir="auto">{line.actor}</b>{' '}
                  <span className="mono">
                    {line.action} {line.subject} {line.code}
                  </span>
                </p>
                {(line.before !== null || line.after !== null) && (
                  <details>
                    <summary className="link small">{t('console.audit.values')}</summary>
                    <pre className="mono tiny">
                      {line.before !== null && `− ${line.before}\n`}
                      {line.after !== null && `+ ${line.after}`}
                    </pre>
                    <small className="mono">{line.requestId}</small>
                  </details>
                )}
              </li>
            ))}
          </ol>
        )}
        {data.older !== null && (
          <nav className="foot-l" aria-label={t('console.pages')}>
            <a className="btn edge sm" href={CONSOLE_PATH + data.older}>
              {t('console.older')}
            </a>
          </nav>
        )}
      </section>
    </>
  )
}
