import {
  useEffect,
  useRef,
  useState,
  type MouseEvent,
  type RefObject,
  type SubmitEvent,
} from 'react'
import { useT, type Words } from '../i18n.tsx'
import { addToCart, type CartLine } from '../state/cart.ts'
import { navigation } from '../state/navigation.ts'
import { orderNow } from '../state/order-now.ts'
import { isSignedIn } from '../state/session.ts'
import { showToast, withdrawToast, type ToastMessage } from '../state/toasts.ts'
import { readQuantity } from './amounts.ts'
import type { ItemChoice } from './choices.ts'
import {
  checkField,
  checkFields,
  cleanValues,
  type FieldFault,
} from '#features/buying/offer/rules.ts'
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
  /** What has been asked for and is under way. */
  readonly busy: 'add' | 'buy' | null
  /** The form's own submission: into the cart, and stay. */
  readonly submit: (event: SubmitEvent<HTMLFormElement>) => void
  /** On the link to the cart: to the payment of this alone, for a visitor into the cart; stays here while something is missing. */
  readonly buy: (event: MouseEvent<HTMLAnchorElement>) => void
}

/** What is to be bought, and its name for people. */
interface Wanted {
  readonly line: CartLine
  readonly label: string
}

/** Long enough to follow its link. */
const ADDED_TOAST_MS = 6_000

/** Account values typed so far, by brand: they outlive a change of the region, which is another page. In this tab only. */
const typedOfBrand = new Map<string, Values>()

/** Items chosen so far, by product, for when the visitor comes back to it. In this tab only. */
const chosenOfProduct = new Map<string, string>()

/** Into the cart, or straight to payment; a visitor's way to payment leads through the cart. */
function usePurchase(name: string, readLine: () => Wanted | null) {
  const t = useT()
  const [busy, setBusy] = useState<Buying['busy']>(null)
  const add = async (onward?: ToastMessage['link']): Promise<boolean> => {
    const wanted = readLine()
    if (!wanted || busy) return false
    setBusy('add')
    const outcome = await addToCart(wanted.line)
    setBusy(null)
    if (outcome === 'added')
      showToast('ok', t('product.added', { name, item: wanted.label }), ADDED_TOAST_MS, onward)
    if (outcome === 'full') showToast('error', t('product.cartFull'))
    return outcome === 'added'
  }

  const buy = async (): Promise<void> => {
    if (!isSignedIn()) return void ((await add()) && navigation.get()?.go('/shop-cart'))
    const wanted = readLine()
    if (!wanted || busy) return
    setBusy('buy')
    const path = await orderNow(wanted.line)
    setBusy(null)
    if (path !== null) navigation.get()?.go(path)
  }
  return { busy, add, buy }
}

export function useBuying(data: ProductData): Buying {
  const t = useT()
  const form = useRef<HTMLFormElement>(null)
  const quantityInput = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState(data.chosen)
  const [quantityText, setQuantity] = useState('1')
  const account = useAccount(data)
  const item = data.items.find(({ code }) => code === chosen) ?? null

  const choose = (code: string) => {
    chosenOfProduct.set(data.code, code)
    setChosen(code)
    withdrawToast(t('product.selectGoods'))
  }

  // What was chosen and typed before the application was alive, or on an earlier visit.
  useEffect(() => {
    const before = readForm(form.current)
    const kept = before.item ?? chosenOfProduct.get(data.code) ?? null
    if (data.items.some(({ code, unavailable }) => code === kept && unavailable === null))
      setChosen(kept)
    if (quantityInput.current) setQuantity(quantityInput.current.value)
    account.adopt(before.values)
  }, [data.brand])

  const readLine = () => readWanted(data, form.current, quantityInput.current, account.check, t)

  const { busy, add, buy } = usePurchase(data.name, readLine)

  return {
    form,
    quantityInput,
    busy,
    item,
    choose,
    quantityText,
    quantity: readQuantity(quantityText, item?.limit ?? 1),
    setQuantity,
    values: account.values,
    faults: account.faults,
    type: account.type,
    leave: account.leave,
    submit: (event) => {
      event.preventDefault()
      void add({ path: '/shop-cart', text: t('shell.cart') })
    },
    buy: (event) => {
      event.preventDefault()
      void buy()
    },
  }
}

/**
 * What is to be bought; null, with what is missing said and in sight, when that is not settled. What the form holds counts: a
 * press from before the application was alive is repeated sooner than the state has caught up.
 */
function readWanted(
  data: ProductData,
  form: HTMLFormElement | null,
  quantityInput: HTMLInputElement | null,
  check: (typed: Values) => Faults,
  t: Words['t'],
): Wanted | null {
  const now = readForm(form)
  const wanted = data.items.find(({ code }) => code === now.item)
  if (!wanted || wanted.unavailable !== null) {
    showToast('error', t('product.selectGoods'))
    focusFirst(form, 'input[name=item]:not(:disabled)')
    return null
  }
  const found = check(now.values)
  const first = data.fields.find(({ key }) => found[key])
  if (first) {
    if (Object.values(found).includes('missing')) showToast('error', t('product.completeFields'))
    focusFirst(form, `[data-field="${first.key}"]`)
    return null
  }
  const quantity = readQuantity(quantityInput?.value ?? '1', wanted.limit)
  return {
    line: {
      item: wanted.code,
      product: data.code,
      quantity,
      fields: cleanValues(data.fields, now.values),
    },
    label: wanted.label,
  }
}

/** The values of the account fields and what is wrong with them: said when a field is left, not while it is first typed. */
function useAccount({ brand, fields }: Pick<ProductData, 'brand' | 'fields'>) {
  const [values, setValues] = useState<Values>({})
  const [faults, setFaults] = useState<Faults>({})
  const keepValues = (next: Values) => {
    typedOfBrand.set(brand, next)
    setValues(next)
  }
  const faultOf = (key: string, value: string) => {
    const field = fields.find((other) => other.key === key)
    return field ? checkField(field, value) : null
  }
  return {
    values,
    faults,
    adopt: (typed: Values) => keepValues({ ...typedOfBrand.get(brand), ...typed }),
    type: (key: string, value: string) => {
      keepValues({ ...values, [key]: value })
      if (faults[key]) setFaults(withFault(faults, key, faultOf(key, value)))
    },
    leave: (key: string) => {
      const value = values[key] ?? ''
      if (value.trim() !== '') setFaults(withFault(faults, key, faultOf(key, value)))
    },
    check: (typed: Values): Faults => {
      const found = checkFields(fields, typed)
      setFaults(found)
      return found
    },
  }
}

/** What is chosen and typed in the form itself. */
function readForm(form: HTMLFormElement | null): { item: string | null; values: Values } {
  const values: Record<string, string> = {}
  for (const input of form?.querySelectorAll<HTMLInputElement | HTMLSelectElement>(
    '[data-field]',
  ) ?? []) {
    const key = input.dataset['field']
    if (key !== undefined && input.value !== '') values[key] = input.value
  }
  return {
    item: form?.querySelector<HTMLInputElement>('input[name=item]:checked')?.value ?? null,
    values,
  }
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
