import { useEffect, useState } from 'react'
import { readConsole } from '../browser/call.ts'
import { TrialEffect } from '../prices/trial-effect.tsx'
import type { Places } from '../prices/trying.tsx'
import type { Tried } from '../prices/use-trying.ts'
import { EffectBox } from '../products/effect-box.tsx'
import type { ShownEffect } from '../products/use-change.ts'
import { useT } from '../words.tsx'

/** The same of a change of goods that moves prices. */
export function GoodsChangeEffect({ id }: { readonly id: string }) {
  const told = useWaiting<ShownEffect>('goods/waiting', id)
  return <EffectBox told={told} />
}

function useWaiting<T>(call: string, id: string): T | string | null {
  const t = useT()
  const [told, setTold] = useState<T | string | null>(null)
  useEffect(() => {
    const ending = new AbortController()
    readConsole<T>(call, { id }, ending.signal).then(
      (outcome) => setTold(outcome.isDone ? outcome.data : outcome.message),
      () => {
        if (!ending.signal.aborted) setTold(t('console.unreachable'))
      },
    )
    return () => ending.abort()
    // biome-ignore lint/correctness/useExhaustiveDependencies: the translator is the same for a whole visit
  }, [call, id])
  return told
}

/** What a change of prices that waits would do as of now. */
export function PriceEffect({ id, places }: { readonly id: string; readonly places: Places }) {
  const told = useWaiting<Tried>('prices/waiting', id)
  if (told === null) return <p className="hint" aria-busy="true" />
  if (typeof told === 'string') return <p className="down">{told}</p>
  return <TrialEffect tried={told} places={places} />
}
