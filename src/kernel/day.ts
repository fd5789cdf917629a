/** The day of a moment in UTC, '2027-06-30': by it keys expire, wherever the database's server stands. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}
