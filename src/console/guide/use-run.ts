import { useEffect, useState } from 'react'
import { readQuietly } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'

const ASKED_EVERY_MS = 1_000

/** Asks again and again how something that the worker does stands, until it is over; then the page is made anew. */
export function useRun<Data>(path: string, first: Data, isOver: (data: Data) => boolean): Data {
  const of = JSON.stringify(first)
  const [heard, setHeard] = useState<{ readonly of: string; readonly data: Data } | null>(null)
  const isWaiting = !isOver(first)
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(async () => {
      const data = await readQuietly<Data>(path)
      if (data === null) return
      setHeard({ of, data })
      if (!isOver(data)) return
      clearInterval(timer)
      refreshPage()
    }, ASKED_EVERY_MS)
    return () => clearInterval(timer)
  }, [path, of, isWaiting, isOver])
  return heard?.of === of ? heard.data : first
}
