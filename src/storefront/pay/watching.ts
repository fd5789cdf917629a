import { useEffect } from 'react'
import { client } from '../state/client.ts'
import { refreshPage } from '../state/refresh.ts'
import { knownOf } from './known.ts'

const FIRST_MS = 2_000
const LAST_MS = 15_000
/** So many looks at full speed, a minute's; then each waits longer than the one before. */
const QUICK_LOOKS = 30
const SLOWER = 1.3

/** Looks how the payment stands while the page is in sight, and loads it anew once something has happened. */
export function useWatching(order: string, known: string): void {
  useEffect(() => {
    let looks = 0
    let wait = FIRST_MS
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const again = () => {
      if (looks > QUICK_LOOKS) wait = Math.min(LAST_MS, wait * SLOWER)
      if (!isOver) timer = setTimeout(() => void look(), wait)
    }
    const look = async (): Promise<void> => {
      // What is not looked at is not asked about; coming back asks at once.
      if (document.hidden) return
      looks += 1
      try {
        const status = await client.get()?.get('pay/status', { order }, { showCheckMsg: false })
        if (isOver) return
        if (status && knownOf(status) !== known) return refreshPage()
      } catch {
        // Out of reach for the moment: the next look may do better.
      }
      again()
    }
    const onSight = () => {
      if (document.hidden || isOver) return
      clearTimeout(timer)
      wait = FIRST_MS
      looks = 0
      void look()
    }
    document.addEventListener('visibilitychange', onSight)
    again()
    return () => {
      isOver = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onSight)
    }
  }, [order, known])
}
