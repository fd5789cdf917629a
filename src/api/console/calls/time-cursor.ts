import type { TimeCursor } from '#features/office/system/queries.ts'
import { fieldError } from '#kernel/error.ts'

const CURSOR = /^(\d{1,14})~([A-Za-z0-9._:/+=-]{1,360})$/

/** Where a page begins, as the page before told it. Throws for a text that no page tells. */
export function timeCursorOf(given: string | undefined): TimeCursor | null {
  if (given === undefined) return null
  const [, at, id] = CURSOR.exec(given) ?? []
  if (at === undefined || id === undefined) throw fieldError('cursor', 'not_allowed')
  return { at: new Date(Number(at)), id }
}

export const timeCursorText = ({ at, id }: TimeCursor) => `${at.getTime()}~${id}`
