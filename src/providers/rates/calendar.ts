/** On which days a source publishes, and by when. */
export interface Publishing {
  /** @param day midnight, UTC */
  readonly isDay: (day: Date) => boolean
  /** Hours after that midnight by which the day's rates are there; 24 for any time of the day. */
  readonly dueHour: number
}

const DAY_MS = 86_400_000

export const EVERY_DAY: Publishing = { isDay: () => true, dueHour: 24 }

/** Closing days of the euro's payment system beside weekends: New Year, Good Friday, Easter Monday, 1 May, 25 and 26 December. */
export function isTargetDay(day: Date): boolean {
  const weekday = day.getUTCDay()
  if (weekday === 0 || weekday === 6) return false
  const date = `${day.getUTCMonth() + 1}-${day.getUTCDate()}`
  if (['1-1', '5-1', '12-25', '12-26'].includes(date)) return false
  const fromEaster = Math.round((day.getTime() - easterSunday(day.getUTCFullYear())) / DAY_MS)
  return fromEaster !== -2 && fromEaster !== 1
}

/** Midnight of Easter Sunday in the Gregorian calendar (Meeus, Jones and Butcher). */
function easterSunday(year: number): number {
  const a = year % 19
  const century = Math.floor(year / 100)
  const rest = year % 100
  const f = Math.floor((century + 8) / 25)
  const g = Math.floor((century - f + 1) / 3)
  const h = (19 * a + century - Math.floor(century / 4) - g + 15) % 30
  const l = (32 + 2 * (century % 4) + 2 * Math.floor(rest / 4) - h - (rest % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const sum = h + l - 7 * m + 114
  return Date.UTC(year, Math.floor(sum / 31) - 1, (sum % 31) + 1)
}
