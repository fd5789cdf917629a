import { useEffect, useState } from 'react'
import type { PriceChange } from '#features/office/pricing/schema.ts'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { useAttempt, type Attempt } from '../kit/use-attempt.ts'

/** What the shop says that a change would do. */
export interface Tried {
  readonly effect: {
    readonly items: number
    readonly prices: number
    readonly items_changed: number
    readonly prices_changed: number
    readonly rising: number
    readonly falling: number
    readonly moves: {
      readonly least: number
      readonly median: number
      readonly most: number
    } | null
    readonly spread: readonly number[]
    readonly below_floor: {
      readonly items: number
      readonly prices: number
      readonly codes: readonly string[]
    }
    readonly raised: { readonly before: number; readonly after: number }
    readonly top: readonly {
      readonly item: string
      readonly currency: string
      readonly before: string
      readonly after: string
      readonly move: number
    }[]
    readonly margins: readonly {
      readonly currency: string
      readonly units: string
      readonly before: string
      readonly after: string
    }[]
  }
  readonly reach: { readonly fall: number; readonly rise: number }
  readonly limit: number | null
  readonly needs_second_person: boolean
  readonly rate: 'in_force' | 'held' | 'not_chosen' | null
  readonly seen: string
}

interface Made {
  readonly waits_for_approval: string | null
  readonly undo: PriceChange | null
  readonly rate: Tried['rate']
}

export interface Trying {
  readonly attempt: Attempt
  readonly tried: Tried | null
  readonly outcome: 'made' | 'waits' | 'taken_back' | 'held' | 'not_chosen' | null
  /** Whether what was just made can be taken back. */
  readonly mayUndo: boolean
  readonly tryIt: () => Promise<void>
  readonly make: () => Promise<void>
  readonly takeBack: () => Promise<void>
}

/** A change of prices that is tried first, made as it was tried, and taken back with one press. */
export function useTrying(change: PriceChange | null): Trying {
  const attempt = useAttempt()
  const [tried, setTried] = useState<Tried | null>(null)
  const [undo, setUndo] = useState<PriceChange | null>(null)
  const [outcome, setOutcome] = useState<Trying['outcome']>(null)
  const wanted = change && JSON.stringify(change)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was tried of another change says nothing of this one
  useEffect(() => setTried(null), [wanted])

  const ask = (one: PriceChange) =>
    attempt.run(() => callConsole<Tried>('prices/try', { change: one }))
  const apply = (one: PriceChange, seen: string) =>
    attempt.run(() => callConsole<Made>('prices/change', { change: one, seen }))

  return {
    attempt,
    tried,
    outcome,
    mayUndo: undo !== null,
    async tryIt() {
      if (!change) return
      setOutcome(null)
      const told = await ask(change)
      if (told) setTried(told)
    },
    async make() {
      if (!change || !tried) return
      const made = await apply(change, tried.seen)
      if (!made) {
        // It may be that something else has moved prices meanwhile: then this is what it would do now.
        const now = await callConsole<Tried>('prices/try', { change }).catch(() => null)
        if (now?.isDone) setTried(now.data)
        return
      }
      setTried(null)
      setUndo(made.undo)
      const isRate = made.rate !== null && made.rate !== 'in_force'
      setOutcome(made.waits_for_approval === null ? (isRate ? made.rate : 'made') : 'waits')
      refreshPage()
    },
    async takeBack() {
      if (!undo) return
      const told = await ask(undo)
      const made = told && (await apply(undo, told.seen))
      if (!made) return
      setUndo(null)
      setOutcome(made.waits_for_approval === null ? 'taken_back' : 'waits')
      refreshPage()
    },
  }
}
