/** What a client may call its visit: 36 random letters, digits and hyphens. */
const VISIT_ID = /^[A-Za-z0-9-]{36}$/

export function isVisitId(text: string): boolean {
  return VISIT_ID.test(text)
}

/** The calendar day of a moment in a time zone, as `2026-11-20`. */
export function dayIn(timeZone: string, moment: Date): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(moment)
}
