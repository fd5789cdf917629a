import { Icon } from '#ui/icon.tsx'
import { GuideLine } from './guide-line.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import { FiguresSection } from './figures-section.tsx'
import type { HomeData } from './load.ts'

/** First what needs a person: each with its count and one press to it. */
export function Page({
  data: { notReady, guide, work, faults, stopped, figures },
}: {
  readonly data: HomeData
}) {
  const t = useT()
  return (
    <>
      <div className="pg">
        <div>
          <h1>{t('console.home.heading', { count: work.length })}</h1>
        </div>
      </div>
      {guide ? <GuideLine guide={guide} /> : <NotReady count={notReady} />}
      <Stopped stopped={stopped} />
      {work.length > 0 && (
        <section className="panel flush" aria-labelledby="need">
          <div className="panel-h">
            <h2 id="need">{t('console.home.need')}</h2>
          </div>
          <ol className="todo line-t">
            {work.map(({ kind, count, path, age }) => (
              <li key={kind}>
                <p>
                  <b>{t(`console.work.${kind}`, { count })}</b>
                </p>
                <span className="age">{age}</span>
                {path !== null && (
                  <a className="btn edge sm" href={CONSOLE_PATH + path}>
                    {t('console.open')}
                  </a>
                )}
              </li>
            ))}
          </ol>
        </section>
      )}
      {faults.length > 0 && (
        <section className="panel stack-2" aria-labelledby="faults">
          <h2 id="faults">{t('console.home.faults')}</h2>
          <ul className="stack-2">
            {faults.map(({ name, text }) => (
              <li key={text} className="note warn">
                <Icon name="alert" />
                <div>
                  <b>{name}</b>
                  {/* What exactly was found is said as on the machine, for whoever looks after it. */}
                  <p className="mono tiny muted" lang="en" dir="ltr">
                    {text}
                  </p>
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
      {figures && <FiguresSection view={figures} />}
    </>
  )
}

/** What is open before the shop sells for real. */
function NotReady({ count }: { readonly count: number }) {
  const t = useT()
  return count === 0 ? null : (
    <p className="note warn row wrapx">
      <span>{t('console.setup.open', { count })}</span>
      <a className="btn edge sm" href={`${CONSOLE_PATH}/setup`}>
        {t('console.setup.nav')}
      </a>
    </p>
  )
}

/** What is not sold for the moment. */
function Stopped({ stopped }: Pick<HomeData, 'stopped'>) {
  const t = useT()
  return stopped.length === 0 ? null : (
    <p className="note bad row wrapx" role="status">
      <span>
        {t('console.selling.stopped', { count: stopped.length })}{' '}
        {stopped.map(({ kind, code }) => (
          <bdi key={kind + code}>
            {t(`console.selling.kind.${kind}`)} {code}{' '}
          </bdi>
        ))}
      </span>
      <a className="btn edge sm" href={`${CONSOLE_PATH}/selling`}>
        {t('console.open')}
      </a>
    </p>
  )
}
