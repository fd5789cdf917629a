import type { CartView } from '#features/buying/cart/views.ts'
import { PHONE_FIELD } from '#features/goods/recharge/rules.ts'
import { Button, ButtonLink, IconButton } from '#ui/button.tsx'
import { DetailLayout } from '#ui/detail.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Stepper } from '#ui/stepper.tsx'
import { MobileBar } from '#ui/summary.tsx'
import { useEffect, useState } from 'react'
import { useHref, useT, type Words } from '../i18n.tsx'
import { totalMinor, writeAmount, type MoneyStyle } from '../product/amounts.ts'
import { quantityLimit, readQuantity } from '../product/quantity.ts'
import {
  cart,
  removeFromCart,
  setQuantity,
  takeOverCart,
  unitsOf,
  type CartLine,
} from '../state/cart.ts'
import { useStore } from '../state/use-store.ts'
import { aboutOf, withItem } from './about.ts'
import { subtotalMinor, usePricedLines, type PricedLine } from './cart-goods.ts'
import { EmptyCart, Frame } from './frame.tsx'
import { StoredCart } from './stored-cart.tsx'
import { Line } from './line.tsx'
import { VisitorAmount } from './line-amount.tsx'
import css from './shop-cart.module.css'
import { SIGN_IN_TO_PAY, VisitorSummary } from './visitor-summary.tsx'

/** The cart that a visitor's browser keeps, until its owner signs in. */
export function VisitorCart({
  money,
  stored,
}: {
  readonly money: MoneyStyle
  /** What stands for it where no script runs. */
  readonly stored: CartView | null
}) {
  const lines = useStore(cart)
  const [isOpen, setOpen] = useState(false)
  // The server knows no cart: what this browser keeps is read once the application is alive.
  useEffect(() => {
    takeOverCart(
      (stored?.list ?? [])
        // What was never sold has no product to ask about.
        .filter(({ product }) => product.code !== '')
        .map(({ item, product, quantity, fields, amount }) => ({
          item,
          product: product.code,
          quantity,
          fields,
          ...(amount ? { amount: Number(amount.minor) } : {}),
        })),
    )
    setOpen(true)
  }, [])
  if (!isOpen)
    return (
      <Frame count={0}>
        <Waiting stored={stored} />
      </Frame>
    )
  if (lines.length === 0)
    return (
      <Frame count={0}>
        <EmptyCart />
      </Frame>
    )
  return <FullCart money={money} lines={lines} />
}

function Waiting({ stored }: { readonly stored: CartView | null }) {
  return (
    <>
      <noscript>
        {stored === null || stored.list.length === 0 ? <EmptyCart /> : <StoredCart cart={stored} />}
      </noscript>
      <Panel className={css.still}>
        <div className={css.waiting}>
          <Skeleton />
          <Skeleton shape="half" />
          <Skeleton />
        </div>
      </Panel>
    </>
  )
}

function FullCart({
  money,
  lines,
}: {
  readonly money: MoneyStyle
  readonly lines: readonly CartLine[]
}) {
  const t = useT()
  const href = useHref()
  const priced = usePricedLines(lines)
  const isComplete = priced.lines.every(({ state }) => state !== 'loading' && state !== 'failed')
  const count = unitsOf(
    priced.lines.filter(({ state }) => state === 'ready').map(({ line }) => line),
  )
  const total = isComplete ? writeAmount(money, subtotalMinor(priced.lines)) : '…'
  const toPayment = href(SIGN_IN_TO_PAY)
  return (
    <Frame count={unitsOf(lines)}>
      <DetailLayout
        aside={
          <VisitorSummary count={count} total={total}>
            <div className="wide-only">
              <ButtonLink href={toPayment} look="pay" size="large" block>
                {t('shop-cart.pay')}
              </ButtonLink>
            </div>
          </VisitorSummary>
        }
      >
        <Panel padding="tight" className={css.lines}>
          <ul>
            {priced.lines.map((line) => (
              <VisitorLine key={keyOf(line.line)} priced={line} money={money} />
            ))}
          </ul>
        </Panel>
        {priced.lines.some(({ state }) => state === 'failed') ? (
          <Note
            tone="bad"
            role="alert"
            action={
              <Button look="edge" size="small" onClick={priced.retry}>
                {t('shop-cart.retry')}
              </Button>
            }
          >
            {t('shop-cart.failed')}
          </Note>
        ) : null}
        <Note>{t('shop-cart.onePayment')}</Note>
      </DetailLayout>
      <MobileBar name={t('title.shopCart')} label={t('shop-cart.items', { count })} total={total}>
        <ButtonLink href={toPayment} look="pay" grow>
          {t('shop-cart.pay')}
        </ButtonLink>
      </MobileBar>
    </Frame>
  )
}

function VisitorLine({
  priced,
  money,
}: {
  readonly priced: PricedLine
  readonly money: MoneyStyle
}) {
  const t = useT()
  const { line, state, product, item } = priced
  const name = product?.goods_name ?? line.product
  return (
    <Line
      name={state === 'loading' ? '…' : name}
      path={product === null ? null : withItem(product.path, line.item)}
      image={product?.image ?? ''}
      isSquare
      about={
        item === null || product === null
          ? ''
          : aboutOf(t, { label: item.label, bonus: item.bonus, region: product.region.name })
      }
      account={Object.entries(line.fields).map(([key, value]) => ({
        label:
          product?.fields.find((field) => field.key === key)?.label ??
          t(key === PHONE_FIELD ? 'shop-cart.phone' : 'shop-cart.account'),
        value,
      }))}
      state={stateOf(t, priced)}
      price={
        state === 'ready' && item?.price
          ? writeAmount(money, totalMinor(item.price.minor, line.quantity))
          : null
      }
    >
      {item?.amount && line.amount !== undefined ? (
        <VisitorAmount line={line} amount={line.amount} range={item.amount} />
      ) : null}
      {state === 'ready' ? <Quantity priced={priced} name={name} /> : null}
      <IconButton
        icon="trash"
        label={t('shop-cart.remove', { name })}
        onClick={() => removeFromCart(line)}
      />
    </Line>
  )
}

function stateOf(
  t: Words['t'],
  { state, item }: PricedLine,
): { tone: 'warn' | 'bad'; text: string } | null {
  if (state === 'gone') return { tone: 'warn', text: t('shop-cart.gone') }
  if (state === 'sold_out')
    return { tone: 'warn', text: t(item?.is_stopped ? 'goods.stopped' : 'goods.soldOut') }
  return state === 'failed' ? { tone: 'bad', text: t('shell.requestFailed') } : null
}

function Quantity({
  priced: { line, item },
  name,
}: {
  readonly priced: PricedLine
  readonly name: string
}) {
  const t = useT()
  const limit = quantityLimit(item?.stock ?? null)
  // What is being typed, which may be nothing for a moment; otherwise the line's own.
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <Stepper
      label={t('shop-cart.quantityOf', { name })}
      lessLabel={t('shop-cart.less', { name })}
      moreLabel={t('shop-cart.more', { name })}
      min={1}
      max={limit}
      value={typed ?? String(line.quantity)}
      autoComplete="off"
      onChange={(event) => {
        setTyped(event.target.value)
        if (event.target.value !== '') setQuantity(line, readQuantity(event.target.value, limit))
      }}
      onBlur={() => setTyped(null)}
    />
  )
}

function keyOf(line: CartLine): string {
  return `${line.item} ${line.amount ?? ''} ${JSON.stringify(line.fields)}`
}
