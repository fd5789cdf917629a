import { useState } from 'react'

/**
 * A value that a person may change at once and that follows the page's data whenever that changes: what a filter shows
 * between the press and the answer, and after going back.
 */
export function useFollowing<T>(value: T): [T, (next: T) => void] {
  const [state, setState] = useState({ followed: value, shown: value })
  if (!Object.is(state.followed, value)) setState({ followed: value, shown: value })
  return [
    Object.is(state.followed, value) ? state.shown : value,
    (shown) => setState({ followed: value, shown }),
  ]
}
