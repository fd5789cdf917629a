import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { OrderLink } from '../kit/order-link.tsx'
import { State } from '../kit/state.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { Pager } from '../kit/pager.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { WebhooksData } from './load.ts'

const LOOKS = { waiting: 'way', delivered: 'done', given_up: 'fail' } as const

/** Where resellers are told of their orders, how that goes, and telling again. */
export function Page({ data }: { readonly data: WebhooksData }) {
  const t = useT()
  return (
    <>
      <div className="pg">
        <div>
          <h1>{t('console.webhooks.nav')}</h1>
          <p>{t('console.webhooks.lead')}</p>
        </div>
      </div>
      {data.endpoints.length === 0 ? (
        <section className="panel empty">
          <h2>{t('console.webhooks.none')}</h2>
          <p>{t('console.webhooks.noneText')}</p>
        </section>
      ) : (
        <Endpoints data={data} />
      )}
      {data.open && <Deliveries open={data.open} mayReplay={data.mayReplay} />}
    </>
  )
}

function Endpoints({ data: { endpoints, open, mayReplay } }: { readonly data: WebhooksData }) {
  const t = useT()
  return (
    <section className="panel flush scrollx">
      <table className="fold">
        <thead>
          <tr>
            <th>{t('console.webhooks.address')}</th>
            <th className="num">{t('console.webhooks.state.delivered')}</th>
            <th className="num">{t('console.webhooks.state.waiting')}</th>
            <th className="num">{t('console.webhooks.state.given_up')}</th>
            <th>{t('console.orders.state')}</th>
            <th>
              <span className="sr">{t('console.webhooks.again')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {endpoints.map((each) => (
            <tr key={each.id} aria-current={open?.id === each.id}>
              <td className="t">
                <a className="link" href={`${CONSOLE_PATH}/webhooks?endpoint=${each.id}`}>
                  <bdi>{each.host}</bdi>
                </a>{' '}
                <small className="muted">
                  <bdi>{each.account ?? t('console.erased')}</bdi>
                </small>
              </td>
              <td className="num m">
                <span className="show-s">{t('console.webhooks.state.delivered')}: </span>
                {each.delivered}
              </td>
              <td className="num m">
                <span className="show-s">{t('console.webhooks.state.waiting')}: </span>
                {each.waiting}
              </td>
              <td className="num m">
                <span className="show-s">{t('console.webhooks.state.given_up')}: </span>
                {each.givenUp}
              </td>
              <td className="a">
                <State
                  look={each.isOn ? 'done' : 'gone'}
                  text={t(each.isOn ? 'console.webhooks.on' : 'console.webhooks.off')}
                />
              </td>
              <td className="end">
                {mayReplay && each.isOn && each.givenUp > 0 && (
                  <Replay id={each.id} label={t('console.webhooks.allAgain')} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Deliveries({
  open: { deliveries, older },
  mayReplay,
}: {
  readonly open: NonNullable<WebhooksData['open']>
  readonly mayReplay: boolean
}) {
  const t = useT()
  return (
    <section className="panel flush" aria-labelledby="deliveries">
      <div className="panel-h">
        <h2 id="deliveries">{t('console.webhooks.told')}</h2>
      </div>
      <ol className="inbox">
        {deliveries.map((each) => (
          <li key={each.id} className="row between wrapx">
            <p>
              <time className="num muted">{each.made}</time> <OrderLink number={each.order} />{' '}
              <State look={LOOKS[each.state]} text={t(`console.webhooks.state.${each.state}`)} />{' '}
              <span className="muted">
                {t('console.webhooks.tries', { count: each.attempts })} <bdi>{each.answer}</bdi>
              </span>
            </p>
            {mayReplay && each.state !== 'waiting' && (
              <Replay id={each.id} label={t('console.webhooks.again')} />
            )}
          </li>
        ))}
      </ol>
      <Pager older={older} />
    </section>
  )
}

function Replay({ id, label }: { readonly id: string; readonly label: string }) {
  const attempt = useAttempt()
  async function replay() {
    if (await attempt.run(() => callConsole('webhooks/replay', { id }))) refreshPage()
  }
  return (
    <>
      <button
        type="button"
        className="btn edge sm"
        disabled={attempt.isBusy}
        onClick={() => void replay()}
      >
        {label}
      </button>
      <Fault text={attempt.fault} />
    </>
  )
}
