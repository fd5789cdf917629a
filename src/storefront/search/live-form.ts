import { useEffect, useRef, type FormEvent, type RefObject } from 'react'
import { rememberSearch } from '../state/search-history.ts'

/** The results follow the keyword this long after it last changed (specification §7). */
const REFRESH_MS = 600

/**
 * The search form of the page: it submits itself while typing, in place of the address shown; what a person submits is
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

  useEffect(() => {
    if (wanted === shown) return
    const timer = setTimeout(() => ref.current?.querySelector('form')?.requestSubmit(), REFRESH_MS)
    return () => clearTimeout(timer)
  }, [wanted, shown])

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    // Only a person's own submission has a button behind it.
    const isOwn = (event.nativeEvent as SubmitEvent).submitter !== null
    if (isOwn && wanted === '') return event.preventDefault()
    if (isOwn) rememberSearch(wanted)
  }
  return { ref, onSubmit }
}
