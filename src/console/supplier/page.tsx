import { Fragment, useState } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Icon } from '#ui/icon.tsx'
import { Fault } from '../kit/fault.tsx'
import { State } from '../kit/state.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { Views } from '../kit/views.tsx'
import { supplierName } from '../kit/supplier-name.ts'
import { SettingsForm } from '../payment-service/settings-form.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import { Books } from './books-panel.tsx'
import { Catalogue } from './catalogue-panel.tsx'
import type { OverviewView, SupplierData } from './load.ts'
import { RoutingPanel } from './routing-panel.tsx'

const VIEWS = ['overview', 'catalogue', 'routing', 'books'] as const

/** One that the shop buys from: how it goes, its settings, its list, what is bought there, and its books. */
export function Page({ data }: { readonly data: SupplierData }) {
  const t = useT()
  return (
    <>
      <div className="pg">
        <div>
          <a className="back" href={`${CONSOLE_PATH}/suppliers`}>
            <Icon name="left" />
            {t('console.suppliers.nav')}
          </a>
          <h1 className="row wrapx">
            <bdi>{supplierName(data.code)}</bdi>
            <State look={data.look} text={data.state} />
            {data.mode !== null && <span className="badge">{data.mode}</span>}
          </h1>
          {data.why !== null && <p>{data.why}</p>}
        </div>
        {data.isKnown && data.mayManage && <Acts data={data} />}
      </div>
      {data.isKnown && (
        <Views
          views={VIEWS.map((name) => ({
            name,
            text: t(`console.supplier.view.${name}`),
            count: name === 'catalogue' ? data.jumps || null : null,
            isUrgent: true,
          }))}
          current={data.shown.view}
          address={(view) => `/suppliers/${data.code}?view=${view}`}
        />
      )}
      <Shown data={data} />
    </>
  )
}

function Shown({ data: { code, shown } }: { readonly data: SupplierData }) {
  switch (shown.view) {
    case 'overview':
      return <Overview code={code} shown={shown} />
    case 'catalogue':
      return <Catalogue code={code} shown={shown} />
    case 'routing':
      return <RoutingPanel code={code} shown={shown} />
    case 'books':
      return <Books code={code} shown={shown} />
  }
}

/** Stopping for a while is a page of its own; ending, and going on at once, are done here, with what follows told first. */
function Acts({ data: { code, isOn, isStopped, rests } }: { readonly data: SupplierData }) {
  const t = useT()
  const attempt = useAttempt()
  const [isAsked, setAsked] = useState(false)
  const act = (path: string, body: Readonly<Record<string, unknown>>) =>
    void attempt
      .run(() => callConsole(path, body))
      .then((done) => {
        if (!done) return
        setAsked(false)
        refreshPage()
      })
  return (
    <div className="stack-2">
      <div className="row wrapx">
        {rests && (
          <button
            type="button"
            className="btn edge"
            disabled={attempt.isBusy}
            onClick={() => act('suppliers/resume', { supplier: code })}
          >
            {t('console.supplier.resume')}
          </button>
        )}
        <a className="btn edge" href={`${CONSOLE_PATH}/selling?kind=supplier&code=${code}`}>
          {t(isStopped ? 'console.supplier.startSelling' : 'console.supplier.stopSelling')}
        </a>
        {isOn ? (
          <button type="button" className="btn edge" onClick={() => setAsked(!isAsked)}>
            {t('console.supplier.switchOff')}
          </button>
        ) : (
          <button
            type="button"
            className="btn solid"
            disabled={attempt.isBusy}
            onClick={() => act('suppliers/switch', { supplier: code, is_on: true })}
          >
            {t('console.supplier.switchOn')}
          </button>
        )}
      </div>
      {isAsked && (
        <section className="fx">
          <h3>{t('console.effect')}</h3>
          <p>{t('console.supplier.switchOffText')}</p>
          <button
            type="button"
            className="btn bad"
            disabled={attempt.isBusy}
            onClick={() => act('suppliers/switch', { supplier: code, is_on: false })}
          >
            {t('console.supplier.switchOff')}
          </button>
        </section>
      )}
      <Fault text={attempt.fault} />
    </div>
  )
}

function Overview({ code, shown }: { readonly code: string; readonly shown: OverviewView }) {
  const t = useT()
  return (
    <div className="g2 dp">
      <div className="stack">
        <section className="panel stack" aria-labelledby="settings">
          <h2 id="settings">{t('console.supplier.connection')}</h2>
          <Settings code={code} shown={shown} />
        </section>
        {shown.brands.length > 0 && <Brands shown={shown} />}
      </div>
      <aside className="stack">
        <Figures code={code} shown={shown} />
      </aside>
    </div>
  )
}

function Figures({ code, shown }: { readonly code: string; readonly shown: OverviewView }) {
  const t = useT()
  const attempt = useAttempt()
  return (
    <section className="panel stack-2" aria-labelledby="stands">
      <h2 id="stands">{t('console.orders.state')}</h2>
      <dl className="dl">
        {shown.figures.map(({ name, value }) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
        {shown.balances.map((balance) => (
          <Fragment key={balance.amount}>
            <dt>{t('console.money.balance')}</dt>
            <dd>
              <bdi className="money">{balance.amount}</bdi>{' '}
              {balance.lasts !== null && (
                <span className={balance.isLow ? 'badge warn' : 'muted'}>
                  {t('console.suppliers.lasts', { time: balance.lasts })}
                </span>
              )}
              {balance.off !== null && (
                <span className="badge bad">
                  {t('console.supplier.offBy', { amount: balance.off })}
                </span>
              )}
              <small className="sub">{t('console.money.balanceAge', { age: balance.asked })}</small>
            </dd>
          </Fragment>
        ))}
        {shown.account !== null && (
          <>
            <dt>{t('console.service.account')}</dt>
            <dd>
              <bdi>{shown.account}</bdi>
            </dd>
          </>
        )}
        {shown.webhook !== null && (
          <>
            <dt>{t('console.service.webhook')}</dt>
            <dd className="mono small" dir="ltr">
              {shown.webhook}
            </dd>
          </>
        )}
      </dl>
      {shown.figures.length > 0 && (
        <button
          type="button"
          className="btn edge sm"
          disabled={attempt.isBusy}
          onClick={() =>
            void attempt
              .run(() => callConsole('suppliers/balance', { supplier: code }))
              .then((done) => done && setTimeout(refreshPage, ASKED_MS))
          }
        >
          {t('console.supplier.askBalance')}
        </button>
      )}
      <Fault text={attempt.fault} />
    </section>
  )
}

/** The worker asks within a second or two. */
const ASKED_MS = 3_000

function Brands({ shown: { brands } }: { readonly shown: OverviewView }) {
  const t = useT()
  return (
    <section className="panel flush" aria-labelledby="brands">
      <div className="panel-h">
        <h2 id="brands">{t('console.supplier.byBrand')}</h2>
      </div>
      <div className="scrollx line-t" tabIndex={0}>
        <table className="fold">
          <thead>
            <tr>
              <th>{t('console.supplier.brand')}</th>
              <th className="num">{t('console.supplier.purchases')}</th>
              <th className="num">{t('console.suppliers.p50')}</th>
              <th className="c1 num">{t('console.suppliers.p95')}</th>
              <th className="num">{t('console.suppliers.share')}</th>
            </tr>
          </thead>
          <tbody>
            {brands.map((brand) => (
              <tr key={brand.code}>
                <td className="t" dir="auto">
                  {brand.name}
                </td>
                <td className="num a">{brand.count}</td>
                <td className="num m">{brand.p50}</td>
                <td className="c1 num">{brand.p95}</td>
                <td className="num s">{brand.share}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** Read-only where the environment gives them, or the reader may not change them. */
function Settings({ code, shown }: { readonly code: string; readonly shown: OverviewView }) {
  const t = useT()
  const { service, set, waits, mayChange } = shown
  const lead =
    service.source === 'entered' && set
      ? t('console.service.setBy', { at: set.at, name: set.by })
      : t(`console.supplier.lead.${service.source}`, { names: service.lacking.join(', ') })
  const isClosed = service.source === 'environment' || service.source === 'address' || !mayChange
  return (
    <>
      <p className="hint">{lead}</p>
      {isClosed ? (
        <ul className="stack-2">
          {service.settings.map((setting) => (
            <li key={setting.name} className="row between wrapx">
              <bdi className="mono small">{setting.name}</bdi>
              <span>{t(setting.isSet ? 'console.service.isSet' : 'console.service.notSet')}</span>
            </li>
          ))}
        </ul>
      ) : (
        <>
          {waits && (
            <p className="note warn">
              {t('console.service.waitsAlready')}{' '}
              <a className="link" href={`${CONSOLE_PATH}/approvals`}>
                {t('console.approvals.nav')}
              </a>
            </p>
          )}
          <SettingsForm
            data={{
              code,
              version: service.version,
              settings: service.settings,
              isEntered: service.source === 'entered' || service.source === 'unreadable',
            }}
            of="supplier"
          />
        </>
      )}
    </>
  )
}
