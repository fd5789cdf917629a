import { useT } from '../words.tsx'
import type { StepBody } from './bodies.ts'
import { Facts } from './facts.tsx'

/** The shop as whoever comes to it sees it, in each language; and what keeps it from selling. */
export function LookStep({
  body: { needed, languages },
}: {
  readonly body: Extract<StepBody, { readonly step: 'look' }>
}) {
  const t = useT()
  return (
    <>
      <section className="panel stack" aria-labelledby="open-h">
        <h3 id="open-h">{t('console.guide.look.open')}</h3>
        <ul className="row wrapx">
          {languages.map(({ code, name }) => (
            <li key={code}>
              <a
                className="btn edge sm"
                href={code === 'en' ? '/' : `/${code}`}
                target="_blank"
                rel="noreferrer"
                lang={code}
              >
                {name}
              </a>
            </li>
          ))}
        </ul>
      </section>
      {needed.length > 0 && (
        <>
          <p>{t('console.guide.needed')}</p>
          <Facts lines={needed} />
        </>
      )}
    </>
  )
}
