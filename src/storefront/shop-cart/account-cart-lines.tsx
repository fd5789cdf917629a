import type { CartLineView, CartView } from '#features/buying/cart/views.ts'
import { isBuyable } from '#features/buying/cart/rules.ts'
import { Button, IconButton } from '#ui/button.tsx'
import { Box } from '#ui/box.tsx'
import { Check } from '#ui/check.tsx'
import { Icon } from '#ui/icon.tsx'
import type { MouseEvent } from 'react'
import { CallForm } from '../forms/call-form.tsx'
import type { Outcome } from '../forms/form.ts'
import { FORM_FIELD } from '../forms/form-field.ts'
import { useT } from '../i18n.tsx'
import { totalMinor, writeAmount, type MoneyStyle } from '../product/amounts.ts'
import { client } from '../state/client.ts'
import { refreshPage } from '../state/refresh.ts'
import { showToast } from '../state/toasts.ts'
import { lineGoods } from './about.ts'
import { forms, PAY, SELECT } from './forms.ts'
import { Line } from './line.tsx'
import { LineAmount } from './line-amount.tsx'
import { LineQuantity } from './line-quantity.tsx'
import css from './shop-cart.module.css'

/** All lines at once: chosen, or taken away. */
export function Head({
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
      refreshPage()
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

export function AccountLine({
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
      {...lineGoods(t, line)}
      state={
        line.state_text === ''
          ? null
          : {
              tone: canBuy && state !== 'ok' ? 'info' : 'warn',
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
      level={
        line.level_text === ''
          ? null
          : {
              text: line.level_text,
              retail: line.retail_price && wasTotal(line.retail_price, line.quantity, money),
            }
      }
    >
      <LineActions line={line} onChanged={onChanged} />
    </Line>
  )
}

/** How many, as long as it can be bought, and the way out. */
function LineActions({
  line,
  onChanged,
}: {
  readonly line: CartLineView
  readonly onChanged: (answer: CartView) => void
}) {
  const t = useT()
  const { state, amount, amount_range: range } = line
  const name = line.product.goods_name
  return (
    <>
      {amount && range && isBuyable(state) ? (
        <LineAmount line={line} amount={amount} range={range} onChanged={onChanged} />
      ) : null}
      {isBuyable(state) || (state === 'limit' && line.limit > 0) ? (
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
    </>
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
