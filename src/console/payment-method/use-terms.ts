import { useEffect, useState } from 'react'
import type { MethodTerms } from '#features/office/payment-method/engine/methods.ts'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { minorOf } from '../kit/amount.ts'
import { useAttempt, type Attempt } from '../kit/use-attempt.ts'
import type { MethodData } from './load.ts'

/** Terms as they are typed. */
export interface TypedTerms {
  readonly enabled: boolean
  readonly percent: string
  readonly fixed: string
  readonly currency: string
  readonly least: string
  readonly most: string
  readonly limitCurrency: string
  readonly currencies: string
  readonly countries: string
}

export type TypedField = keyof TypedTerms

/** What the shop says that other terms would mean. */
export interface Effect {
  readonly before: MethodTerms
  readonly after: MethodTerms
  readonly version: string
  readonly examples: readonly {
    readonly goods_minor: string
    readonly before: string | null
    readonly after: string | null
  }[]
  readonly leaves_none: boolean
  readonly needs_second_person: boolean
}

export interface Editing {
  readonly typed: TypedTerms
  readonly write: (change: Partial<TypedTerms>) => void
  /** Fields that hold no amount, no share or no list of codes. */
  readonly unread: readonly TypedField[]
  readonly faults: Readonly<Record<string, string>>
  readonly effect: Effect | null
  readonly isDirty: boolean
  readonly isStale: boolean
  readonly goOn: () => void
  readonly outcome: 'saved' | 'waits' | null
  readonly attempt: Attempt
  readonly save: () => Promise<void>
}

const SETTLE_MS = 300
const MOST_PERCENT = 50

/** Terms that are being changed, of the version they were begun with. */
export function useTerms(data: MethodData): Editing {
  const attempt = useAttempt()
  const [change, setChange] = useState<Partial<TypedTerms> | null>(null)
  const [held, setHeld] = useState<string | null>(null)
  const [outcome, setOutcome] = useState<'saved' | 'waits' | null>(null)
  const typed = { ...typedOf(data), ...change }
  const { terms, unread } = readTerms(typed, data)
  const version = held ?? data.version
  const { effect, faults } = useEffectOf(data, change === null ? null : terms)

  return {
    typed,
    write(next) {
      setChange({ ...change, ...next })
      setHeld(held ?? data.version)
      setOutcome(null)
    },
    unread,
    faults: { ...faults, ...attempt.fields },
    effect,
    isDirty: change !== null,
    isStale: held !== null && held !== data.version,
    goOn: () => setHeld(data.version),
    outcome,
    attempt,
    async save() {
      if (!terms) return
      const done = await attempt.run(() =>
        callConsole<{ waits_for_approval: string | null }>('money/methods/change', {
          code: data.code,
          terms,
          version,
        }),
      )
      if (!done) return
      setOutcome(done.waits_for_approval === null ? 'saved' : 'waits')
      setChange(null)
      setHeld(null)
      refreshPage()
    },
  }
}

const amountOf = (minor: number, places: number) =>
  minor === 0 ? '' : decimal(String(minor), places)

function decimal(minor: string, places: number): string {
  const digits = minor.padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
}

function typedOf({ terms, currencies, shopCurrency }: MethodData): TypedTerms {
  const { fee, limits } = terms
  const { min_minor: min, max_minor: max } = limits
  const limitCurrency = min === null && max === null ? shopCurrency : limits.currency
  const places = placesOf(currencies, limitCurrency)
  return {
    enabled: terms.enabled,
    percent: fee.basis_points === 0 ? '' : decimal(String(fee.basis_points), 2),
    fixed: amountOf(fee.minor, placesOf(currencies, fee.currency)),
    currency: fee.currency,
    least: amountOf(min ?? 0, places),
    most: amountOf(max ?? 0, places),
    limitCurrency,
    currencies: terms.currencies?.join(', ') ?? '',
    countries: terms.countries?.join(', ') ?? '',
  }
}

const placesOf = (currencies: MethodData['currencies'], code: string) =>
  currencies.find((currency) => currency.code === code)?.places ?? 2

/** What is typed as the shop takes it; null with the fields that hold nothing it could be. */
function readTerms(
  typed: TypedTerms,
  { currencies }: MethodData,
): { readonly terms: MethodTerms | null; readonly unread: readonly TypedField[] } {
  const unread: TypedField[] = []
  const amount = (field: 'fixed' | 'least' | 'most' | 'percent', places: number) => {
    const text = typed[field].trim()
    if (/^0*([.,]0*)?$/.test(text)) return 0
    const minor = minorOf(text, places)
    if (minor === null) unread.push(field)
    return Number(minor ?? 0)
  }
  const codes = (field: 'currencies' | 'countries', letters: RegExp) => {
    const listed = typed[field]
      .toUpperCase()
      .split(/[\s,;]+/)
      .filter((code) => code !== '')
    if (!listed.every((code) => letters.test(code))) unread.push(field)
    return listed.length === 0 ? null : [...new Set(listed)]
  }
  const points = amount('percent', 2)
  if (points > MOST_PERCENT * 100) unread.push('percent')
  const places = placesOf(currencies, typed.limitCurrency)
  const [least, most] = [amount('least', places), amount('most', places)]
  const terms = {
    enabled: typed.enabled,
    fee: {
      minor: amount('fixed', placesOf(currencies, typed.currency)),
      currency: typed.currency,
      basis_points: points,
    },
    limits: {
      min_minor: least === 0 ? null : least,
      max_minor: most === 0 ? null : most,
      currency: typed.limitCurrency,
    },
    currencies: codes('currencies', /^[A-Z]{3}$/),
    countries: codes('countries', /^[A-Z]{2}$/),
  }
  return { terms: unread.length > 0 ? null : terms, unread }
}

interface Told {
  readonly effect: Effect | null
  readonly faults: Readonly<Record<string, string>>
}

/** What the shop says that terms would mean; asked once typing has settled. */
function useEffectOf({ code, version }: MethodData, terms: MethodTerms | null): Told {
  const [told, setTold] = useState<Told>(NOTHING)
  const wanted = terms && JSON.stringify(terms)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other terms that hold by now are another effect
  useEffect(() => {
    setTold(NOTHING)
    if (wanted === null) return
    let isStale = false
    const timer = setTimeout(async () => {
      const body = { code, terms: JSON.parse(wanted) as unknown }
      const outcome = await callConsole<Effect>('money/methods/preview', body).catch(() => null)
      if (isStale || outcome === null) return
      setTold(
        outcome.isDone
          ? { effect: outcome.data, faults: {} }
          : { effect: null, faults: outcome.fields },
      )
    }, SETTLE_MS)
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [code, version, wanted])
  return told
}

const NOTHING: Told = { effect: null, faults: {} }
