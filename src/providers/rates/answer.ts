import { systemErrorCode } from '#platform/refusal.ts'
import { requestHeaders } from '#platform/request-scope.ts'
import type { RateTable } from './service.ts'

/** An answer that came and cannot be used; nothing of it is. */
export class OddAnswer extends Error {
  override readonly name = 'OddAnswer'
}

export interface Asked {
  readonly headers?: Readonly<Record<string, string>>
  readonly maxBytes: number
  /** Until the last byte. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

export interface TextAnswer {
  readonly status: number
  readonly text: string
}

const REDIRECTS_MAX = 2
const isRedirect = (status: number) => [301, 302, 303, 307, 308].includes(status)

/** Gets a text, whole or not at all: bounded in size and time, and from nowhere but the host that was asked. */
export async function getText(address: string, asked: Asked): Promise<TextAnswer> {
  const limit = AbortSignal.timeout(asked.timeoutMs)
  const signal = asked.signal ? AbortSignal.any([asked.signal, limit]) : limit
  let url = new URL(address)
  const { origin, host } = url
  try {
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
      const answer = await fetch(url, {
        headers: { ...asked.headers, ...requestHeaders() },
        redirect: 'manual',
        signal,
      })
      if (!isRedirect(answer.status))
        return { status: answer.status, text: await textOf(answer, asked.maxBytes) }
      await answer.body?.cancel()
      const next = URL.parse(answer.headers.get('location') ?? '', url)
      if (next?.origin !== origin) throw new OddAnswer(`${host} leads to another host`)
      url = next
    }
    throw new OddAnswer(`${host} leads in a circle`)
  } catch (error) {
    throw error instanceof OddAnswer ? error : silence(host, error, limit.aborted)
  }
}

function silence(host: string, error: unknown, isLate: boolean): Error {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const said = systemErrorCode(cause) ?? (cause instanceof Error ? cause.message : String(cause))
  const reason = isLate ? 'too late' : said
  return new Error(`no answer from ${host}: ${reason}`, { cause: error })
}

async function textOf(answer: Response, maxBytes: number): Promise<string> {
  const tooLarge = () => new OddAnswer(`the answer is larger than ${maxBytes} bytes`)
  if (Number(answer.headers.get('content-length') ?? 0) > maxBytes) {
    await answer.body?.cancel()
    throw tooLarge()
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw new OddAnswer('the answer is no UTF-8 text')
  }
}

const NUMBER = /^(\d{1,15})(?:\.(\d{1,30}))?(?:[eE]([+-]?\d{1,2}))?$/

/** A number as it was written ("1.0512e-5") as a plain decimal of the same value; null for one that is no rate. */
export function plainDecimal(written: string): string | null {
  const match = NUMBER.exec(written)
  if (!match) return null
  const [, whole = '', fraction = '', exponent = '0'] = match
  const digits = whole + fraction
  if (/^0*$/.test(digits)) return null
  const point = whole.length + Number(exponent)
  const wide = digits.padStart(digits.length + Math.max(0, 1 - point), '0')
  const at = Math.max(1, point)
  const filled = wide.padEnd(at, '0')
  const [left, right] = [filled.slice(0, at).replace(/^0+(?=\d)/, ''), filled.slice(at)]
  const tail = right.replace(/0+$/, '')
  return left.length > 15 || tail.length > 30 ? null : tail === '' ? left : `${left}.${tail}`
}

/** Beyond these a unit of one currency would be next to nothing in another: no money is. */
const DIGITS_BEFORE_MAX = 9
const ZEROS_AFTER_MAX = 8
const CURRENCIES = { least: 5, most: 400 }
const AHEAD_MS = 86_400_000

/** A table that can be used as it is. Throws `OddAnswer` with what is wrong. */
export function checkedTable(table: RateTable, now: Date): RateTable {
  const { base, rates, publishedAt } = table
  if (Number.isNaN(publishedAt.getTime())) throw new OddAnswer('it has no date')
  if (publishedAt.getTime() > now.getTime() + AHEAD_MS)
    throw new OddAnswer(`it is of ${publishedAt.toISOString().slice(0, 10)}, which is to come`)
  if (rates.size < CURRENCIES.least || rates.size > CURRENCIES.most)
    throw new OddAnswer(`it has ${rates.size} currencies`)
  if (base !== 'USD' && !rates.has('USD')) throw new OddAnswer('it has no US dollar')
  for (const [code, rate] of rates) {
    const [whole = '', fraction = ''] = rate.split('.')
    const zeros = /^0*/.exec(fraction)?.[0].length ?? 0
    if (whole.length > DIGITS_BEFORE_MAX || (whole === '0' && zeros > ZEROS_AFTER_MAX))
      throw new OddAnswer(`${code} at ${rate} is no rate`)
  }
  return table
}
