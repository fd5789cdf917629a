import { inflateSync } from 'node:zlib'

export interface PdfText {
  /** What the glyphs are said to be, stretch by stretch as it was drawn; each glyph by itself. */
  readonly stretches: readonly (readonly string[])[]
  /** What elements of its structure are said to read, in their order. */
  readonly actual: readonly string[]
  readonly language: string
  readonly title: string
}

/** Reads the text of a PDF as PDFKit writes them: objects one after the other, streams deflated, fonts with a map to Unicode. */
export function readPdfText(pdf: Buffer): PdfText {
  const file = pdf.toString('latin1')
  const objects = new Map(
    [...file.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)].map(([, id = '', body = '']) => [
      id,
      body,
    ]),
  )
  const fonts = new Map<string, ReadonlyMap<number, string>>()
  for (const [, name = '', id = ''] of file.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id) ?? '')?.[1]
    if (map !== undefined) fonts.set(name, readMap(streamOf(objects.get(map) ?? '')))
  }
  const pages = [...objects.values()]
    .filter((body) => /\/Type \/Page\n/.test(body))
    .map((body) => streamOf(objects.get(/\/Contents (\d+) 0 R/.exec(body)?.[1] ?? '') ?? ''))
  const dictionaries = [...objects.values()].filter((body) => !body.includes('stream\n')).join('\n')
  return {
    stretches: pages.flatMap((content) => readStretches(content, fonts)),
    actual: [...dictionaries.matchAll(/\/ActualText (\((?:\\[\s\S]|[^\\)])*\))/g)].map(
      ([, text = '']) => readString(text),
    ),
    language: readString(/\/Lang (\(.*?\))/.exec(dictionaries)?.[1] ?? '()'),
    title: readString(objects.get(/\/Title (\d+) 0 R/.exec(dictionaries)?.[1] ?? '') ?? '()'),
  }
}

function streamOf(object: string): string {
  const [, data = ''] = /\nstream\n([\s\S]*)\nendstream$/.exec(object) ?? []
  return (
    object.includes('/FlateDecode')
      ? inflateSync(Buffer.from(data, 'latin1'))
      : Buffer.from(data, 'latin1')
  ).toString('latin1')
}

function readMap(stream: string): ReadonlyMap<number, string> {
  const map = new Map<number, string>()
  for (const [, start = '', list = ''] of stream.matchAll(
    /<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/g,
  )) {
    ;[...list.matchAll(/<([0-9a-f ]*)>/g)].forEach(([, units = ''], index) => {
      map.set(
        Number.parseInt(start, 16) + index,
        String.fromCharCode(
          ...(units.match(/[0-9a-f]{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16)),
        ),
      )
    })
  }
  return map
}

function readStretches(
  content: string,
  fonts: ReadonlyMap<string, ReadonlyMap<number, string>>,
): string[][] {
  return content
    .split('BT\n')
    .slice(1)
    .map((block) => {
      const font = fonts.get(/\/(F\d+) [\d.]+ Tf/.exec(block)?.[1] ?? '')
      const glyphs = [...block.matchAll(/\[([^\]]*)\] TJ/g)].flatMap(([, shown = '']) =>
        [...shown.matchAll(/<([0-9a-f]*)>/g)].flatMap(
          ([, hex = '']) => hex.match(/[0-9a-f]{4}/g) ?? [],
        ),
      )
      return glyphs.map((glyph) => font?.get(Number.parseInt(glyph, 16)) ?? '?')
    })
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

function readString(literal: string): string {
  const bytes = Buffer.from(
    literal.slice(1, -1).replace(/\\([\s\S])/g, (_, char: string) => ESCAPED[char] ?? char),
    'latin1',
  )
  return bytes[0] === 0xfe && bytes[1] === 0xff
    ? bytes.subarray(2).swap16().toString('utf16le')
    : bytes.toString('latin1')
}
