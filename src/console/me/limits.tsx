import { useId } from 'react'
import { useT } from '../words.tsx'
import type { LimitLine } from './load.ts'

/** What one may give, and how much of it is used up; what is left comes back a day after it was given. */
export function Limits({ limits }: { readonly limits: readonly LimitLine[] }) {
  const t = useT()
  const heading = useId()
  if (limits.length === 0) return null
  return (
    <section className="panel flush" aria-labelledby={heading}>
      <div className="panel-h">
        <h2 id={heading}>{t('console.me.limits')}</h2>
        <p>{t('console.me.limitsLead')}</p>
      </div>
      <div className="scrollx line-t" tabIndex={0} role="group" aria-labelledby={heading}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('console.people.permission')}</th>
              <th scope="col">{t('console.me.given')}</th>
              <th scope="col">{t('console.me.limit')}</th>
              <th scope="col">{t('console.me.left')}</th>
            </tr>
          </thead>
          <tbody>
            {limits.map((line) => (
              <tr key={line.name}>
                <th scope="row" className={line.isCode ? 'mono small' : 'small'}>
                  {line.name}
                </th>
                <td>
                  <bdi className="money">{line.used}</bdi>
                </td>
                <td>
                  {line.limit === null ? (
                    <small>{t('console.people.noLimit')}</small>
                  ) : (
                    <bdi className="money">{line.limit}</bdi>
                  )}
                </td>
                <td>
                  {line.left !== null && (
                    <>
                      <bdi className="money">{line.left}</bdi>{' '}
                      {line.share !== null && (
                        <meter min={0} max={100} value={line.share} aria-label={line.name} />
                      )}
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
