import type { CellEdit, Edits } from '../products/edits.ts'
import { useChange, type ChangeInHand, type ShownEffect } from '../products/use-change.ts'

export interface Place {
  readonly subject: string
  readonly code: string
  readonly field: string
}

export type FieldConflict = ShownEffect['conflicts'][number]

/** What the changes that are not saved would do, as it is told at their fields. */
export interface Saving {
  readonly change: ChangeInHand
  readonly told: ShownEffect | null
  /** Edits that can be read. */
  readonly right: readonly CellEdit[]
  readonly faultAt: (place: Place) => string | undefined
  readonly conflictAt: (place: Place) => FieldConflict | undefined
}

const isAt = (one: Place, other: Place) =>
  one.subject === other.subject && one.code === other.code && one.field === other.field

/** @param edits of the whole page: they are told, and saved, as one change */
export function useSaving(edits: Edits): Saving {
  const right = edits.all.filter(({ fault }) => fault === null)
  const asked =
    right.length === 0
      ? null
      : {
          edits: right.map(({ subject = 'item', code, field, from, to }) => ({
            subject,
            code,
            field,
            ...(from === undefined ? {} : { from }),
            to,
          })),
        }
  const change = useChange(asked)
  const told = typeof change.told === 'string' ? null : change.told
  return {
    change,
    told,
    right,
    faultAt: (place) => told?.faults.find((fault) => isAt(fault, place))?.msg,
    conflictAt: (place) => told?.conflicts.find((conflict) => isAt(conflict, place)),
  }
}
