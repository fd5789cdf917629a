import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { create, type Font } from 'fontkit'
import { expect, test } from 'vitest'
import { PROJECT_ROOT } from '#platform/project.ts'
import { encodeOutline } from './outline.ts'
import { unpackWoff2 } from './woff2.ts'

const read = (file: string) => readFileSync(join(PROJECT_ROOT, 'node_modules', file))

test.each([
  '@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff2',
  '@fontsource-variable/noto-sans-jp/files/noto-sans-jp-119-wght-normal.woff2',
])('%s has the same outlines unpacked', (name) => {
  const packed = create(read(name)) as Font
  const unpacked = create(unpackWoff2(read(name))) as Font
  expect(unpacked.numGlyphs).toBe(packed.numGlyphs)
  expect(unpacked.characterSet).toEqual(packed.characterSet)
  for (let id = 0; id < packed.numGlyphs; id += 1) {
    expect(unpacked.getGlyph(id).path.toSVG()).toBe(packed.getGlyph(id).path.toSVG())
    expect(unpacked.getGlyph(id).advanceWidth).toBe(packed.getGlyph(id).advanceWidth)
  }
})

test('what is no WOFF 2.0 file is refused', () => {
  expect(() =>
    unpackWoff2(read('@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff')),
  ).toThrow('not a WOFF 2.0 file')
})

test('an outline is written as it is drawn: the contour count, its box, its points', () => {
  const square = [
    ['moveTo', 0, 0],
    ['lineTo', 0, 300],
    ['lineTo', 10, 300],
    ['quadraticCurveTo', 20, 300, 20, 0],
    ['closePath'],
  ] as const
  const glyph = encodeOutline({
    commands: square.map(([command, ...args]) => ({ command, args: [...args] })),
  })
  expect([0, 2, 4, 6, 8, 10].map((at) => glyph.readInt16BE(at))).toEqual([1, 0, 0, 20, 300, 4])
  // Flags: on the curve or not; short or the same. 300 up takes two bytes, 10 along one.
  expect([...glyph.subarray(14, 19)]).toEqual([0x31, 0x11, 0x33, 0x32, 0x11])
  expect(glyph.length % 4).toBe(0)
  expect(encodeOutline({ commands: [] })).toHaveLength(0)
})
