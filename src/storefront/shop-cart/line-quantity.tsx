import type { CartLineView, CartView } from '#features/cart/views.ts'
import { Button } from '#ui/button.tsx'
import { FieldFault } from '#ui/field.tsx'
import { Stepper } from '#ui/stepper.tsx'
import { useEffect, useRef, useState } from 'react'
import { CallForm } from '../forms/call-form.tsx'
import { usePageState } from '../forms/page-state.tsx'
import { useT } from '../i18n.tsx'
import { readQuantity } from '../product/amounts.ts'
import { client } from '../state/client.ts'
import { navigation } from '../state/navigation.ts'
import { showToast } from '../state/toasts.ts'
import { forms } from './forms.ts'
import css from './shop-cart.module.css'

/** Presses in a row are one change. */
const PAUSE_MS = 350

/** How many of a line. With script a change is kept by itself, without it by a button of its own. */
export function LineQuantity({ line, onChanged }: { readonly line: CartLineView; readonly onChanged: (answer: CartView) => void }) {
  const t = useT()
  const { outcome } = usePageState()
  const [typed, setTyped] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const name = line.product.goods_name
  useEffect(() => () => clearTimeout(timer.current), [])

  const keepLater = (text: string) => {
    setTyped(text)
    clearTimeout(timer.current)
    if (text === '') return
    timer.current = setTimeout(() => void keepNow(readQuantity(text, line.limit)), PAUSE_MS)
  }
  const keepNow = async (quantity: number) => {
    try {
      const answer = await client.get()?.post('cart/update', { id: line.id, quantity }, { showCheckMsg: false })
      if (answer) onChanged(answer)
    } catch {
      showToast('error', t('shop-cart.notChanged'))
      navigation.get()?.reload()
    }
    setTyped(null)
  }
  const fault = outcome?.form === 'quantity' && outcome.values['id'] === line.id ? outcome.faults['quantity'] : undefined
  return (
    <CallForm name="quantity" form={forms.quantity} className={css.quantity} onDone={(answer) => onChanged(answer as CartView)}>
      {() => (
        <>
          <input type="hidden" name="id" value={line.id} />
          <Stepper
            name="quantity" label={t('shop-cart.quantityOf', { name })} lessLabel={t('shop-cart.less')} moreLabel={t('shop-cart.more')}
            min={1} max={line.limit} value={typed ?? String(line.quantity)} autoComplete="off" aria-invalid={fault === undefined ? undefined : true}
            onChange={(event) => keepLater(event.target.value)} onBlur={() => typed === '' && setTyped(null)}
          />
          <noscript>
            <Button type="submit" size="small">{t('shop-cart.update')}</Button>
          </noscript>
          {fault === undefined ? null : <FieldFault>{fault}</FieldFault>}
        </>
      )}
    </CallForm>
  )
}
