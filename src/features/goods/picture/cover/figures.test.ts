import sharp from 'sharp'
import { expect, test } from 'vitest'
import { figure, FIGURE_NAMES } from './figures.ts'

test.each(FIGURE_NAMES)(
  'the figure %s is drawn, holds no lettering and weighs little',
  async (name) => {
    const svg = figure(name)
    const { data, info } = await sharp(Buffer.from(svg)).raw().toBuffer({ resolveWithObject: true })
    expect([info.width, info.height]).toEqual([640, 400])
    const colours = new Set<string>()
    for (let at = 0; at < data.length; at += info.channels * 997)
      colours.add(data.subarray(at, at + 3).toString('hex'))
    expect(colours.size).toBeGreaterThan(4)
    expect(svg).not.toMatch(/<text|<image|href/)
    expect(svg.length).toBeLessThan(4_000)
  },
)

test('no two figures are the same', () => {
  expect(new Set(FIGURE_NAMES.map(figure)).size).toBe(FIGURE_NAMES.length)
})
