import { useEffect, useState } from 'react'
import { newActKey } from '../browser/act-key.ts'
import { callConsole } from '../browser/call.ts'
import { useT } from '../words.tsx'

export interface GoodsCount {
  readonly count: number
  readonly codes: readonly string[]
}

/** What a change would do, as the server tells it. */
export interface ShownEffect {
  readonly hash: string
  readonly goods: number
  readonly fields: Readonly<Record<string, number>>
  readonly prices: {
    readonly count: number
    readonly up: number
    readonly down: number
    readonly least_basis_points: number
    readonly median_basis_points: number
    readonly most_basis_points: number
  } | null
  readonly below_cost: GoodsCount
  readonly below_floor: GoodsCount
  readonly by_rule: GoodsCount
  readonly faults: readonly {
    readonly subject: string
    readonly code: string
    readonly field: string
    readonly msg: string
    readonly why: string | null
  }[]
  readonly conflicts: readonly {
    readonly subject: string
    readonly code: string
    readonly field: string
    readonly present: unknown
    readonly present_text: string
    readonly to_text: string
  }[]
  readonly samples: readonly {
    readonly code: string
    readonly field: string
    readonly name: string
    readonly before_text: string
    readonly after_text: string
  }[]
}

export type Asked = Readonly<Record<string, unknown>>

export interface ChangeInHand {
  /** Null while it is asked for; a text where it cannot be told. */
  readonly told: ShownEffect | string | null
  readonly isBusy: boolean
  readonly fault: string | null
  /** Makes what was told. @returns the change; null where it was not made, and what is so now is told */
  readonly make: (rest: Readonly<Record<string, unknown>>) => Promise<Made | null>
}

interface Made {
  readonly change: string | null
  readonly rows: number
  readonly waits: string | null
}

const PAUSE_MS = 250

/** Asks what a change would do whenever it is another one, and makes what was told and nothing else. @param asked null where nothing is asked */
export function useChange(
  asked: Asked | null,
  call = 'goods/change',
  preview = 'goods/try',
): ChangeInHand {
  const t = useT()
  const [told, setTold] = useState<ShownEffect | string | null>(null)
  const [state, setState] = useState<{ isBusy: boolean; fault: string | null }>(IDLE)
  const [again, setAgain] = useState(0)
  const text = asked === null ? null : JSON.stringify(asked)
  useEffect(() => {
    setTold(null)
    if (text === null) return
    let isOver = false
    const timer = setTimeout(() => {
      callConsole<ShownEffect>(preview, JSON.parse(text) as Asked).then(
        (outcome) => {
          if (!isOver) setTold(outcome.isDone ? outcome.data : outcome.message)
        },
        () => {
          if (!isOver) setTold(t('console.unreachable'))
        },
      )
    }, PAUSE_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
    // biome-ignore lint/correctness/useExhaustiveDependencies: the translator is the same for a whole visit
  }, [text, preview, again])
  return {
    told,
    ...state,
    async make(rest) {
      if (text === null || told === null || typeof told === 'string') return null
      setState({ isBusy: true, fault: null })
      try {
        const body = { ...(JSON.parse(text) as Asked), ...rest, hash: told.hash, key: newActKey() }
        const outcome = await callConsole<Made>(call, body)
        setState({ isBusy: false, fault: outcome.isDone ? null : outcome.message })
        if (outcome.isDone) return outcome.data
        setAgain((count) => count + 1)
      } catch {
        setState({ isBusy: false, fault: t('console.unreachable') })
      }
      return null
    },
  }
}

const IDLE = { isBusy: false, fault: null }
