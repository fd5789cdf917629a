import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeFolder } from '../../../../../test/support/catalogue-folder.ts'
import type { Fault } from './faults.ts'
import { parseInto, readFolder } from './read.ts'

function parse(source: string | Uint8Array): { value: unknown; faults: Fault[] } {
  const documents = new Map<string, unknown>()
  const faults: Fault[] = []
  parseInto(
    'x.json',
    typeof source === 'string' ? new TextEncoder().encode(source) : source,
    documents,
    faults,
  )
  return { value: documents.get('x.json'), faults }
}

describe('what a file may hold', () => {
  test('a byte order mark and Windows line ends are no fault', () => {
    expect(parse('\uFEFF{\r\n"a": 1\r\n}')).toEqual({ value: { a: 1 }, faults: [] })
  })

  test.each([
    ['{"a":', /not JSON/],
    ['{"a": "\\u0000"}', /NUL/],
    ['{"a": ["\\ud800"]}', /surrogate/],
    ['{"__proto__": {"x": 1}}', /not allowed/],
    ['{"a\\u0000": 1}', /key/],
    ['['.repeat(100_000), /deep/],
    ['{"a":'.repeat(50_000), /deep/],
  ])('%.20s… is a fault', (source, message) => {
    const { value, faults } = parse(source)
    expect(value).toBeUndefined()
    expect(faults[0]?.message).toMatch(message)
  })

  test('brackets inside texts do not count as nesting', () => {
    expect(parse(JSON.stringify({ a: '['.repeat(500), b: '"'.repeat(30) })).faults).toEqual([])
  })

  test('bytes that are not UTF-8 are a fault', () => {
    expect(parse(new Uint8Array([0x22, 0xff, 0x22])).faults[0]?.message).toMatch(/UTF-8/)
  })

  test('a fault names the place inside the file', () => {
    expect(parse('{"a": [{"b": "\\u0000"}]}').faults[0]).toEqual({
      file: 'x.json',
      path: 'a[0].b',
      message: 'holds a NUL character',
    })
  })
})

describe('readFolder', () => {
  test('links are faults, hidden and other files are left aside', async () => {
    const folder = writeFolder({
      'catalogue.json': { format: 1 },
      'README.md': 'words',
      '.git/x.json': '{',
    })
    symlinkSync('/etc/hostname', join(folder, 'units.json'))
    symlinkSync('/etc', join(folder, 'brands'))
    const { documents, faults } = await readFolder(folder)
    expect([...documents.keys()]).toEqual(['catalogue.json'])
    expect(faults.map((fault) => fault.file)).toEqual(['brands', 'units.json'])
  })

  test('a folder that is not there is one fault', async () => {
    const { faults } = await readFolder('/nowhere/at/all')
    expect(faults).toEqual([
      { file: '.', path: '', message: 'there is no such folder, or it cannot be read' },
    ])
  })
})
