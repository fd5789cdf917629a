/** Written as the page writes amounts; exact, whatever the amount: the parts are never made one number. */
export function moneyText(
  language: string,
  minor: string,
  currency: string,
  places: number,
): string {
  const digits = minor.padStart(places + 1, '0')
  const decimal = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  }).format(decimal as unknown as number)
}
