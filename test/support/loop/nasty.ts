/** As much as one body may hold, less what stands around it. */
const MOST = 64_000
const filled = (text: string) => text.repeat(Math.floor(MOST / Buffer.byteLength(text)))

/** JSON that is hard to read, to check or to tell about, by what it is. */
export const NASTY_JSON: Readonly<Record<string, string>> = {
  deep: `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  'deep list': '['.repeat(32_000) + ']'.repeat(32_000),
  'many members': `{${Array.from({ length: 5_500 }, (_, index) => `"k${index}":1`).join(',')}}`,
  'one member many times': `{${Array.from({ length: 9_000 }, () => '"a":1').join(',')}}`,
  prototype: `{"__proto__":{${Array.from({ length: 5_000 }, (_, index) => `"k${index}":1`).join(',')}}}`,
  'many numbers': `[${filled('1,')}1]`,
  'many objects': `[${filled('{},')}{}]`,
  'many texts': `[${filled('"",')}""]`,
  'one number': '1'.repeat(MOST),
  'escaped text': `"${filled('\\u0041')}"`,
  nothing: 'null',
}

/** Texts that patterns, normalisation, casing and segmentation find hard. */
export const NASTY_TEXTS: readonly string[] = [
  'a',
  '1',
  ' ',
  'a@',
  'a.',
  '-',
  '\u0301',
  'e\u0301',
  '😀',
  '👩‍👩‍👧‍👦',
  'ก',
  '\u200d',
  'Aa1',
  '+1 ',
  '\n',
  'http://',
  '<',
  '٣',
  'ß',
  'İ',
  'ﷺ',
  '中文',
  'アー',
  'mobile legends ',
].map(filled)

/** A body of the call's example in which one member is something else. */
export function bodyWith(
  example: Readonly<Record<string, unknown>>,
  name: string,
  json: string,
): string {
  const others = Object.entries(example)
    .filter(([member]) => member !== name)
    .map(([member, value]) => `,${JSON.stringify(member)}:${JSON.stringify(value)}`)
  return `{${JSON.stringify(name)}:${json}${others.join('')}}`
}

/** A body in which every member is the same text, as long as all of them may be together. */
export function bodyOf(names: readonly string[], text: string): string {
  const share = text.slice(
    0,
    Math.floor(60_000 / names.length / Buffer.byteLength(text.slice(0, 1))),
  )
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, share])))
}
