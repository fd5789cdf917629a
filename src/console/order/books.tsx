import { Fragment } from 'react'
import { AddressText } from '#ui/address-text.tsx'
import { State } from '../kit/state.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { Chosen } from './act-panel.tsx'
import type { OrderData } from './load.ts'

interface Props {
  readonly data: OrderData
}

export function Summary({ data: { order, captured, refunded, taxes, shopper } }: Props) {
  const t = useT()
  return (
    <section className="panel stack-2">
      <h2>{t('console.order.summary')}</h2>
      <dl className="dl">
        <dt>{t('console.orders.customer')}</dt>
        <dd>
          {shopper.path === null ? (
            <bdi>{order.shopper ?? t('console.erased')}</bdi>
          ) : (
            <a className="link" href={CONSOLE_PATH + shopper.path}>
              <bdi>{order.shopper}</bdi>
            </a>
          )}{' '}
          <small className="mono">{shopper.uid}</small>
          {shopper.email !== null && (
            <>
              <br />
              <AddressText>{shopper.email}</AddressText>
            </>
          )}
        </dd>
        <dt>{t('console.orders.total')}</dt>
        <dd>
          <bdi className="money">{order.total}</bdi>
        </dd>
        {taxes.map(({ label, amount }) => (
          <Fragment key={label}>
            <dt>{label}</dt>
            <dd>
              <bdi className="money">{amount}</bdi>
            </dd>
          </Fragment>
        ))}
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

export function Payments({ data: { payments } }: Props) {
  const t = useT()
  if (payments.length === 0) return null
  return (
    <section className="panel stack-2">
      <h2>{t('console.order.payments')}</h2>
      <ul className="stack-2">
        {payments.map((payment) => (
          <li key={payment.id} className="row between wrapx">
            <span>
              <b>
                <bdi>{payment.method}</bdi>
              </b>{' '}
              <small>
                <bdi>{payment.provider}</bdi>
              </small>{' '}
              <State look={payment.look} text={payment.state} />
              <small className="sub">
                {payment.at}
                {payment.failure !== null && (
                  <bdi className="down" lang="en">
                    {' '}
                    {payment.failure}
                  </bdi>
                )}
              </small>
            </span>
            <bdi className="money">{payment.amount}</bdi>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function Refunds({
  data: { refunds },
  open,
}: Props & { readonly open: (chosen: Chosen) => void }) {
  const t = useT()
  if (refunds.length === 0) return null
  return (
    <section className="panel stack-2">
      <h2>{t('console.order.refunds')}</h2>
      <ul className="stack-2">
        {refunds.map((refund) => (
          <li key={refund.id} className="row between wrapx">
            <span>
              <State look={refund.look} text={refund.state} />
              <small className="sub">
                {t(`console.acts.way.${refund.to}`)} {t('console.order.by', { name: refund.by })}
              </small>
            </span>
            <bdi className="money">{refund.amount}</bdi>
            {refund.isFailed && (
              <button
                type="button"
                className="btn edge sm"
                onClick={() => open({ act: 'repeat', refund: refund.id })}
              >
                {t('console.acts.name.repeat')}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What was issued for the order, each as a file. */
export function Invoices({ data: { invoices } }: Props) {
  const t = useT()
  if (invoices.length === 0) return null
  return (
    <section className="panel stack-2">
      <h2>{t('console.order.invoices')}</h2>
      <ul className="stack-2">
        {invoices.map((invoice) => (
          <li key={invoice.id} className="row between wrapx">
            <span>
              <a className="link" href={`/api/console/money/invoice?id=${invoice.id}`} download>
                <bdi>{invoice.text}</bdi>
              </a>{' '}
              <small>{invoice.at}</small>
            </span>
            <bdi className="money">{invoice.amount}</bdi>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The movements of the books that are the order's. */
export function Movements({ data: { movements } }: Props) {
  const t = useT()
  if (movements.length === 0) return null
  return (
    <section className="panel flush">
      <div className="panel-h">
        <h2>{t('console.order.money')}</h2>
      </div>
      <div className="scrollx line-t" tabIndex={0}>
        <table className="fold">
          <thead>
            <tr>
              <th>{t('console.customer.when')}</th>
              <th>{t('console.order.movement')}</th>
              <th>{t('console.order.from')}</th>
              <th>{t('console.order.toAccount')}</th>
              <th className="num">{t('console.order.amount')}</th>
            </tr>
          </thead>
          <tbody>
            {movements.map((moved, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows are only added at the end
              <tr key={index}>
                <td className="s">{moved.at}</td>
                <td className="t">{moved.what}</td>
                <td className="small">
                  <bdi>{moved.from}</bdi>
                </td>
                <td className="small">
                  <bdi>{moved.to}</bdi>
                </td>
                <td className="num a">
                  <bdi className="money">{moved.amount}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** How each price came about, as it was stored with the order. */
export function Prices({ data: { prices } }: Props) {
  const t = useT()
  const told = prices.filter(({ steps }) => steps.length > 0)
  if (told.length === 0) return null
  return (
    <section className="panel stack-2">
      <h2>{t('console.order.price')}</h2>
      {told.map((line) => (
        <details key={line.goods}>
          <summary>
            <span>
              {line.quantity} × <bdi>{line.goods}</bdi> <bdi className="money">{line.price}</bdi>
            </span>
          </summary>
          <ol className="chain">
            {line.steps.map((step, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: what is stored stays
              <li key={index}>
                <span>{step.name}</span>
                <bdi className="op" />
                <bdi className="val">{step.value}</bdi>
                <small>
                  <bdi>{step.by}</bdi>
                </small>
              </li>
            ))}
          </ol>
        </details>
      ))}
    </section>
  )
}

export function Evidence({ data: { evidence } }: Props) {
  const t = useT()
  if (evidence.length === 0) return null
  return (
    <section className="panel stack-2">
      <h2>{t('console.order.evidence')}</h2>
      <dl className="dl">
        {evidence.map(({ name, value }) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  )
}

export function Mails({ data: { mails } }: Props) {
  const t = useT()
  if (mails.length === 0) return null
  return (
    <section className="panel stack-2">
      <h2>{t('console.order.mails')}</h2>
      <ul className="stack-2">
        {mails.map((mail, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are only added at the end
          <li key={index} className="row between wrapx">
            <span>{mail.text}</span>
            <small>{mail.state}</small>
          </li>
        ))}
      </ul>
    </section>
  )
}
