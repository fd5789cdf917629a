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
import { usePageState } from '../forms/page-state.tsx'
import { useHref, useT } from '../i18n.tsx'
import { lineGoods } from './about.ts'
import { AMOUNT, amountText } from './forms.ts'
import { AmountField, outcomeOfAmount } from './line-amount.tsx'
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
          {cart.list.map((line, index) => (
            <StoredLine key={line.id} line={line} index={index} />
          ))}
        </ul>
      </Panel>
      <Note>{t('shop-cart.onePayment')}</Note>
    </DetailLayout>
  )
}

function StoredLine({ line, index }: { readonly line: CartLineView; readonly index: number }) {
  const t = useT()
  const { outcome } = usePageState()
  const { state, amount, amount_range: range } = line
  const name = line.product.goods_name
  const canBuy = isBuyable(state)
  const refused = outcomeOfAmount(outcome, line.id)
  return (
    <Line
      {...lineGoods(t, line)}
      state={state === 'ok' ? null : { tone: 'warn', text: line.state_text }}
      price={canBuy ? (line.total?.text ?? null) : null}
    >
      {amount && range && canBuy ? (
        <StoredForm name="amount" id={line.id} className={css.amount}>
          <input type="hidden" name="quantity" value={line.quantity} />
          <AmountField
            id={`amount-${index}`}
            range={range}
            isBad={refused?.faults[AMOUNT] !== undefined}
            defaultValue={refused?.values[AMOUNT] ?? amountText(amount)}
          />
          <Button type="submit" size="small">
            {t('shop-cart.update')}
          </Button>
        </StoredForm>
      ) : null}
      {canBuy || (state === 'limit' && line.limit > 0) ? (
        <StoredForm name="quantity" id={line.id}>
          <Stepper
            name="quantity"
            label={t('shop-cart.quantityOf', { name })}
            lessLabel={t('shop-cart.less', { name })}
            moreLabel={t('shop-cart.more', { name })}
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
  className = css.quantity,
  children,
}: {
  readonly name: string
  readonly id: string
  readonly className?: string | undefined
  readonly children: ReactNode
}) {
  const href = useHref()
  return (
    <form method="post" action={href('/shop-cart')} className={className} noValidate>
      <input type="hidden" name={FORM_FIELD} value={name} />
      <input type="hidden" name="id" value={id} />
      {children}
    </form>
  )
}
