import { State } from '../kit/state.tsx'
import { useT } from '../words.tsx'
import type { StepBody } from './bodies.ts'
import { fromStep } from './paths.ts'

/** Items that need codes, those without any first; each leads to its own shelf, where codes are tried before they are in stock. */
export function KeysStep({
  body: { shelves },
}: {
  readonly body: Extract<StepBody, { readonly step: 'keys' }>
}) {
  const t = useT()
  return (
    <>
      {shelves.length === 0 ? (
        <p className="note">{t('console.guide.keys.none')}</p>
      ) : (
        <section className="panel flush">
          <ul className="todo line-t">
            {shelves.map(({ item, name, sub, look, state }) => (
              <li key={item}>
                <p>
                  <b>{name}</b>
                  <small>{sub}</small>
                </p>
                <span className="age">
                  <State look={look} text={state} />
                </span>
                <a
                  className="btn edge sm"
                  href={fromStep('keys', `/keys/${encodeURIComponent(item)}`)}
                >
                  {t('console.guide.keys.add')}
                  <span className="sr">
                    {' '}
                    {name}, {sub}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      <p className="hint">{t('console.guide.keys.others')}</p>
      <div className="row wrapx">
        <a className="btn edge" href={fromStep('keys', '/keys')}>
          {t('console.keys.nav')}
        </a>
        <a className="btn edge" href={fromStep('keys', '/suppliers')}>
          {t('console.suppliers.nav')}
        </a>
      </div>
    </>
  )
}
