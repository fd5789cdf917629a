import type { KeyboardEvent } from 'react'

export interface Way {
  readonly rows: number
  readonly columns: number
}

/** Where an arrow leads; up and down always, to the sides while the whole cell is marked. Null for any other key. */
export function wayOf(
  { key, currentTarget, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent<HTMLElement>,
  isMarked: boolean,
): Way | null {
  if (altKey || ctrlKey || metaKey || shiftKey) return null
  if (key === 'ArrowUp') return { rows: -1, columns: 0 }
  if (key === 'ArrowDown') return { rows: 1, columns: 0 }
  if (!isMarked || (key !== 'ArrowLeft' && key !== 'ArrowRight')) return null
  const table = currentTarget.closest('table')
  const isFromRight = table !== null && getComputedStyle(table).direction === 'rtl'
  return { rows: 0, columns: (key === 'ArrowRight') === isFromRight ? -1 : 1 }
}

/** Goes to a cell, where there is one. */
export function moveTo(row: number, column: number): void {
  document.querySelector<HTMLElement>(`[data-cell="${row} ${column}"]`)?.focus()
}
