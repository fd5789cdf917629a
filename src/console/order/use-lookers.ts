import { useEffect, useState } from 'react'
import { LOOKS_EVERY_MS } from '#features/office/live/rules.ts'
import { callQuietly } from '../browser/call.ts'
import { followLookers } from '../browser/changes.ts'

/** Says that this operator has an order before them, as long as its page is seen. @returns the names of everybody else who has */
export function useLookers(order: string, me: string): readonly string[] {
  const [others, setOthers] = useState<readonly string[]>([])
  useEffect(() => {
    let isHere = false
    async function look(): Promise<void> {
      if (document.visibilityState === 'hidden') return
      isHere = true
      const said = await callQuietly<{ readonly others: readonly string[] }>('orders/look', {
        order,
      })
      if (said && isHere) setOthers(said.others)
    }
    function leave(): void {
      if (!isHere) return
      isHere = false
      void callQuietly('orders/leave', { order })
    }
    const turn = () => (document.visibilityState === 'hidden' ? leave() : void look())
    void look()
    const timer = setInterval(() => void look(), LOOKS_EVERY_MS)
    const stop = followLookers((here) => {
      const there = here.filter((one) => one.order === order && one.operator !== me)
      setOthers(there.map(({ name }) => name))
    })
    document.addEventListener('visibilitychange', turn)
    addEventListener('pagehide', leave)
    return () => {
      clearInterval(timer)
      stop()
      document.removeEventListener('visibilitychange', turn)
      removeEventListener('pagehide', leave)
      leave()
      setOthers([])
    }
  }, [order, me])
  return others
}
