import { useEffect, useId, useRef, type KeyboardEvent } from 'react'
import { moveTo, wayOf } from './moving.ts'

interface CellProps {
  readonly label: string
  readonly row: number
  readonly column: number
  /** What was there before anybody typed. */
  readonly start: string
  readonly shown: string
  readonly isDirty: boolean
  readonly fault: string | null
  readonly write: (text: string) => void
  readonly revert: () => void
  /** Takes several cells at once. */
  readonly paste: (text: string) => void
}

/**
 * A cell that is typed into. Arrows go from cell to cell while all of it is marked, as it is when it is come to; Enter begins to write, and
 * takes what was written; Escape puts back what was there.
 */
export function Cell(props: CellProps) {
  const { label, row, column, shown, isDirty, fault, write, paste } = props
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  // What is being typed is nobody else's to replace.
  useEffect(() => {
    const input = field.current
    if (input && document.activeElement !== input) input.value = shown
  }, [shown])
  return (
    <>
      <input
        ref={field}
        className={isDirty ? 'input edit dirty' : 'input edit'}
        aria-label={label}
        aria-invalid={fault !== null && fault !== ''}
        aria-describedby={fault ? id : undefined}
        autoComplete="off"
        inputMode="decimal"
        dir="ltr"
        maxLength={40}
        defaultValue={shown}
        data-cell={`${row} ${column}`}
        onFocus={(event) => event.currentTarget.select()}
        onKeyDown={(event) => press(event, props)}
        onBlur={(event) => {
          if (event.currentTarget.value !== shown) write(event.currentTarget.value)
        }}
        onPaste={(event) => {
          const text = event.clipboardData.getData('text')
          if (!/[\t\n]/.test(text.trimEnd())) return
          event.preventDefault()
          paste(text)
        }}
      />
      {fault ? (
        <small className="fault" id={id}>
          {fault}
        </small>
      ) : null}
    </>
  )
}

function press(event: KeyboardEvent<HTMLInputElement>, { row, column, start, revert }: CellProps) {
  const input = event.currentTarget
  const isMarked = input.selectionStart === 0 && input.selectionEnd === input.value.length
  if (event.key === 'Escape') {
    input.value = start
    input.select()
    revert()
  } else if (event.key === 'Enter') {
    event.preventDefault()
    if (isMarked && input.value !== '')
      input.setSelectionRange(input.value.length, input.value.length)
    else {
      input.blur()
      moveTo(row + 1, column)
    }
  } else {
    const way = wayOf(event, isMarked)
    if (!way) return
    event.preventDefault()
    moveTo(row + way.rows, column + way.columns)
  }
}
