/** Hundredths of a percent of what was typed as a share, "12.5"; null for what is none. */
export function pointsOf(typed: string, most = 100_000): number | null {
  const [, whole = '', part = ''] = /^(\d{1,4})(?:[.,](\d{1,2}))?\s*%?$/.exec(typed.trim()) ?? []
  if (whole === '') return null
  const points = Number(whole) * 100 + Number(part.padEnd(2, '0'))
  return points > most ? null : points
}

/** As it is typed: without zeros that say nothing. */
export function shareOf(points: number): string {
  const [whole, part] = [Math.floor(points / 100), String(points % 100).padStart(2, '0')]
  return part === '00' ? String(whole) : `${whole}.${part.replace(/0$/, '')}`
}

/** Minor units as they are typed: whole units, and the smaller coins behind a point. */
export function majorOf(minor: string, places: number): string {
  const digits = minor.padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** "−10.0 %" of millionths, as the page's language writes it. */
export function moveText(language: string, millionths: number): string {
  return new Intl.NumberFormat(language, {
    style: 'percent',
    signDisplay: 'exceptZero',
    minimumFractionDigits: 1,
    maximumFractionDigits: 2,
  }).format(millionths / 1_000_000)
}

/** The same of hundredths of a percent, without a sign. */
export const shareText = (language: string, points: number): string =>
  new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 }).format(
    points / 10_000,
  )
