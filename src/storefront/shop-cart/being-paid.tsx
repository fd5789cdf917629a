import { Button, ButtonLink } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Panel } from '#ui/panel.tsx'
import { CallForm } from '../forms/call-form.tsx'
import { Refusal } from '../forms/code-sent.tsx'
import { useHref, useT } from '../i18n.tsx'
import { forms } from './forms.ts'
import { Line } from './line.tsx'
import type { CartOrder } from './load.ts'
import css from './shop-cart.module.css'

/** Lines that are being paid: nothing is to be chosen or changed of them, only their order is paid or cancelled. */
export function BeingPaid({ orders }: { readonly orders: readonly CartOrder[] }) {
  return orders.map((order) => <Order key={order.order} order={order} />)
}

/** The way down to them, past a long cart. */
export function ToBeingPaid({ orders }: { readonly orders: readonly CartOrder[] }) {
  if (orders.length === 0) return null
  return (
    <ul className={css.toPaid}>
      {orders.map(({ order, text }) => (
        <li key={order}>
          <a className="link" href={`#order-${order}`}>
            {text}
            <Icon name="down" />
          </a>
        </li>
      ))}
    </ul>
  )
}

function Order({ order: { order, text, payBy, cancel, lines } }: { readonly order: CartOrder }) {
  const t = useT()
  const href = useHref()
  const heading = `order-${order}`
  return (
    <Panel padding="tight" className={css.lines} aria-labelledby={heading}>
      <div className={css.paid}>
        <h2 id={heading}>
          <a className="link" href={href(`/order/detail?order=${order}`)}>
            {text}
          </a>
        </h2>
        {payBy === null ? null : <p className="small muted">{payBy}</p>}
      </div>
      <ul>
        {lines.map((line, index) => (
          <Line
            key={index}
            name={line.name}
            path={line.path}
            image={line.image}
            about={line.about}
            account={line.account}
            state={null}
            price={line.total}
          />
        ))}
      </ul>
      <div className={css.way}>
        <p className="small muted">{t('shop-cart.beingPaidText')}</p>
        <CallForm name="cancelOrder" form={forms.cancelOrder} className="stack">
          {(view) => (
            <>
              <Refusal view={view} />
              <input type="hidden" name="order" value={order} />
              <div className="row">
                {payBy === null ? null : (
                  <ButtonLink look="solid" href={href(`/order/cashier?order=${order}`)}>
                    {t('shop-cart.toOrder')}
                  </ButtonLink>
                )}
                <Button type="submit" look="ghost" busy={view.busy}>
                  {cancel}
                </Button>
              </div>
            </>
          )}
        </CallForm>
      </div>
    </Panel>
  )
}
