import { useEffect, useRef, useState, type MouseEvent, type RefObject, type SubmitEvent } from 'react'
import { useT } from '../i18n.tsx'
import { addToCart } from '../state/cart.ts'
import { showToast } from '../state/toasts.ts'
import { readQuantity } from './amounts.ts'
import type { ItemChoice } from './choices.ts'
import { checkField, checkFields, cleanValues, type FieldFault } from './field-rules.ts'
import type { ProductData } from './load.ts'

type Values = Readonly<Record<string, string>>
type Faults = Readonly<Record<string, FieldFault>>

/** What the visitor has chosen and typed on the screen of a product, and the way from there to the cart. */
export interface Buying {
  readonly form: RefObject<HTMLFormElement | null>
  readonly quantityInput: RefObject<HTMLInputElement | null>
  readonly item: ItemChoice | null
  readonly choose: (code: string) => void
  /** As typed; `quantity` is what it comes to. */
  readonly quantityText: string
  readonly quantity: number
  readonly setQuantity: (text: string) => void
  readonly values: Values
  readonly faults: Faults
  readonly type: (key: string, value: string) => void
  readonly leave: (key: string) => void
  /** The form's own submission: into the cart, and stay. */
  readonly submit: (event: SubmitEvent<HTMLFormElement>) => void
  /** On the link to the cart: into the cart, and go on; stays here while something is missing. */
  readonly buy: (event: MouseEvent<HTMLAnchorElement>) => void
}

const ADDED_TOAST_MS = 3_000

/** Account values typed so far, by brand: they outlive a change of the region, which is another page. In this tab only. */
const typedOfBrand = new Map<string, Values>()

export function useBuying(data: ProductData): Buying {
  const t = useT()
  const form = useRef<HTMLFormElement>(null)
  const quantityInput = useRef<HTMLInputElement>(null)
  const [chosen, choose] = useState(data.chosen)
  const [quantityText, setQuantity] = useState('1')
  const [values, setValues] = useState<Values>({})
  const [faults, setFaults] = useState<Faults>({})
  const item = data.items.find(({ code }) => code === chosen) ?? null
  const quantity = readQuantity(quantityText, item?.limit ?? 1)

  // What was chosen and typed before the application was alive.
  useEffect(() => {
    const before = readForm(form.current)
    if (before.item !== null) choose(before.item)
    if (quantityInput.current) setQuantity(quantityInput.current.value)
    const typed = { ...typedOfBrand.get(data.brand), ...before.values }
    typedOfBrand.set(data.brand, typed)
    setValues(typed)
  }, [data.brand])

  const type = (key: string, value: string) => {
    const next = { ...values, [key]: value }
    setValues(next)
    typedOfBrand.set(data.brand, next)
    if (faults[key]) setFaults(withFault(faults, key, faultOf(key, value)))
  }
  const leave = (key: string) => {
    if ((values[key] ?? '').trim() !== '') setFaults(withFault(faults, key, faultOf(key, values[key] ?? '')))
  }
  const faultOf = (key: string, value: string) => {
    const field = data.fields.find((other) => other.key === key)
    return field ? checkField(field, value) : null
  }

  /**
   * Puts it into the cart; false, with what is missing said and in sight, when it cannot. What the form holds counts: a
   * press from before the application was alive is repeated sooner than the state has caught up.
   */
  const add = (): boolean => {
    const { item: code, values } = readForm(form.current)
    const item = data.items.find((other) => other.code === code)
    if (!item || item.unavailable !== null) {
      showToast('error', t('product.selectGoods'))
      focusFirst(form.current, 'input[name=item]:not(:disabled)')
      return false
    }
    const found = checkFields(data.fields, values)
    setFaults(found)
    const first = data.fields.find(({ key }) => found[key])
    if (first) {
      if (Object.values(found).includes('missing')) showToast('error', t('product.completeFields'))
      focusFirst(form.current, `[data-field="${first.key}"]`)
      return false
    }
    const quantity = readQuantity(quantityInput.current?.value ?? '1', item.limit)
    const isKept = addToCart({ item: item.code, product: data.code, quantity, fields: cleanValues(data.fields, values) })
    if (isKept) showToast('ok', t('product.added', { name: data.name, item: item.label }), ADDED_TOAST_MS)
    else showToast('error', t('product.cartFull'))
    return isKept
  }

  return {
    form, quantityInput, item, choose, quantityText, quantity, setQuantity, values, faults, type, leave,
    submit: (event) => {
      event.preventDefault()
      add()
    },
    buy: (event) => {
      if (!add()) event.preventDefault()
    },
  }
}

/** What is chosen and typed in the form itself. */
function readForm(form: HTMLFormElement | null): { item: string | null; values: Values } {
  const values: Record<string, string> = {}
  for (const input of form?.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[data-field]') ?? []) {
    const key = input.dataset['field']
    if (key !== undefined && input.value !== '') values[key] = input.value
  }
  return { item: form?.querySelector<HTMLInputElement>('input[name=item]:checked')?.value ?? null, values }
}

function withFault(faults: Faults, key: string, fault: FieldFault | null): Faults {
  const { [key]: _, ...others } = faults
  return fault ? { ...others, [key]: fault } : others
}

function focusFirst(form: HTMLFormElement | null, selector: string): void {
  const element = form?.querySelector<HTMLElement>(selector)
  element?.focus({ preventScroll: true })
  element?.scrollIntoView({ block: 'center' })
}
