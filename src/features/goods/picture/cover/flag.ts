import { hash } from './chance.ts'
import { lchToHex } from './colour.ts'
import { justifiedLine } from './lettering.ts'
import { escapeXml, rect, ring } from './shapes.ts'

const INK = '#ffffff'

/**
 * The sign of a country or sales region for 40×40 and below: a plate in a hue of its own with the code's letters, or a
 * globe where the code is a word (`global`, `latam`). It stands for a flag because flag emoji depend on the reader's
 * fonts, and a plate takes no side on disputed flags.
 * @param code letters or digits: `us`, `eu`, `mena`, `global`
 */
export function flag(code: string): string {
  const label = code.toUpperCase()
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" role="img" aria-label="${escapeXml(label)}">` +
    `${rect(1, 5, 38, 30, flagPlate(label), 6)}${label.length <= 4 ? letters(label) : globe()}</svg>`
  )
}

/** White reads on every hue at this lightness: at least 4.5:1. */
export function flagPlate(label: string): string {
  return lchToHex(0.46, 0.11, hash(label) % 360)
}

function letters(label: string): string {
  const narrow = label.length > 2
  const stroke = narrow ? 2.6 : 3.4
  const d = justifiedLine(label, 6, 12.5, 28, 15, stroke, 3, narrow ? 1.6 : 3)
  return `<path d="${d}" fill="none" stroke="${INK}" stroke-width="${stroke}" stroke-linecap="square" stroke-linejoin="round"/>`
}

function globe(): string {
  return `${ring(20, 20, 10, INK, 2.2)}<ellipse cx="20" cy="20" rx="4.4" ry="10" fill="none" stroke="${INK}" stroke-width="1.8"/><path d="M10 20h20" stroke="${INK}" stroke-width="1.8"/>`
}
