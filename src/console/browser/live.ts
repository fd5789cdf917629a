import { useEffect, useRef, useState } from 'react'
import type { PageState } from '../page.ts'
import { CONSOLE_ROUTES } from '../routes.ts'
import { followChanges, type Changes } from './changes.ts'
import { fetchLive } from './navigation.ts'

/** Two looks at the server are at least so far apart, however much happens. */
const APART_MS = 1_500

/**
 * Keeps the open page as the shop is. Values of a thing's own page, of home and of the frame are replaced where they stand; rows of a list
 * wait until they are asked for, so that nothing moves under who reads it.
 * @returns whether something waits
 */
export function useLive(state: PageState, show: (state: PageState) => void): boolean {
  const [isStale, setStale] = useState(false)
  const current = useRef(state)
  const shower = useRef(show)
  useEffect(() => {
    // What was asked for is shown: nothing waits any more. A frame made new alone keeps its page's data.
    if (current.current.data !== state.data) setStale(false)
    current.current = state
    shower.current = show
  })
  useEffect(() => {
    if (state.frame === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isAsking = false
    let isAskedAgain = false
    const ending = new AbortController()

    async function look(): Promise<void> {
      isAsking = true
      isAskedAgain = false
      const { address } = current.current
      const made = await fetchLive(location.pathname + location.search, ending.signal).catch(
        () => null,
      )
      const now = current.current
      if (made && now.address === address && made.page === now.page) {
        if (isInPlace(now)) shower.current(made)
        else if (rowsOf(made) === rowsOf(now)) shower.current(made)
        else {
          setStale(true)
          shower.current({ ...now, frame: made.frame })
        }
      }
      timer = setTimeout(() => {
        isAsking = false
        if (isAskedAgain) void look()
      }, APART_MS)
    }

    const stop = followChanges((changes) => {
      if (document.visibilityState === 'hidden' || !concerns(current.current, changes)) return
      if (isAsking) isAskedAgain = true
      else void look()
    })
    return () => {
      stop()
      ending.abort()
      clearTimeout(timer)
    }
  }, [state.frame === null])
  return isStale
}

/** What may not move under who reads it: all but the numbers at a list's tabs. */
const rowsOf = ({ data }: PageState) =>
  JSON.stringify(data, (key, value: unknown) => (key === 'counts' ? undefined : value))

const ORDER = /^\/orders\/(\w+)$/

function concerns({ address }: PageState, { orders, other }: Changes): boolean {
  const number = ORDER.exec(address)?.[1]
  return other || (number !== undefined && orders.includes(number))
}

/** A page of one thing, home, one's own, and the machine, whose clocks run on. */
function isInPlace({ page }: PageState): boolean {
  return (
    page === 'home' ||
    page === 'me' ||
    page === 'system' ||
    CONSOLE_ROUTES.some((route) => route.page === page && route.path.includes('{'))
  )
}
