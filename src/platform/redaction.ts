const MASK = '***'
const MAX_DEPTH = 6
const MAX_TEXT = 16_384

/** What is secret wherever a name says so: in a field, a header, an address, a form or JSON. */
const SECRET = String.raw`token|password|passwd|secret|authorization|cookie|api[-_]?key|private[-_]?key|ticket|handle|proof[-_]?code`
/** What tells of a person. */
const PERSONAL = 'e-?mail|mobile|recipient|keywords'
const SECRET_NAME = new RegExp(`(?:${SECRET}|${PERSONAL})$`, 'i')
/** In an address these are secrets too. Elsewhere they are everyday words: an error's code, a job's key. */
const SECRET_PARAMETER = /^(?:code|state|key|sig|account|username)$/i

/** Characters with a meaning in an address, as they are or encoded however often ("%3F", "%253F"). */
const encoded = (...codes: string[]) => `%(?:25)*(?:${codes.join('|')})`
const PARAMETER = new RegExp(
  `(^|[\\s"'(,{]|[?&;#]|${encoded('3F', '26', '3B', '23')})((?:(?!${encoded('3F', '26', '3B', '23', '3D')})[\\w.%+~-]){1,100}?)(=|${encoded('3D')})`,
  'gi',
)
const JSON_MEMBER = new RegExp(
  String.raw`("[\w-]{0,40}(?:${SECRET}|${PERSONAL})"\s{0,9}:\s{0,9}")(?:[^"\\]|\\.)*`,
  'gi',
)
/** The engine's message about text that is no JSON ends so, after a piece of the text. */
const BROKEN_JSON = ' is not valid JSON'
const URL_PASSWORD = /([a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@]{0,200}:)[^\s/@]{1,500}@/gi
const BEARER = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]+/g
const EMAIL = /(?<![\w.+%-])[\w.+%-]{1,64}@((?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24})/gi
/** PostgreSQL shows the row or the key that broke a constraint. What it holds may look like such a message itself. */
const FAILING_ROW = 'Failing row contains ('
const BROKEN_KEY = /Key \([^\n]{1,200}?\)=\(/

/** Makes any value safe and fit to print: secrets masked, errors and big integers spelled out, depth and length bounded. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'function' || typeof value === 'symbol') return undefined
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return '…'
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (value instanceof URL) return redactText(value.href)
  if (value instanceof Error) return redactError(value, depth)
  if (ArrayBuffer.isView(value)) return `(${value.byteLength} bytes)`
  if (Array.isArray(value)) return value.map((entry) => redact(entry, depth + 1))
  if (value instanceof URLSearchParams) return redactText(`?${value}`)
  if (value instanceof Map || value instanceof Headers)
    return redact(Object.fromEntries(value), depth)
  if (value instanceof Set) return redact([...value], depth)
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return redact(value.toJSON(), depth + 1)
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key,
      SECRET_NAME.test(key) ? MASK : redact(entry, depth + 1),
    ]),
  )
}

export function redactText(text: string): string {
  const bounded = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
  return redactConstraint(redactBrokenJson(redactParameters(bounded)))
    .replace(JSON_MEMBER, `$1${MASK}`)
    .replace(URL_PASSWORD, `$1${MASK}@`)
    .replace(BEARER, `$1 ${MASK}`)
    .replace(EMAIL, `${MASK}@$1`)
}

/** All from the first value of a broken constraint to the last bracket that may end one: too much rather than too little. */
function redactConstraint(text: string): string {
  const key = BROKEN_KEY.exec(text)
  const row = text.indexOf(FAILING_ROW)
  const starts = [key ? key.index + key[0].length : -1, row < 0 ? -1 : row + FAILING_ROW.length]
  const from = Math.min(...starts.filter((start) => start >= 0))
  const to = text.lastIndexOf(')')
  return Number.isFinite(from) && to >= from ? text.slice(0, from) + MASK + text.slice(to) : text
}

/** Step by step, for the value of a harmless parameter may be an address with secrets of its own. */
function redactParameters(text: string): string {
  let out = ''
  let from = 0
  PARAMETER.lastIndex = 0
  for (let found = PARAMETER.exec(text); found; found = PARAMETER.exec(text)) {
    const [head, before = '', name = '', sign = ''] = found
    PARAMETER.lastIndex = found.index + head.length
    if (!isSecretParameter(decodeName(name), before)) continue
    out += text.slice(from, PARAMETER.lastIndex) + MASK
    from = PARAMETER.lastIndex = endOfValue(text, PARAMETER.lastIndex, sign)
  }
  return out + text.slice(from)
}

/** A value ends at the sign between parameters, as often encoded as the sign after the name was; further encoded ones are its own. */
function endOfValue(text: string, start: number, sign: string): number {
  const end =
    sign === '=' ? /[&#\s"<>]/g : new RegExp(`[&#\\s"<>]|${sign.slice(0, -2)}(?:26|23)`, 'g')
  end.lastIndex = start
  return end.exec(text)?.index ?? text.length
}

function redactBrokenJson(text: string): string {
  const end = text.lastIndexOf(BROKEN_JSON)
  const start = text.indexOf('"')
  return end < 0 || start < 0 || start > end
    ? text
    : `${text.slice(0, start)}the text${text.slice(end)}`
}

function isSecretParameter(name: string, before: string): boolean {
  return SECRET_NAME.test(name) || (/^[?&;#%]/.test(before) && SECRET_PARAMETER.test(name))
}

/** "%74oken" and "%2574oken" are "token" to whoever decodes them. */
function decodeName(name: string): string {
  let decoded = name
  for (let round = 0; round < 3 && decoded.includes('%'); round += 1) {
    decoded = decoded.replaceAll(/%([2-7][0-9a-f])/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
  }
  return decoded
}

function redactError(error: Error, depth: number): Record<string, unknown> {
  const { name, message, stack, cause, ...own } = error
  return {
    ...(redact(own, depth + 1) as Record<string, unknown>),
    name: error.name,
    message: redactText(error.message),
    ...(error.stack ? { stack: redactText(error.stack) } : {}),
    ...(error.cause === undefined ? {} : { cause: redact(error.cause, depth + 1) }),
  }
}
