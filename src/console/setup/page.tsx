import { Icon } from '#ui/icon.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import { Letter } from './letter.tsx'
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
                <small>
                  {done.map(({ name, title, path }, at) => (
                    <span key={name}>
                      {at > 0 && ' · '}
                      {path === null ? (
                        title
                      ) : (
                        <a className="link" href={CONSOLE_PATH + path}>
                          {title}
                        </a>
                      )}
                    </span>
                  ))}
                </small>
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
