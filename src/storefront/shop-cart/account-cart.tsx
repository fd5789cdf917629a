import type { CartLineView, CartView } from '#features/buying/cart/views.ts'
import { isBuyable } from '#features/buying/cart/rules.ts'
import { Button } from '#ui/button.tsx'
import { DetailLayout } from '#ui/detail.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { MobileBar } from '#ui/summary.tsx'
import { useEffect, useState } from 'react'
import type { Outcome } from '../forms/form.ts'
import { usePageState } from '../forms/page-state.tsx'
import { useT } from '../i18n.tsx'
import { totalMinor, writeAmount, type MoneyStyle } from '../product/amounts.ts'
import { showCount, unitsOf } from '../state/cart.ts'
import { refreshPage } from '../state/refresh.ts'
import { AccountLine, Head } from './account-cart-lines.tsx'
import { BeingPaid, ToBeingPaid } from './being-paid.tsx'
import { MadeNote, Summary, type CartSum } from './account-cart-summary.tsx'
import { PAY } from './forms.ts'
import { EmptyCart, Frame } from './frame.tsx'
import type { CartOrder } from './load.ts'
import css from './shop-cart.module.css'
import { keepChanges } from './unkept.ts'

/** From so many lines on, what is being paid lies below the first screen of a phone. */
const LONG = 3

/** The cart of an account. Without script each part is a form of its own; with it the page changes in place. */
export function AccountCart({
  cart,
  orders,
  money,
}: {
  readonly cart: CartView
  readonly orders: readonly CartOrder[]
  readonly money: MoneyStyle
}) {
  const t = useT()
  const { shown, chosen, refused, isPaying, accept, refuse, pay, choose } = useCart(cart)
  if (shown.list.length === 0) return <NothingLeft orders={orders} refused={refused} />
  const sum = sumOf(shown, chosen, money)
  return (
    <Frame count={unitsOf(shown.list)}>
      <DetailLayout
        aside={
          <Summary
            sum={sum}
            count={unitsOf(chosen)}
            refused={refused}
            isPaying={isPaying}
            onPay={pay}
            onRefused={refuse}
          />
        }
      >
        {shown.list.length < LONG ? null : <ToBeingPaid orders={orders} />}
        <Panel padding="tight" className={css.lines}>
          <Head lines={shown.list} chosen={chosen} onChoose={choose} onRemoved={accept} />
          <ul>
            {shown.list.map((line) => (
              <AccountLine
                key={line.id}
                line={line}
                money={money}
                refused={refused}
                isChosen={chosen.includes(line)}
                onChoose={(isOn) => choose([line.id], isOn)}
                onChanged={accept}
              />
            ))}
          </ul>
        </Panel>
        <Note>{t('shop-cart.onePayment')}</Note>
        <BeingPaid orders={orders} />
      </DetailLayout>
      <MobileBar
        name={t('title.shopCart')}
        label={t('shop-cart.items', { count: unitsOf(chosen) })}
        total={sum.total}
      >
        <Button
          type="submit"
          form={PAY}
          look="pay"
          grow
          busy={isPaying}
          disabled={chosen.length === 0}
        >
          {t('shop-cart.pay')}
        </Button>
      </MobileBar>
    </Frame>
  )
}

/** Nothing that can be bought now; what is being paid may be there. */
function NothingLeft({
  orders,
  refused,
}: {
  readonly orders: readonly CartOrder[]
  readonly refused: Outcome | null
}) {
  return (
    <Frame count={0}>
      <MadeNote refused={refused} />
      {orders.length === 0 ? (
        <EmptyCart />
      ) : (
        <div className={css.orders}>
          <BeingPaid orders={orders} />
        </div>
      )}
    </Frame>
  )
}

/** What is shown and chosen, which changes in place; a cart that the server sends anew replaces it. */
function useCart(cart: CartView) {
  const page = usePageState()
  const [shown, setShown] = useState(cart)
  // What a shopper does not want now; all that can be bought is chosen from the start.
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [refused, setRefused] = useState<Outcome | null>(
    page.outcome?.form === 'pay' && !page.outcome.isDone ? page.outcome : null,
  )
  const [isPaying, setPaying] = useState(false)
  useEffect(() => setShown(cart), [cart])
  // Who comes back from the payment finds what has become of the cart.
  useEffect(() => {
    const look = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      setPaying(false)
      refreshPage()
    }
    addEventListener('pageshow', look)
    return () => removeEventListener('pageshow', look)
  }, [])

  const chosen = shown.list.filter((line) => isBuyable(line.state) && !left.has(line.id))
  const accept = (answer: CartView) => {
    setShown(answer)
    setRefused(null)
    showCount(answer.cart_num)
  }
  const refuse = (outcome: Outcome) => {
    setRefused(outcome)
    setPaying(false)
    refreshPage()
  }
  const pay = async () => {
    setPaying(true)
    const isKept = await keepChanges()
    if (!isKept) setPaying(false)
    return isKept
  }
  const choose = (ids: readonly string[], isOn: boolean) =>
    setLeft(new Set(isOn ? [...left].filter((id) => !ids.includes(id)) : [...left, ...ids]))
  return { shown, chosen, refused, isPaying, accept, refuse, pay, choose }
}

/** The server's own texts for everything; other choices come only of something the shopper did. */
function sumOf(cart: CartView, chosen: readonly CartLineView[], money: MoneyStyle): CartSum {
  const buyable = cart.list.filter(({ state }) => isBuyable(state))
  if (chosen.length === buyable.length && cart.total) {
    return {
      goods: (cart.market_total ?? cart.total).text,
      saving: cart.saving && writeAmount(money, -BigInt(cart.saving.minor)),
      total: cart.total.text,
    }
  }
  const total = chosen.reduce((all, line) => all + BigInt(line.total?.minor ?? 0), 0n)
  const market = chosen.reduce(
    (all, line) => all + totalMinor((line.market_price ?? line.price)?.minor ?? '0', line.quantity),
    0n,
  )
  return {
    goods: writeAmount(money, market),
    saving: market > total ? writeAmount(money, total - market) : null,
    total: writeAmount(money, total),
  }
}
