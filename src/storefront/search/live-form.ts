import { useEffect, useRef, type FormEvent, type RefObject } from 'react'
import { showInstead } from '../state/refresh.ts'
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
    const timer = setTimeout(() => showResults(ref.current?.querySelector('form')), REFRESH_MS)
    return () => clearTimeout(timer)
  }, [wanted, shown])

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    if (wanted === '') return event.preventDefault()
    // Choosing an order submits it too; only a person's own submission has a button behind it.
    if ((event.nativeEvent as SubmitEvent).submitter !== null) rememberSearch(wanted)
  }
  return { ref, onSubmit }
}

/** What the form asks for, without leaving the page: the caret stays where it is. */
function showResults(form: HTMLFormElement | null | undefined): void {
  if (!form) return
  const asked = [...new FormData(form)].filter(
    (field): field is [string, string] => typeof field[1] === 'string' && field[1] !== '',
  )
  const query = new URLSearchParams(asked).toString()
  showInstead(query === '' ? form.action : `${form.action}?${query}`)
}
