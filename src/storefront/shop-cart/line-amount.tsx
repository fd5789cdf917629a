import type { CartLineView, CartView } from '#features/buying/cart/views.ts'
import type { Price } from '#features/goods/browse/view/shapes.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/field.tsx'
import { useEffect, useRef, useState, type ComponentProps } from 'react'
import { CallForm } from '../forms/call-form.tsx'
import type { Outcome } from '../forms/form.ts'
import { useT } from '../i18n.tsx'
import { QUANTITY_MAX } from '#features/buying/order/rules.ts'
import { withChange } from '../forms/visitor-cart.ts'
import { cart, keepLines, type CartLine } from '../state/cart.ts'
import { showToast } from '../state/toasts.ts'
import { amountMinor, amountText, AMOUNT, AMOUNT_DIGITS, digitsOf, forms } from './forms.ts'
import css from './shop-cart.module.css'
import { leaveUnkept } from './unkept.ts'

/** Of what amounts something is sold. */
export interface AmountRange {
  readonly min: Price
  readonly max: Price
  readonly step: Price
}

/** The field of an amount; what is wrong with it says which amounts there are. */
export function AmountField({
  id,
  range,
  isBad,
  ...input
}: {
  readonly id: string
  readonly range: AmountRange
  readonly isBad: boolean
} & Pick<ComponentProps<'input'>, 'defaultValue' | 'value' | 'onChange' | 'onBlur'>) {
  const t = useT()
  const { min, max, step } = range
  return (
    <>
      <input type="hidden" name={AMOUNT_DIGITS} value={digitsOf(min)} />
      <TextField
        id={id}
        name={AMOUNT}
        inputMode="decimal"
        dir="ltr"
        autoComplete="off"
        maxLength={20}
        label={t('shop-cart.amountIn', { currency: min.currency })}
        hint={t('goods.amountRange', { min: min.text, max: max.text })}
        message={
          isBad
            ? {
                tone: 'error',
                text: t('shop-cart.amountBad', { min: min.text, max: max.text, step: step.text }),
              }
            : undefined
        }
        {...input}
      />
    </>
  )
}

/** What was answered about this line's amount; null where the last answer was about another. */
export function outcomeOfAmount(outcome: Outcome | null | undefined, id: string): Outcome | null {
  return outcome?.form === 'amount' && outcome.values['id'] === id && !outcome.isDone
    ? outcome
    : null
}

/**
 * The amount of an account's line. With script it is kept once it is left, or before it is paid for; without, by a button. What is
 * refused stays as it was typed.
 */
export function LineAmount({
  line,
  amount,
  range,
  onChanged,
}: {
  readonly line: CartLineView
  readonly amount: Price
  readonly range: AmountRange
  readonly onChanged: (answer: CartView) => void
}) {
  const t = useT()
  const id = `amount-${line.id}`
  const kept = amountText(amount)
  const keeping = useKeptAmount(line.id, id)
  return (
    <CallForm
      id={`${id}-form`}
      name="amount"
      form={forms.amount}
      className={css.amount}
      onDone={(answer) => {
        keeping.settle(true)
        onChanged(answer as CartView)
      }}
      onRefused={({ message }) => {
        keeping.settle(false)
        if (message !== null) showToast('error', message)
      }}
      onChange={keeping.type}
      noValidate
    >
      {({ outcome }) => {
        const mine = outcomeOfAmount(outcome, line.id)
        return (
          <>
            <input type="hidden" name="id" value={line.id} />
            <input type="hidden" name="quantity" value={line.quantity} />
            {/* Made anew with what is kept, so that no other amount stands there. */}
            <AmountField
              key={kept}
              id={id}
              range={range}
              isBad={mine?.faults[AMOUNT] !== undefined}
              defaultValue={mine?.values[AMOUNT] ?? kept}
              onBlur={keeping.leave}
            />
            <noscript>
              <Button type="submit" size="small">
                {t('shop-cart.update')}
              </Button>
            </noscript>
          </>
        )
      }}
    </CallForm>
  )
}

/** Keeps what is typed by sending the line's form. */
function useKeptAmount(line: string, id: string) {
  const sending = useRef<{ promise: Promise<boolean>; settle: (isKept: boolean) => void }>(null)
  const forget = useRef<() => boolean>(undefined)
  useEffect(() => () => void forget.current?.(), [])
  const keep = (): Promise<boolean> => {
    if (sending.current) return sending.current.promise
    const form = document.getElementById(`${id}-form`)
    if (!(form instanceof HTMLFormElement)) return Promise.resolve(true)
    let settle = (_: boolean) => {}
    const promise = new Promise<boolean>((resolve) => {
      settle = resolve
    })
    sending.current = { promise, settle }
    form.requestSubmit()
    return promise
  }
  const settle = (isKept: boolean) => {
    if (isKept) {
      forget.current?.()
      forget.current = undefined
    }
    sending.current?.settle(isKept)
    sending.current = null
  }
  return {
    settle,
    type: () => {
      forget.current = leaveUnkept(`amount ${line}`, keep)
    },
    leave: () => {
      if (forget.current) void keep()
    },
  }
}

function isSold(minor: number, { min, max, step }: AmountRange): boolean {
  const from = Number(min.minor)
  return minor >= from && minor <= Number(max.minor) && (minor - from) % Number(step.minor) === 0
}

/** The amount of a line that a visitor's browser keeps; the shop looks at it again once they sign in. */
export function VisitorAmount({
  line,
  amount,
  range,
}: {
  readonly line: CartLine
  readonly amount: number
  readonly range: AmountRange
}) {
  const digits = digitsOf(range.min)
  const kept = amountText({ minor: String(amount), digits })
  // What is typed and not kept, and whether the shop has refused it.
  const [typed, setTyped] = useState<{ readonly text: string; readonly isBad: boolean } | null>(
    null,
  )
  const keep = () => {
    if (typed === null) return
    const next = amountMinor(typed.text, digits)
    if (!isSold(next, range)) return setTyped({ ...typed, isBad: true })
    setTyped(null)
    if (next !== amount)
      keepLines(withChange(cart.get(), line, { ...line, amount: next }, QUANTITY_MAX))
  }
  return (
    <form
      className={css.amount}
      onSubmit={(event) => {
        event.preventDefault()
        keep()
      }}
    >
      <AmountField
        id={`amount-${line.item}-${Object.values(line.fields).join('-')}`}
        range={range}
        isBad={typed?.isBad ?? false}
        value={typed?.text ?? kept}
        onChange={(event) => setTyped({ text: event.target.value, isBad: false })}
        onBlur={keep}
      />
    </form>
  )
}
