import { hash } from './chance.ts'
import { contrast, lchToHex } from './colour.ts'
import { justifiedLine } from './lettering.ts'
import { escapeXml, rect } from './shapes.ts'

/**
 * The sign of a country or region for 40×40 and below: a plate with its letters, in a hue of its own. It stands for a
 * flag because flag emoji depend on the reader's fonts, and a plate takes no side on disputed flags.
 * @param code up to four letters or digits: `us`, `eu`, `tw`
 */
export function flag(code: string): string {
  const letters = code.toUpperCase().slice(0, 4)
  const colours = flagColours(letters)
  const narrow = letters.length > 2
  const stroke = narrow ? 2.6 : 3.4
  const text = justifiedLine(letters, 6, 12.5, 28, 15, stroke, 3, narrow ? 1.6 : 3)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" role="img" aria-label="${escapeXml(letters)}">` +
    rect(1, 5, 38, 30, colours.plate, 6) +
    `<path d="${text}" fill="none" stroke="${colours.ink}" stroke-width="${stroke}" stroke-linecap="square" stroke-linejoin="round"/></svg>`
  )
}

/** White reads on every hue at this lightness: at least 4.5:1. */
export function flagColours(letters: string): { plate: string; ink: string } {
  const hue = hash(letters) % 360
  const plate = lchToHex(0.46, 0.11, hue)
  return { plate, ink: contrast('#ffffff', plate) >= 4.5 ? '#ffffff' : '#000000' }
}
