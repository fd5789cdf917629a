import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { PayBody } from './bodies.ts'
import { Facts } from './facts.tsx'
import { fromStep } from './paths.ts'

/** A way to be paid, then a payment in its test mode: a real order of a real item, paid with no money, and refunded. */
export function PayStep({ body }: { readonly body: PayBody }) {
  const t = useT()
  return (
    <>
      <section className="panel flush">
        <ul className="todo line-t">
          {body.services.map(({ code, isSet, mode }) => (
            <li key={code}>
              <p>
                <b>
                  <bdi>{code}</bdi>
                </b>
                {isSet && mode !== null && <small>{t(`console.money.mode.${mode}`)}</small>}
              </p>
              <span className="age">
                {t(isSet ? 'console.service.isSet' : 'console.service.notSet')}
              </span>
              <a className="btn edge sm" href={fromStep('pay', `/money/providers/${code}`)}>
                {t('console.money.settings')}
                <span className="sr"> {code}</span>
              </a>
            </li>
          ))}
        </ul>
      </section>
      {body.services.some(({ isSet, mode }) => isSet && mode === 'test') && (
        <p className="note warn">{t('console.guide.pay.testMode')}</p>
      )}
      <TestPayment body={body} />
    </>
  )
}

function TestPayment({ body: { item, services, payments, needed } }: { readonly body: PayBody }) {
  const t = useT()
  const isStripe = services.some(
    ({ code, isSet, mode }) => code === 'stripe' && isSet && mode === 'test',
  )
  return (
    <section className="panel stack" aria-labelledby="try-h">
      <h3 id="try-h">{t('console.guide.pay.test')}</h3>
      {item === null ? (
        <p className="note">{t('console.guide.pay.noItem')}</p>
      ) : (
        <>
          <p>{t('console.guide.pay.how', { item: item.name, price: item.price })}</p>
          {isStripe && <p className="hint">{t('console.guide.pay.card')}</p>}
          <p>
            <a className="btn edge" href={item.path} target="_blank" rel="noreferrer">
              {t('console.guide.look.open')}
            </a>
          </p>
        </>
      )}
      {needed.length > 0 && (
        <>
          <p>{t('console.guide.needed')}</p>
          <Facts lines={needed} />
        </>
      )}
      {payments.length > 0 && (
        <>
          <h3>{t('console.guide.pay.arrived')}</h3>
          <ul className="stack-2">
            {payments.map(({ order, amount, at, provider, isRefunded }) => (
              <li key={order} className="row between wrapx">
                <span>
                  <b className="num">{amount}</b> <bdi>{provider}</bdi>{' '}
                  <span className="muted small">{at}</span>
                  {isRefunded && <span className="badge"> {t('console.guide.pay.refunded')}</span>}
                </span>
                <a className="btn edge sm" href={`${CONSOLE_PATH}/orders/${order}?guide=pay`}>
                  {t('console.open')}
                  <span className="sr"> {order}</span>
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
