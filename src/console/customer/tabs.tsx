import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { State } from '../kit/state.tsx'
import { Thumb } from '../kit/thumb.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { OrderLink } from '../kit/order-link.tsx'
import { SessionList } from '../kit/session-list.tsx'
import { Views } from '../kit/views.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { CustomerData, Tab } from './load.ts'
import { Notes } from './notes.tsx'

const TABS: readonly Tab[] = ['orders', 'money', 'cases', 'mails', 'devices', 'notes']

export function Tabs({ data }: { readonly data: CustomerData }) {
  const t = useT()
  const counts: Readonly<Record<Tab, number>> = {
    orders: data.orders.length,
    money: data.money.length,
    cases: data.cases.length,
    mails: data.mails.length,
    devices: data.devices.length,
    notes: data.notes.length,
  }
  return (
    <>
      <Views
        views={TABS.map((name) => ({
          name,
          text: t(`console.customer.tab.${name}`),
          count: counts[name],
        }))}
        current={data.tab}
        address={(tab) =>
          `/customers/${data.id}?tab=${tab}${data.from === null ? '' : `&order=${data.from}`}`
        }
      />
      <section className="panel flush">
        {counts[data.tab] === 0 ? (
          <div className="empty">
            <p>{t(`console.customer.empty.${data.tab}`)}</p>
          </div>
        ) : (
          <Open data={data} />
        )}
      </section>
    </>
  )
}

function Open({ data }: { readonly data: CustomerData }) {
  switch (data.tab) {
    case 'orders':
      return <Orders data={data} />
    case 'money':
      return <Money data={data} />
    case 'cases':
      return <Cases data={data} />
    case 'mails':
      return <Mails data={data} />
    case 'devices':
      return <Devices data={data} />
    default:
      return <Notes notes={data.notes} mayChange={data.may.change} />
  }
}

function Orders({ data: { orders } }: { readonly data: CustomerData }) {
  const t = useT()
  return (
    <div className="scrollx">
      <table className="fold">
        <thead>
          <tr>
            <th>{t('console.orders.order')}</th>
            <th>{t('console.orders.goods')}</th>
            <th className="num">{t('console.orders.total')}</th>
            <th className="c3">{t('console.orders.method')}</th>
            <th>{t('console.orders.state')}</th>
          </tr>
        </thead>
        <tbody>
          {orders.map((row) => (
            <tr key={row.number}>
              <td className="t">
                <OrderLink number={row.number} isRow />{' '}
                <small className="num hide-s">{row.at}</small>
              </td>
              <td className="m clamp">
                <Thumb picture={row.picture} />
                <bdi>{row.goods}</bdi>
              </td>
              <td className="num a">
                <bdi className="money">{row.total}</bdi>
              </td>
              <td className="c3">
                <bdi>{row.method}</bdi>
              </td>
              <td className="s">
                <State look={row.look} text={row.state} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Money({ data: { money } }: { readonly data: CustomerData }) {
  const t = useT()
  return (
    <div className="scrollx">
      <table className="fold">
        <thead>
          <tr>
            <th>{t('console.customer.moved')}</th>
            <th className="num">{t('console.customer.amount')}</th>
            <th>{t('console.orders.order')}</th>
            <th className="num">{t('console.customer.when')}</th>
          </tr>
        </thead>
        <tbody>
          {money.map(({ what, amount, order, at }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a movement has no name of its own
            <tr key={index}>
              <td className="t">{what}</td>
              <td className="num a">
                <bdi className="money">{amount}</bdi>
              </td>
              <td className="m">{order === null ? '–' : <OrderLink number={order} isRow />}</td>
              <td className="num s">{at}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cases({ data: { cases } }: { readonly data: CustomerData }) {
  const t = useT()
  return (
    <ul className="units">
      {cases.map(({ id, what, order, at, look, state }) => (
        <li key={id}>
          <span>
            <b>{what}</b>
            <small>
              <OrderLink number={order} isRow />, {at}
            </small>
          </span>
          <span className="s">
            <State look={look} text={state} />
          </span>
          <span className="p">
            <a className="link" href={`${CONSOLE_PATH}/cases/${id}`}>
              {t('console.open')}
            </a>
          </span>
        </li>
      ))}
    </ul>
  )
}

function Mails({ data: { id, mails, may, status } }: { readonly data: CustomerData }) {
  const t = useT()
  const attempt = useAttempt()
  async function again(mail: string) {
    if (await attempt.run(() => callConsole('shoppers/send_mail', { shopper: id, mail })))
      refreshPage()
  }
  return (
    <>
      <Fault text={attempt.fault} />
      <ul className="units">
        {mails.map((mail) => (
          <li key={mail.id}>
            <span>
              <b>
                <bdi>{mail.subject}</bdi>
              </b>
              <small>{mail.at}</small>
            </span>
            <span className="s">
              <State look={mail.look} text={mail.state} />
            </span>
            <span className="p">
              {may.change && mail.mayRepeat && status === 'active' && (
                <button
                  type="button"
                  className="btn edge sm"
                  disabled={attempt.isBusy}
                  onClick={() => void again(mail.id)}
                >
                  {t('console.customer.sendAgain')}
                </button>
              )}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

function Devices({ data: { id, devices, may } }: { readonly data: CustomerData }) {
  const t = useT()
  const attempt = useAttempt()
  async function end(session: string | null) {
    const body = session === null ? { shopper: id } : { shopper: id, session }
    if (await attempt.run(() => callConsole('shoppers/end_sessions', body))) refreshPage()
  }
  return (
    <SessionList
      sessions={devices.map(({ id: session, name, network, since, seen }) => ({
        id: session,
        device: name,
        network,
        told: t('console.customer.signedIn', { date: since }),
        state: seen,
        mayEnd: may.change,
      }))}
      attempt={attempt}
      end={end}
      endText={t('console.customer.endOne')}
      endAllText={may.change ? t('console.customer.endAll') : null}
    />
  )
}
