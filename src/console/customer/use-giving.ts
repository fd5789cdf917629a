import { useEffect, useState, type FormEvent } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { minorOf } from '../kit/amount.ts'
import { moneyText } from '../kit/money-text.ts'
import { useAttempt, type Attempt } from '../kit/use-attempt.ts'
import { useConsoleWords } from '../words.tsx'
import type { CustomerData } from './load.ts'

export interface Giving {
  readonly typed: string
  readonly setTyped: (typed: string) => void
  readonly currency: string
  readonly setCurrency: (code: string) => void
  readonly reason: string
  readonly setReason: (reason: string) => void
  /** What was typed as an amount; null while it is none. */
  readonly minor: string | null
  readonly effect: Effect | null
  readonly refusal: string | null
  readonly outcome: Outcome | null
  readonly attempt: Attempt
  readonly text: MoneyText
  readonly give: (event: FormEvent) => Promise<void>
}

export type Outcome = 'given' | 'waits'
export type MoneyText = (minor: string) => string

export interface Effect {
  readonly before_minor: string
  readonly after_minor: string
  readonly pays_back_minor: string
  readonly needs_second_person: boolean
}

const SETTLE_MS = 300

/** What is typed, what it would do, and giving it. */
export function useGiving(data: CustomerData): Giving {
  const { language } = useConsoleWords()
  const attempt = useAttempt()
  const [typed, setTyped] = useState('')
  const [currency, setCurrency] = useState(data.currencies[0]?.code ?? '')
  const [reason, setReason] = useState('')
  // Held until an answer has come: what is sent again is the same act.
  const [held, setHeld] = useState<string | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const places = data.currencies.find(({ code }) => code === currency)?.places ?? 2
  const minor = minorOf(typed, places)
  const { effect, refusal } = useEffectOf(data, minor, currency)
  const text = (value: string) => moneyText(language, value, currency, places)

  async function give(event: FormEvent) {
    event.preventDefault()
    if (minor === null || effect === null) return
    const key = held ?? data.key
    setHeld(key)
    const body = { shopper: data.id, amount: { minor, currency }, reason, key }
    const done = await attempt.run(() =>
      callConsole<{ waits: string | null }>('shoppers/credit', body),
    )
    if (!done) return
    setOutcome(done.waits === null ? 'given' : 'waits')
    setTyped('')
    setReason('')
    setHeld(null)
    refreshPage()
  }

  return {
    typed,
    setTyped(next) {
      setTyped(next)
      setOutcome(null)
    },
    currency,
    setCurrency,
    reason,
    setReason,
    minor,
    effect,
    refusal,
    outcome,
    attempt,
    text,
    give,
  }
}

/** What the shop says that giving it would do; asked once typing has settled. */
function useEffectOf(
  { id, figures }: CustomerData,
  minor: string | null,
  currency: string,
): { readonly effect: Effect | null; readonly refusal: string | null } {
  const [state, setState] = useState<{ effect: Effect | null; refusal: string | null }>(NOTHING)
  const standing = figures.map(({ value }) => value).join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: what has been given since changes what would be
  useEffect(() => {
    setState(NOTHING)
    if (minor === null) return
    let isStale = false
    const timer = setTimeout(async () => {
      const body = { shopper: id, amount: { minor, currency } }
      const outcome = await callConsole<Effect>('shoppers/credit_preview', body).catch(() => null)
      if (isStale || outcome === null) return
      setState(
        outcome.isDone
          ? { effect: outcome.data, refusal: null }
          : { effect: null, refusal: outcome.message },
      )
    }, SETTLE_MS)
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [id, minor, currency, standing])
  return state
}

const NOTHING = { effect: null, refusal: null }
