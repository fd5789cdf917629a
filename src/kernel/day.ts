const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The day of a moment in UTC, '2027-06-30': by it keys expire, wherever the database's server stands. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}

/** The calendar day of a moment in a time zone. */
export function dayIn(timeZone: string, moment: Date): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(moment)
}

/** Whether a text is a day as a calendar has it, of the year 1 or later: the database has no year 0. */
export function isDay(text: string | null | undefined): text is string {
  if (!text || !DAY.test(text) || text < '0001') return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && dayOf(day) === text
}
