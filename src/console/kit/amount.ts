/** Minor units of what was typed as an amount, with a point or a comma before the smaller coins; null for what is none. */
export function minorOf(typed: string, places: number): string | null {
  const [, whole = '', part = ''] = /^(\d{1,12})(?:[.,](\d{1,3}))?$/.exec(typed.trim()) ?? []
  if (whole === '' || part.length > places) return null
  const minor = (whole + part.padEnd(places, '0')).replace(/^0+/, '')
  return minor === '' ? null : minor
}
