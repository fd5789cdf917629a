import { lchToHex } from './colour.ts'
import { hash } from './hash.ts'
import { linePath, measure } from './lettering.ts'
import { escapeXml, n1, rect } from './shapes.ts'

const INK = '#ffffff'
const VOICE = { weight: 0.2, width: 0.92, track: 0.14 }
const CAP = 16
const MEASURE = 30

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
  const cap = Math.min(CAP, MEASURE / measure(label, VOICE))
  const x = 20 - (measure(label, VOICE) * cap) / 2
  const d = linePath(label, x, 20 - cap / 2, cap, VOICE)
  return `<path d="${d}" fill="none" stroke="${INK}" stroke-width="${n1(cap * VOICE.weight)}" stroke-linecap="square" stroke-miterlimit="3"/>`
}

function globe(): string {
  const lines =
    'M20 10a10 10 0 1 0 0 20a10 10 0 1 0 0-20ZM10 20h20M20 10c-6 5-6 15 0 20c6-5 6-15 0-20Z'
  return `<path fill="none" stroke="${INK}" stroke-width="2" d="${lines}"/>`
}
