import type { ReactNode } from 'react'

/** A name; the middle part of three is what was searched for and is marked. */
export type MarkedName = string | readonly [before: string, match: string, after: string]

export function markedName(name: MarkedName): ReactNode {
  if (typeof name === 'string') {
    return name
  }
  const [before, match, after] = name
  return (
    <>
      {before}
      <mark>{match}</mark>
      {after}
    </>
  )
}
