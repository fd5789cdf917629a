import {
  checkField,
  checkFields,
  cleanValues,
  type FieldFault,
} from '#features/buying/offer/rules.ts'
import type { Words } from '../i18n.tsx'
import { addToCart, holdHere, type CartLine } from '../state/cart.ts'
import { orderNow } from '../state/order-now.ts'
import { isSignedIn } from '../state/session.ts'
import { createStore, keepInTab, readInTab, type Store } from '../state/store.ts'
import { showToast, type ToastMessage } from '../state/toasts.ts'
import { localPath } from '../local-path.ts'
import { createAccountChecking, type AccountChecking, type PlayerState } from './account-check.ts'
import { readQuantity } from './quantity.ts'
import type { BuyData } from './buy-data.ts'
import type { ItemChoice } from './choices.ts'

type Values = Readonly<Record<string, string>>
type Faults = Readonly<Record<string, FieldFault>>

/** What the visitor has chosen and typed on the screen of a product. */
export interface BuyingState {
  /** What is chosen among, at the prices of whoever looks at it, and what the cheapest of it costs. */
  readonly items: BuyData['items']
  readonly lowest: string | null
  /** Code of the item. */
  readonly chosen: string | null
  readonly quantityText: string
  readonly values: Values
  readonly faults: Faults
  /** What the supplier says is wrong, by field, until that is typed anew. */
  readonly refusals: Values
  /** Null until somebody is asked about the account. */
  readonly player: PlayerState | null
  /** What is wrong with the choice, to be said at it. */
  readonly itemFault: string | null
  /** Somebody wanted to buy: what is missing is told. */
  readonly isAsked: boolean
  /** What has been asked for and is under way. */
  readonly busy: 'add' | 'buy' | null
}

/** The one store that the living parts of the page share, and the way from there to the cart. Knows nothing of React. */
export interface Buying {
  readonly data: BuyData
  readonly state: Store<BuyingState>
  readonly choose: (code: string) => void
  readonly setQuantity: (text: string) => void
  readonly type: (key: string, value: string) => void
  /** Takes over an account that was kept, and asks about it. */
  readonly fill: (fields: Values) => void
  /** What is wrong with a field is said when it is left, not while it is first typed. */
  readonly leave: (key: string) => void
  /** Takes up what was chosen and typed on an earlier page of this tab. */
  readonly open: () => void
  /** Into the cart, and stay. */
  readonly add: (onward?: ToastMessage['link']) => Promise<boolean>
  /** To the payment of this alone, for a visitor into the cart; stays here while something is missing. */
  readonly buy: () => Promise<void>
}

/** The form of the steps; its buttons stand outside of it. */
export const FORM_ID = 'buy'
/** Id of the field of the quantity. */
export const QUANTITY_ID = 'quantity'
/** Long enough to follow its link. */
const ADDED_TOAST_MS = 6_000

export function createBuying(data: BuyData, words: Pick<Words, 't' | 'prefix'>): Buying {
  const { t } = words
  const state = createStore<BuyingState>({
    items: data.items,
    lowest: data.lowest,
    chosen: data.chosen,
    quantityText: '1',
    values: {},
    faults: {},
    refusals: {},
    player: null,
    itemFault: data.asksInvalid ? t('product.invalid') : null,
    isAsked: false,
    busy: null,
  })
  const change = (changed: Partial<BuyingState>) => state.set({ ...state.get(), ...changed })
  const keepValues = (values: Values) => {
    keepInTab(valuesKey(data), values)
    change({ values })
  }
  const read = () => readWanted(data, { change, keepValues }, t)
  const checking = createAccountChecking(data, state)
  const purchase = purchases(data, words, { read, state, change, checking })
  return {
    data,
    state,
    choose: (chosen) => {
      keepInTab(chosenKey(data), chosen)
      change({ chosen, itemFault: null })
    },
    setQuantity: (quantityText) => change({ quantityText }),
    type: (key, value) => {
      const { values, faults, refusals } = state.get()
      // Typed before the page was alive, and heard of already.
      if (values[key] === value) return
      const { [key]: _, ...others } = refusals
      keepValues({ ...values, [key]: value })
      change({ refusals: others, player: null })
      if (faults[key]) change({ faults: withFault(faults, key, faultOf(data, key, value)) })
    },
    fill: (fields) => {
      keepValues({ ...fields })
      change({ faults: {}, refusals: {}, player: null })
      checking.look()
    },
    leave: (key) => {
      const { values, faults } = state.get()
      const value = values[key] ?? ''
      if (value.trim() === '') return
      change({ faults: withFault(faults, key, faultOf(data, key, value)) })
      checking.look()
    },
    open: () => change(readStoredState(data)),
    ...purchase,
  }
}

interface Purchasing {
  readonly read: () => Wanted | null
  readonly state: Store<BuyingState>
  readonly change: (changed: Partial<BuyingState>) => void
  readonly checking: AccountChecking
}

/** Into the cart, or straight to payment; a visitor's way to payment leads through the cart, which holds what they want to buy once. */
function purchases(
  { name }: BuyData,
  { t, prefix }: Pick<Words, 't' | 'prefix'>,
  { read, state, change, checking }: Purchasing,
): Pick<Buying, 'add' | 'buy'> {
  /** Nobody pays for an account that its supplier does not know. */
  const mayBuy = async ({ item, fields }: CartLine): Promise<boolean> => {
    if (await checking.isRight(item, fields)) return true
    change({ busy: null })
    const [wrong] = Object.keys(state.get().refusals)
    if (wrong !== undefined) focusFirst(fieldOf(wrong))
    return false
  }
  const onItemFault = (message: string) => markItem(change, message)
  const add: Buying['add'] = async (onward) => {
    const wanted = read()
    if (!wanted || state.get().busy) return false
    change({ busy: 'add' })
    if (!(await mayBuy(wanted.line))) return false
    const outcome = await addToCart(wanted.line, onItemFault)
    change({ busy: null })
    if (outcome === 'added')
      showToast('ok', t('product.added', { name, item: wanted.label }), ADDED_TOAST_MS, onward)
    if (outcome === 'full') showToast('error', t('product.cartFull'))
    return outcome === 'added'
  }
  const buy: Buying['buy'] = async () => {
    const wanted = read()
    if (!wanted || state.get().busy) return
    change({ busy: 'buy' })
    if (!(await mayBuy(wanted.line))) return
    if (!isSignedIn()) {
      change({ busy: null })
      if (holdHere(wanted.line)) location.assign(localPath(prefix, '/shop-cart'))
      else showToast('error', t('product.cartFull'))
      return
    }
    const path = await orderNow(wanted.line, onItemFault)
    change({ busy: null })
    if (path !== null) location.assign(localPath(prefix, path))
  }
  return { add, buy }
}

/** The item chosen, and how many of it. */
export function chosenOf({ items, chosen, quantityText }: BuyingState): {
  readonly item: ItemChoice | null
  readonly quantity: number
} {
  const item = items.find(({ code }) => code === chosen) ?? null
  return { item, quantity: readQuantity(quantityText, item?.limit ?? 1) }
}

/** What is to be bought, and its name for people. */
interface Wanted {
  readonly line: CartLine
  readonly label: string
}

/**
 * What is to be bought; null, with what is missing said and in sight, when that is not settled. What the form holds counts: a
 * press from before the page was alive may be repeated sooner than the store has caught up.
 */
function readWanted(
  data: BuyData,
  {
    change,
    keepValues,
  }: {
    readonly change: (changed: Partial<BuyingState>) => void
    readonly keepValues: (values: Values) => void
  },
  t: Words['t'],
): Wanted | null {
  const now = readForm()
  if (data.fields.length > 0) keepValues(now.values)
  const wanted = data.items.find(({ code }) => code === now.item)
  if (!wanted || wanted.unavailable !== null) {
    markItem(change, t('product.selectGoods'))
    return null
  }
  const faults = checkFields(data.fields, now.values)
  const first = data.fields.find(({ key }) => faults[key])
  change({ faults, isAsked: first !== undefined })
  if (first) {
    focusFirst(fieldOf(first.key))
    return null
  }
  return {
    line: {
      item: wanted.code,
      product: data.code,
      quantity: readQuantity(now.quantity, wanted.limit),
      fields: cleanValues(data.fields, now.values),
    },
    label: wanted.label,
  }
}

/** What is chosen and typed in the form itself. */
function readForm(): { item: string | null; values: Values; quantity: string } {
  const form = document.getElementById(FORM_ID)
  const quantity = document.getElementById(QUANTITY_ID) as HTMLInputElement | null
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
    quantity: quantity?.value ?? '1',
  }
}

/** Account values are kept by brand: they outlive a change of the region, which is another page. */
function valuesKey({ brand }: BuyData): string {
  return `typed ${brand}`
}

/** The item chosen is kept by product, for when the visitor comes back to it. */
function chosenKey({ code }: BuyData): string {
  return `chosen ${code}`
}

function readStoredState(data: BuyData): Partial<BuyingState> {
  const values = readInTab(valuesKey(data))
  const chosen = readInTab(chosenKey(data))
  const isOffered = data.items.some(
    ({ code, unavailable }) => code === chosen && unavailable === null,
  )
  return {
    ...(isValues(values) ? { values } : {}),
    ...(isOffered ? { chosen: chosen as string } : {}),
  }
}

function isValues(kept: unknown): kept is Values {
  return (
    typeof kept === 'object' &&
    kept !== null &&
    Object.values(kept).every((value) => typeof value === 'string')
  )
}

function faultOf({ fields }: BuyData, key: string, value: string): FieldFault | null {
  const field = fields.find((other) => other.key === key)
  return field ? checkField(field, value) : null
}

function withFault(faults: Faults, key: string, fault: FieldFault | null): Faults {
  const { [key]: _, ...others } = faults
  return fault ? { ...others, [key]: fault } : others
}

/** Says what is wrong with the choice where it is made. */
function markItem(change: (changed: Partial<BuyingState>) => void, itemFault: string): void {
  change({ itemFault })
  focusFirst('input[name=item]:not(:disabled)')
}

/** The step that keeps from buying, once somebody wanted to: the buttons lead there. */
export function missingStep({
  itemFault,
  isAsked,
  faults,
  refusals,
}: Pick<BuyingState, 'itemFault' | 'isAsked' | 'faults' | 'refusals'>):
  | 'amount'
  | 'account'
  | null {
  if (itemFault !== null) return 'amount'
  const isWrong = isAsked && Object.keys(faults).length > 0
  return isWrong || Object.keys(refusals).length > 0 ? 'account' : null
}

function fieldOf(key: string): string {
  return `[data-field="${key}"]`
}

function focusFirst(selector: string): void {
  const element = document.getElementById(FORM_ID)?.querySelector<HTMLElement>(selector)
  element?.focus({ preventScroll: true })
  element?.scrollIntoView({ block: 'center' })
}
