import { useEffect } from 'react'
import { client } from '../state/client.ts'
import { createStore } from '../state/store.ts'
import { useStore } from '../state/use-store.ts'
import { amountMinor } from './fields.ts'
import type { RechargeAmount, RechargePlan } from './load.ts'

/** The amount of one's own, as it is typed. */
export const amountText = createStore('')

/** Whether somebody has left the field, or asked to go on, with an amount that is none. */
export const isAmountAsked = createStore(false)

/** What was asked about, and what it costs. */
interface AmountPrice {
  readonly item: string
  readonly minor: number
  readonly label: string
  readonly price: string | null
}
const priced = createStore<AmountPrice | null>(null)

const PAUSE_MS = 200

/** An amount in minor units that is sold; null while it is none. */
export function soldAmount(amount: RechargeAmount, text: string): number | null {
  const minor = amountMinor(text, amount.digits)
  const [min, max, step] = [amount.min, amount.max, amount.step].map((each) =>
    Number(each.minor),
  ) as [number, number, number]
  return Number.isSafeInteger(minor) && minor >= min && minor <= max && (minor - min) % step === 0
    ? minor
    : null
}

/** What the chosen plan is and costs: of one for any amount, of what is typed. The price is the shop's word. */
export function usePlan(
  operator: string | null,
  plan: RechargePlan | null,
): {
  readonly label: string | null
  readonly price: string | null
  readonly minor: number | null
} | null {
  const text = useStore(amountText)
  const known = useStore(priced)
  const minor = plan?.amount ? soldAmount(plan.amount, text) : null
  const item = plan?.item ?? ''
  useEffect(() => {
    if (minor === null || operator === null) return
    const controller = new AbortController()
    const timer = setTimeout(() => void ask(operator, item, minor, controller.signal), PAUSE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [operator, item, minor])
  if (!plan) return null
  if (!plan.amount) return { label: plan.label, price: plan.price, minor: null }
  if (minor !== null && known?.item === item && known.minor === minor)
    return { label: known.label, price: known.price, minor }
  // A range is nothing that a phone receives.
  return { label: null, price: null, minor }
}

async function ask(
  operator: string,
  item: string,
  minor: number,
  signal: AbortSignal,
): Promise<void> {
  try {
    const plans = await client
      .get()
      ?.get('recharge/plans', { operator, amount: minor }, { showCheckMsg: false, signal })
    const plan = plans?.list.find((each) => each.item === item)
    if (plan) priced.set({ item, minor, label: plan.label, price: plan.price?.text ?? null })
  } catch {
    // The price is said at the cart then.
  }
}
