import { Icon } from '#ui/icon.tsx'
import { State } from '../kit/state.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { OrderData } from './load.ts'

/** One order: its units, what happened, its money. */
export function Page({ data }: { readonly data: OrderData }) {
  const t = useT()
  const { order } = data
  return (
    <>
      <div className="pg">
        <div>
          <a className="back" href={`${CONSOLE_PATH}/orders`}>
            <Icon name="left" />
            {t('console.orders.nav')}
          </a>
          <h1>
            <bdi className="oid">{order.grouped}</bdi>{' '}
            <State look={order.look} text={order.state} />
          </h1>
        </div>
      </div>
      <div className="g2 dp">
        <div className="stack">
          <Units data={data} />
          <Story data={data} />
        </div>
        <aside className="stack">
          <Summary data={data} />
          <Payments data={data} />
          <Refunds data={data} />
        </aside>
      </div>
    </>
  )
}

function Units({ data: { units } }: { readonly data: OrderData }) {
  const t = useT()
  return (
    <section className="panel flush">
      <div className="panel-h">
        <h2>{t('console.order.units')}</h2>
      </div>
      <ul className="units line-t">
        {units.map((unit) => (
          <li key={unit.id}>
            <span />
            <span>
              <b>
                <bdi>{unit.goods}</bdi>
              </b>
              {unit.note !== null && <small>{unit.note}</small>}
            </span>
            <span className="s">
              <State look={unit.look} text={unit.state} />
            </span>
            <span className="p">
              <bdi className="money">{unit.price}</bdi>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Story({ data: { story } }: { readonly data: OrderData }) {
  const t = useT()
  return (
    <section className="panel flush">
      <div className="panel-h">
        <h2>{t('console.order.story')}</h2>
      </div>
      <div className="line-t">
        <ol className="story">
          {story.map(({ at, text, mark, by }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are only added at the end
            <li key={index} className={mark}>
              <time>{at}</time>
              <span className="d" />
              <div>
                <p>
                  {text}
                  {by !== null && <small> {t('console.order.by', { name: by })}</small>}
                </p>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}

function Summary({ data: { order, captured, refunded } }: { readonly data: OrderData }) {
  const t = useT()
  return (
    <section className="panel stack-2">
      <h2>{t('console.order.summary')}</h2>
      <dl className="dl">
        <dt>{t('console.orders.customer')}</dt>
        <dd>
          <bdi>{order.shopper ?? t('console.erased')}</bdi>
        </dd>
        <dt>{t('console.orders.total')}</dt>
        <dd>
          <bdi className="money">{order.total}</bdi>
        </dd>
        <dt>{t('console.order.captured')}</dt>
        <dd>
          <bdi className="money">{captured}</bdi>
        </dd>
        {refunded !== null && (
          <>
            <dt>{t('console.order.refunded')}</dt>
            <dd>
              <bdi className="money">{refunded}</bdi>
            </dd>
          </>
        )}
        <dt>{t('console.order.made')}</dt>
        <dd>{order.at}</dd>
      </dl>
    </section>
  )
}

function Payments({ data: { payments } }: { readonly data: OrderData }) {
  const t = useT()
  if (payments.length === 0) return null
  return (
    <section className="panel stack-2">
      <h2>{t('console.order.payments')}</h2>
      <ul className="stack-2">
        {payments.map((payment) => (
          <li key={payment.id} className="row between wrapx">
            <span>
              <b>{payment.method}</b> <small className="muted">{payment.at}</small>
              {payment.failure !== null && <small className="down"> {payment.failure}</small>}
            </span>
            <span>
              <span className="mono tiny">{payment.state}</span>{' '}
              <bdi className="money">{payment.amount}</bdi>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Refunds({ data: { refunds } }: { readonly data: OrderData }) {
  const t = useT()
  if (refunds.length === 0) return null
  return (
    <section className="panel stack-2">
      <h2>{t('console.order.refunds')}</h2>
      <ul className="stack-2">
        {refunds.map((refund) => (
          <li key={refund.id} className="row between wrapx">
            <span className="mono tiny">
              {refund.to} · {refund.state}
            </span>
            <bdi className="money">{refund.amount}</bdi>
          </li>
        ))}
      </ul>
    </section>
  )
}
