import { refusal } from '#platform/refusal.ts'

/** With its zone: what is a local time here is none on another machine. */
export function instantOf(text: string, option: string): Date {
  const at = new Date(text)
  if (
    !/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)$/.test(text) ||
    Number.isNaN(at.getTime())
  )
    throw refusal(`${option} takes an instant with its zone, like 2026-11-21T10:04:00Z.`)
  return at
}
