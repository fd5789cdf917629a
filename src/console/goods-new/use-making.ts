import { useState } from 'react'
import { newActKey } from '../browser/act-key.ts'
import { callConsole } from '../browser/call.ts'
import { useT } from '../words.tsx'
import type { Facts } from './draft.ts'

interface Named {
  readonly code: string
  readonly name: string
}

/** What would be made, as the server tells it. */
export interface GoodsPreview {
  readonly hash: string
  readonly brands: readonly Named[]
  readonly products: readonly Named[]
  readonly items: readonly Named[]
  readonly faults: readonly { readonly path: string; readonly msg: string }[]
}

export interface MadeGoods {
  readonly change: string
  readonly isOnSale: boolean
  readonly told: GoodsPreview
}

export interface Making {
  readonly isBusy: boolean
  readonly fault: string | null
  /** What the last look has told; null once anything is typed. */
  readonly told: GoodsPreview | null
  /** Faults at their places, until they are looked at again. */
  readonly faults: Readonly<Record<string, string>>
  readonly made: MadeGoods | null
  readonly look: (brand: Facts, isOnSale: boolean) => Promise<void>
  /** What was told holds no more. */
  readonly forget: () => void
  readonly make: (brand: Facts, isOnSale: boolean) => Promise<void>
}

type State = Pick<Making, 'isBusy' | 'fault' | 'told' | 'faults' | 'made'>

const IDLE: State = { isBusy: false, fault: null, told: null, faults: {}, made: null }

const placed = ({ faults }: GoodsPreview) =>
  Object.fromEntries(faults.toReversed().map(({ path, msg }) => [path, msg]))

/** Looks at what a form would make, and makes what was told and nothing else. */
export function useMaking(): Making {
  const t = useT()
  const [state, setState] = useState<State>(IDLE)
  async function ask<T>(work: () => Promise<T>): Promise<T | null> {
    setState((before) => ({ ...before, isBusy: true, fault: null }))
    try {
      return await work()
    } catch {
      setState((before) => ({ ...before, isBusy: false, fault: t('console.unreachable') }))
      return null
    }
  }
  async function look(brand: Facts, isOnSale: boolean) {
    const outcome = await ask(() =>
      callConsole<GoodsPreview>('goods/make_try', { brand, on_sale: isOnSale }),
    )
    if (!outcome) return
    if (!outcome.isDone)
      return setState({ ...IDLE, fault: outcome.message, faults: outcome.fields })
    const faults = placed(outcome.data)
    const isFine = outcome.data.faults.length === 0
    setState({ ...IDLE, told: isFine ? outcome.data : null, faults })
  }
  return {
    ...state,
    look,
    forget: () =>
      setState((before) =>
        before.told || before.made ? { ...before, told: null, made: null } : before,
      ),
    async make(brand, isOnSale) {
      const { told } = state
      if (!told) return
      const body = { brand, on_sale: isOnSale, hash: told.hash, key: newActKey() }
      const outcome = await ask(() => callConsole<{ change: string }>('goods/make', body))
      if (!outcome) return
      if (outcome.isDone)
        return setState({ ...IDLE, made: { change: outcome.data.change, isOnSale, told } })
      setState({ ...IDLE, fault: outcome.message, faults: outcome.fields })
    },
  }
}
