import { useEffect, useRef, type FormEvent, type RefObject } from 'react'
import { showAskedInstead } from '../state/refresh.ts'
import { openSearchHistory, rememberSearch } from '../state/search-history.ts'

/** The results follow the keyword this long after it last changed (specification §7). */
const REFRESH_MS = 600

/**
 * The search form of the page: its results follow while typing, in place of the address shown; what a person submits is
 * remembered. Without script it is a form like any other.
 */
export function useLiveForm(
  typed: string,
  shown: string,
): {
  readonly ref: RefObject<HTMLDivElement | null>
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void
} {
  const ref = useRef<HTMLDivElement>(null)
  const wanted = typed.trim()

  useEffect(openSearchHistory, [])

  useEffect(() => {
    if (wanted === shown) return
    const timer = setTimeout(() => {
      const form = ref.current?.querySelector('form')
      if (form) showAskedInstead(form)
    }, REFRESH_MS)
    return () => clearTimeout(timer)
  }, [wanted, shown])

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    if (wanted === '') return event.preventDefault()
    // Choosing an order submits it too; only a person's own submission has a button behind it.
    if ((event.nativeEvent as SubmitEvent).submitter !== null) rememberSearch(wanted)
  }
  return { ref, onSubmit }
}
