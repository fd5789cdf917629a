import type { CartLineView, CartView } from '#features/buying/cart/views.ts'
import { Button } from '#ui/button.tsx'
import { FieldFault } from '#ui/field.tsx'
import { Stepper } from '#ui/stepper.tsx'
import { useEffect, useRef, useState } from 'react'
import { CallForm } from '../forms/call-form.tsx'
import { usePageState } from '../forms/page-state.tsx'
import { useT } from '../i18n.tsx'
import { readQuantity } from '../product/quantity.ts'
import { client } from '../state/client.ts'
import { refreshPage } from '../state/refresh.ts'
import { showToast } from '../state/toasts.ts'
import { forms } from './forms.ts'
import css from './shop-cart.module.css'
import { leaveUnkept } from './unkept.ts'

/** Presses in a row are one change. */
const PAUSE_MS = 350

/** What is typed is kept after a pause; `typed` is null while the field shows what is kept. */
function useStoredQuantity(line: CartLineView, onChanged: (answer: CartView) => void) {
  const t = useT()
  const [typed, setTyped] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const unkept = useRef<() => boolean>(undefined)
  useEffect(() => () => forget(), [])

  const keepLater = (text: string) => {
    setTyped(text)
    forget()
    if (text === '') return
    let kept: Promise<boolean> | undefined
    const keep = () => {
      clearTimeout(timer.current)
      kept ??= keepNow(readQuantity(text, line.limit)).then(() => {
        // Unless another number has been typed meanwhile.
        if (forgetKept()) setTyped(null)
        // What could not be kept is told, and shown as it is.
        return true
      })
      return kept
    }
    const forgetKept = leaveUnkept(line.id, keep)
    unkept.current = forgetKept
    timer.current = setTimeout(() => void keep(), PAUSE_MS)
  }
  const forget = () => {
    clearTimeout(timer.current)
    unkept.current?.()
  }
  const keepNow = async (quantity: number) => {
    try {
      const answer = await client
        .get()
        ?.post('cart/update', { id: line.id, quantity }, { showCheckMsg: false })
      if (answer) onChanged(answer)
    } catch {
      showToast('error', t('shop-cart.notChanged'))
      refreshPage()
    }
  }
  return { typed, setTyped, keepLater }
}

/** How many of a line. With script a change is kept by itself, without it by a button of its own. */
export function LineQuantity({
  line,
  onChanged,
}: {
  readonly line: CartLineView
  readonly onChanged: (answer: CartView) => void
}) {
  const t = useT()
  const { outcome } = usePageState()
  const { typed, setTyped, keepLater } = useStoredQuantity(line, onChanged)
  const name = line.product.goods_name
  const fault =
    outcome?.form === 'quantity' && outcome.values['id'] === line.id
      ? outcome.faults['quantity']
      : undefined
  return (
    <CallForm
      name="quantity"
      form={forms.quantity}
      className={css.quantity}
      onDone={(answer) => onChanged(answer as CartView)}
    >
      {() => (
        <>
          <input type="hidden" name="id" value={line.id} />
          <Stepper
            name="quantity"
            label={t('shop-cart.quantityOf', { name })}
            lessLabel={t('shop-cart.less', { name })}
            moreLabel={t('shop-cart.more', { name })}
            min={1}
            max={line.limit}
            value={typed ?? String(line.quantity)}
            autoComplete="off"
            aria-invalid={fault === undefined ? undefined : true}
            onChange={(event) => keepLater(event.target.value)}
            onBlur={() => typed === '' && setTyped(null)}
          />
          <noscript>
            <Button type="submit" size="small">
              {t('shop-cart.update')}
            </Button>
          </noscript>
          {fault === undefined ? null : <FieldFault>{fault}</FieldFault>}
        </>
      )}
    </CallForm>
  )
}
