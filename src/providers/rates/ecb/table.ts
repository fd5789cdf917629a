import { OddAnswer, plainDecimal } from '../answer.ts'
import type { RateTable } from '../service.ts'

const DOCUMENT =
  /^\uFEFF?\s*(?:<\?xml [^<>]*\?>)?\s*<gesmes:Envelope\b[^<>]*>([\s\S]*)<\/gesmes:Envelope>\s*$/
const HEAD =
  /^\s*<gesmes:subject>[^<>]*<\/gesmes:subject>\s*<gesmes:Sender>\s*<gesmes:name>[^<>]*<\/gesmes:name>\s*<\/gesmes:Sender>\s*$/
const DAY = /^<Cube>\s*<Cube time=(["'])(\d{4}-\d\d-\d\d)\1\s*>([\s\S]*)<\/Cube>\s*<\/Cube>\s*$/
const RATE = /^<Cube currency=(["'])([A-Z]{3})\1 rate=(["'])([0-9.]{1,40})\3\s*\/>$/

/**
 * Reads the bank's daily file. It has had one shape since 1999, and this takes that one alone: whatever else stands in it makes all of it
 * unfit, as nobody knows what it would mean. Entities and document types are none of it.
 */
export function readEcbTable(text: string): RateTable {
  const inside = DOCUMENT.exec(text)?.[1]
  if (inside === undefined) throw new OddAnswer('it is not the file of reference rates')
  const from = inside.indexOf('<Cube>')
  const day = DAY.exec(inside.slice(from))
  if (from < 0 || !HEAD.test(inside.slice(0, from)) || !day)
    throw new OddAnswer('its shape is another one')
  const [, , date = '', body = ''] = day
  const publishedAt = new Date(`${date}T00:00:00Z`)
  // A day that is none, as 31 February, is read as another one.
  if (Number.isNaN(publishedAt.getTime()) || !publishedAt.toISOString().startsWith(date))
    throw new OddAnswer(`${date} is no day`)
  return { base: 'EUR', publishedAt, rates: readRates(body) }
}

function readRates(body: string): ReadonlyMap<string, string> {
  const rates = new Map<string, string>()
  for (const piece of body.trim().split(/(?<=\/>)\s*/)) {
    const [, , code = '', , written = ''] = RATE.exec(piece) ?? []
    const rate = plainDecimal(written)
    if (rate === null) throw new OddAnswer(`it has what is no rate: ${piece.slice(0, 80)}`)
    if (rates.has(code) || code === 'EUR') throw new OddAnswer(`it has ${code} twice`)
    rates.set(code, rate)
  }
  return rates
}
