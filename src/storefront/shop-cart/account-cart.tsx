import type { CartLineView, CartView } from '#features/cart/views.ts'
import { isBuyable } from '#features/cart/rules.ts'
import { Button, ButtonLink, IconButton } from '#ui/button.tsx'
import { Box, Check } from '#ui/check.tsx'
import { DetailLayout } from '#ui/detail.tsx'
import { Icon } from '#ui/icon.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { MobileBar, SummaryList } from '#ui/summary.tsx'
import { useEffect, useRef, useState, type MouseEvent } from 'react'
import { CallForm } from '../forms/call-form.tsx'
import { FORM_FIELD, type Outcome } from '../forms/form.ts'
import { usePageState } from '../forms/page-state.tsx'
import { useHref, useT, type Words } from '../i18n.tsx'
import { totalMinor, writeAmount, type MoneyStyle } from '../product/amounts.ts'
import { showCount } from '../state/cart.ts'
import { client } from '../state/client.ts'
import { navigation } from '../state/navigation.ts'
import { showToast } from '../state/toasts.ts'
import { forms, SELECT } from './forms.ts'
import { Assurances, EmptyCart, Frame } from './frame.tsx'
import { Line } from './line.tsx'
import { keepQuantities, LineQuantity } from './line-quantity.tsx'
import css from './shop-cart.module.css'
import { aboutOf, withItem } from './visitor-cart.tsx'

/** The form of the check boxes, which stand outside of it: the way to payment. */
const PAY = 'cart-pay'

/** The cart of an account. Without script each part is a form of its own; with it the page changes in place. */
export function AccountCart({
  cart,
  money,
}: {
  readonly cart: CartView
  readonly money: MoneyStyle
}) {
  const page = usePageState()
  const t = useT()
  const [shown, setShown] = useState(cart)
  // What a shopper does not want now; all that can be bought is chosen from the start.
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [refused, setRefused] = useState<Outcome | null>(
    page.outcome?.form === 'pay' && !page.outcome.isDone ? page.outcome : null,
  )
  const [isPaying, setPaying] = useState(false)
  useEffect(() => setShown(cart), [cart])

  const chosen = shown.list.filter((line) => isBuyable(line.state) && !left.has(line.id))
  const accept = (answer: CartView) => {
    setShown(answer)
    setRefused(null)
    showCount(answer.cart_num)
  }
  const refuse = (outcome: Outcome) => {
    setRefused(outcome)
    setPaying(false)
    navigation.get()?.reload()
  }
  const pay = () => {
    setPaying(true)
    return keepQuantities()
  }
  const choose = (ids: readonly string[], isOn: boolean) =>
    setLeft(new Set(isOn ? [...left].filter((id) => !ids.includes(id)) : [...left, ...ids]))

  if (shown.list.length === 0) {
    return (
      <Frame count={0}>
        <MadeNote refused={refused} />
        <EmptyCart />
      </Frame>
    )
  }
  const sum = sumOf(shown, chosen, money)
  return (
    <Frame count={shown.list.length}>
      <DetailLayout
        aside={
          <Summary
            sum={sum}
            count={chosen.length}
            refused={refused}
            isPaying={isPaying}
            onPay={pay}
            onRefused={refuse}
          />
        }
      >
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
      </DetailLayout>
      <MobileBar
        name={t('title.shopCart')}
        label={t('shop-cart.items', { count: chosen.length })}
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

interface Sum {
  readonly goods: string
  readonly saving: string | null
  readonly total: string
}

/** The server's own texts for everything; other choices come only of something the shopper did. */
function sumOf(cart: CartView, chosen: readonly CartLineView[], money: MoneyStyle): Sum {
  const buyable = cart.list.filter(({ state }) => isBuyable(state))
  if (chosen.length === buyable.length && cart.total) {
    return {
      goods: (cart.market_total ?? cart.total).text,
      saving: cart.saving && `−${cart.saving.text}`,
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
    saving: market > total ? `−${writeAmount(money, market - total)}` : null,
    total: writeAmount(money, total),
  }
}

function Head({
  lines,
  chosen,
  onChoose,
  onRemoved,
}: {
  readonly lines: readonly CartLineView[]
  readonly chosen: readonly CartLineView[]
  readonly onChoose: (ids: readonly string[], isOn: boolean) => void
  readonly onRemoved: (answer: CartView) => void
}) {
  const t = useT()
  const buyable = lines.filter(({ state }) => isBuyable(state)).map(({ id }) => id)
  const remove = async (event: MouseEvent) => {
    event.preventDefault()
    if (chosen.length === 0) return showToast('error', t('shop-cart.nothingSelected'))
    try {
      const answer = await client
        .get()
        ?.post(
          'cart/remove',
          { ids: chosen.map(({ id }) => id) },
          { showCheckMsg: false, showErrorMsg: true },
        )
      if (answer) onRemoved(answer)
    } catch {
      navigation.get()?.reload()
    }
  }
  return (
    <div className={css.head}>
      <span className={css.all}>
        <Check
          checked={buyable.length > 0 && chosen.length === buyable.length}
          disabled={buyable.length === 0}
          onChange={(event) => onChoose(buyable, event.target.checked)}
        >
          <b>{t('shop-cart.selectAll')}</b>
        </Check>
      </span>
      <Button
        type="submit"
        form={PAY}
        name={FORM_FIELD}
        value="removeSelected"
        formNoValidate
        look="ghost"
        size="small"
        onClick={(event) => void remove(event)}
        data-replay=""
      >
        <Icon name="trash" />
        {t('shop-cart.removeSelected')}
      </Button>
    </div>
  )
}

function AccountLine({
  line,
  money,
  refused,
  isChosen,
  onChoose,
  onChanged,
}: {
  readonly line: CartLineView
  readonly money: MoneyStyle
  readonly refused: Outcome | null
  readonly isChosen: boolean
  readonly onChoose: (isOn: boolean) => void
  readonly onChanged: (answer: CartView) => void
}) {
  const t = useT()
  const { product, state } = line
  const name = product.goods_name
  const canBuy = isBuyable(state)
  return (
    <Line
      select={
        <Box
          type="checkbox"
          name={SELECT}
          value={line.id}
          form={PAY}
          aria-label={t('shop-cart.select', { name })}
          checked={isChosen}
          disabled={!canBuy}
          onChange={(event) => onChoose(event.target.checked)}
        />
      }
      name={name}
      path={product.path === '' ? null : withItem(product.path, line.item)}
      image={product.image}
      about={aboutOf(t, {
        label: line.label,
        bonus: line.bonus,
        region: line.account.length === 0 ? product.region : '',
      })}
      account={line.account}
      state={
        state === 'ok'
          ? null
          : {
              tone: canBuy ? 'info' : 'warn',
              text: line.state_text,
              note: line.was
                ? t('shop-cart.was', { price: wasTotal(line.was, line.quantity, money) })
                : undefined,
            }
      }
      fault={
        Object.entries(refused?.faults ?? {}).find(([field]) =>
          field.startsWith(`lines.${line.id}.`),
        )?.[1]
      }
      price={canBuy ? (line.total?.text ?? null) : null}
    >
      {canBuy || (state === 'limit' && line.limit > 0) ? (
        <LineQuantity line={line} onChanged={onChanged} />
      ) : null}
      <CallForm
        name="remove"
        form={forms.remove}
        onDone={(answer) => onChanged(answer as CartView)}
      >
        {({ busy }) => (
          <>
            <input type="hidden" name="id" value={line.id} />
            <IconButton
              type="submit"
              icon="trash"
              label={t('shop-cart.remove', { name })}
              disabled={busy}
            />
          </>
        )}
      </CallForm>
    </Line>
  )
}

/** Of the whole line, as the price beside it is. */
function wasTotal(
  was: NonNullable<CartLineView['was']>,
  quantity: number,
  money: MoneyStyle,
): string {
  return quantity === 1 ? was.text : writeAmount(money, totalMinor(was.minor, quantity))
}

function Summary({
  sum,
  count,
  refused,
  isPaying,
  onPay,
  onRefused,
}: {
  readonly sum: Sum
  readonly count: number
  readonly refused: Outcome | null
  readonly isPaying: boolean
  readonly onPay: () => Promise<void>
  readonly onRefused: (outcome: Outcome) => void
}) {
  const t = useT()
  return (
    <Panel>
      <div className="stack">
        <SummaryList
          rows={[
            {
              label: t('shop-cart.selected', { count }),
              value: <bdi className="num">{sum.goods}</bdi>,
            },
            ...(sum.saving === null
              ? []
              : [
                  {
                    label: t('shop-cart.discounts'),
                    value: <bdi className="num">{sum.saving}</bdi>,
                    look: 'ok' as const,
                  },
                ]),
            { label: t('shop-cart.fee'), value: t('shop-cart.feeLater'), look: 'muted' },
          ]}
          total={{ label: t('shop-cart.total'), value: sum.total }}
        />
        <CallForm id={PAY} name="pay" form={forms.pay} before={onPay} onRefused={onRefused}>
          {() => (
            <>
              <Refused refused={refused} />
              <div className="wide-only">
                <Button
                  type="submit"
                  look="pay"
                  size="large"
                  block
                  busy={isPaying}
                  disabled={count === 0}
                >
                  {t('shop-cart.pay')}
                </Button>
              </div>
            </>
          )}
        </CallForm>
        {count === 0 ? <p className="small muted">{t('shop-cart.nothingSelected')}</p> : null}
        <Assurances />
      </div>
    </Panel>
  )
}

/** Envelope codes that lead on somewhere. */
const TOO_MANY_UNPAID = 2424
const NOTHING_TO_BUY = 2430

function Refused({ refused }: { readonly refused: Outcome | null }) {
  const t = useT()
  const href = useHref()
  const element = useRef<HTMLDivElement>(null)
  // The button of a phone's bar is far away from here.
  useEffect(() => element.current?.scrollIntoView({ block: 'nearest' }), [refused])
  if (!refused) return null
  if (orderOf(refused) !== null) return <MadeNote refused={refused} />
  const action =
    refused.code === TOO_MANY_UNPAID ? (
      <ButtonLink href={href('/user?type=2')} size="small">
        {t('shop-cart.toOrders')}
      </ButtonLink>
    ) : undefined
  return (
    <div className={css.refused} ref={element}>
      <Note tone="bad" role="alert" action={action}>
        {messageOf(refused, t)}
      </Note>
    </div>
  )
}

function messageOf({ faults, message }: Outcome, t: Words['t']): string {
  if (Object.keys(faults).some((field) => field.startsWith('lines.')))
    return t('shop-cart.checkLines')
  return message ?? t('shop-cart.nothingSelected')
}

/** The order that these very lines have become a moment ago. */
function orderOf({ code, data }: Outcome): string | null {
  const order =
    code === NOTHING_TO_BUY ? (data as { readonly order?: unknown } | null)?.order : null
  return typeof order === 'string' ? order : null
}

function MadeNote({ refused }: { readonly refused: Outcome | null }) {
  const t = useT()
  const href = useHref()
  const order = refused && orderOf(refused)
  if (!order) return null
  return (
    <div className={css.refused}>
      <Note
        tone="ok"
        role="status"
        action={
          <ButtonLink href={href(`/order/cashier?order=${order}`)} size="small">
            {t('shop-cart.toOrder')}
          </ButtonLink>
        }
      >
        {t('shop-cart.orderMade')}
      </Note>
    </div>
  )
}
