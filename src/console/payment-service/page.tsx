import { Fragment } from 'react'
import { Icon } from '#ui/icon.tsx'
import { State } from '../kit/state.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { ServiceData } from './load.ts'
import { SettingsForm } from './settings-form.tsx'

/** One way in for money: how it stands, and the settings that it goes by. */
export function Page({ data }: { readonly data: ServiceData }) {
  const t = useT()
  return (
    <>
      <div className="pg">
        <div>
          <a className="back" href={`${CONSOLE_PATH}/money`}>
            <Icon name="left" />
            {t('console.money.nav')}
          </a>
          <h1 className="row wrapx">
            <bdi>{data.name}</bdi>
            <State look={data.look} text={data.state} />
            {data.mode !== null && <span className="badge">{data.mode}</span>}
          </h1>
          <Lead data={data} />
        </div>
      </div>
      <div className="g2 dp">
        <section className="panel stack" aria-labelledby="settings">
          <h2 id="settings">{t('console.money.settings')}</h2>
          <Settings data={data} />
        </section>
        <aside className="stack">
          <section className="panel stack-2" aria-labelledby="stands">
            <h2 id="stands">{t('console.orders.state')}</h2>
            <dl className="dl">
              {data.figures.map(({ name, value }) => (
                <Fragment key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </Fragment>
              ))}
              {data.account !== null && (
                <>
                  <dt>{t('console.service.account')}</dt>
                  <dd>
                    <bdi>{data.account}</bdi>
                  </dd>
                </>
              )}
              {data.webhook !== null && (
                <>
                  <dt>{t('console.service.webhook')}</dt>
                  <dd className="mono small" dir="ltr">
                    {data.webhook}
                  </dd>
                </>
              )}
            </dl>
            {data.failure !== null && (
              <p className="note bad" lang="en" dir="ltr">
                {data.failure}
              </p>
            )}
          </section>
        </aside>
      </div>
    </>
  )
}

function Lead({ data: { source, set, lacking } }: { readonly data: ServiceData }) {
  const t = useT()
  return (
    <p>
      {source === 'entered' && set
        ? t('console.service.setBy', { at: set.at, name: set.by })
        : t(`console.service.lead.${source}`, { names: lacking.join(', ') })}
    </p>
  )
}

/** Read-only where the environment gives them, or the reader may not change them. */
function Settings({ data }: { readonly data: ServiceData }) {
  const t = useT()
  if (data.source === 'own') return <p className="hint">{t('console.service.lead.own')}</p>
  if (data.source === 'environment' || data.source === 'address' || !data.mayChange)
    return (
      <>
        <ul className="stack-2">
          {data.settings.map((setting) => (
            <li key={setting.name} className="row between wrapx">
              <bdi className="mono small">{setting.name}</bdi>
              <span>{t(setting.isSet ? 'console.service.isSet' : 'console.service.notSet')}</span>
            </li>
          ))}
        </ul>
        <p className="hint">
          {data.source === 'environment' || data.source === 'address'
            ? t(`console.service.lead.${data.source}`, { names: data.lacking.join(', ') })
            : t('console.service.notYours')}
        </p>
      </>
    )
  return (
    <>
      {data.waits && (
        <p className="note warn">
          {t('console.service.waitsAlready')}{' '}
          <a className="link" href={`${CONSOLE_PATH}/approvals`}>
            {t('console.approvals.nav')}
          </a>
        </p>
      )}
      <SettingsForm
        data={{ ...data, isEntered: data.version > 0 && data.source !== 'none' }}
        of="payment"
      />
    </>
  )
}
