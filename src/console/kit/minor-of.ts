/** An amount as it was typed in minor units, without ever being a floating number; '' for none. */
export function minorOf(typed: string, minorUnits = 2): string {
  const [whole = '', fraction = ''] = typed.replace(',', '.').split('.')
  if (whole === '' && fraction === '') return ''
  const digits = whole + fraction.padEnd(minorUnits, '0').slice(0, Math.max(minorUnits, 0))
  return digits.replace(/^0+(?=\d)/, '')
}
