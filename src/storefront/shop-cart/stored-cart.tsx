import { isBuyable } from '#features/buying/cart/rules.ts'
import type { CartLineView, CartView } from '#features/buying/cart/views.ts'
import { Button, ButtonLink, IconButton } from '#ui/button.tsx'
import { DetailLayout } from '#ui/detail.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { Stepper } from '#ui/stepper.tsx'
import type { ReactNode } from 'react'
import { FORM_FIELD } from '../forms/form-field.ts'
import { unitsOf } from '../state/cart.ts'
import { useHref, useT } from '../i18n.tsx'
import { lineGoods } from './about.ts'
import { Line } from './line.tsx'
import css from './shop-cart.module.css'
import { SIGN_IN_TO_PAY, VisitorSummary } from './visitor-summary.tsx'

/** A visitor's cart where no script runs: forms alone, and the way to signing in. */
export function StoredCart({ cart }: { readonly cart: CartView }) {
  const t = useT()
  const href = useHref()
  const count = unitsOf(cart.list.filter(({ state }) => isBuyable(state)))
  return (
    <DetailLayout
      aside={
        <VisitorSummary count={count} total={cart.total?.text ?? ''}>
          <ButtonLink href={href(SIGN_IN_TO_PAY)} look="pay" size="large" block>
            {t('shop-cart.pay')}
          </ButtonLink>
        </VisitorSummary>
      }
    >
      <Panel padding="tight" className={css.lines}>
        <ul>
          {cart.list.map((line) => (
            <StoredLine key={line.id} line={line} />
          ))}
        </ul>
      </Panel>
      <Note>{t('shop-cart.onePayment')}</Note>
    </DetailLayout>
  )
}

function StoredLine({ line }: { readonly line: CartLineView }) {
  const t = useT()
  const { state } = line
  const name = line.product.goods_name
  const canBuy = isBuyable(state)
  return (
    <Line
      {...lineGoods(t, line)}
      state={state === 'ok' ? null : { tone: 'warn', text: line.state_text }}
      price={canBuy ? (line.total?.text ?? null) : null}
    >
      {canBuy || (state === 'limit' && line.limit > 0) ? (
        <StoredForm name="quantity" id={line.id}>
          <Stepper
            name="quantity"
            label={t('shop-cart.quantityOf', { name })}
            lessLabel={t('shop-cart.less')}
            moreLabel={t('shop-cart.more')}
            min={1}
            max={line.limit}
            defaultValue={line.quantity}
            autoComplete="off"
          />
          <Button type="submit" size="small">
            {t('shop-cart.update')}
          </Button>
        </StoredForm>
      ) : null}
      <StoredForm name="remove" id={line.id}>
        <IconButton type="submit" icon="trash" label={t('shop-cart.remove', { name })} />
      </StoredForm>
    </Line>
  )
}

function StoredForm({
  name,
  id,
  children,
}: {
  readonly name: string
  readonly id: string
  readonly children: ReactNode
}) {
  const href = useHref()
  return (
    <form method="post" action={href('/shop-cart')} className={css.quantity}>
      <input type="hidden" name={FORM_FIELD} value={name} />
      <input type="hidden" name="id" value={id} />
      {children}
    </form>
  )
}
