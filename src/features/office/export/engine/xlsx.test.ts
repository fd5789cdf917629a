import { unzipSync } from 'fflate'
import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { NO_SHEET, writePiece, type Cell, type SheetSoFar } from './xlsx.ts'

/** Cells of the sheet of a workbook, read by others: an archive's reader and an XML parser. */
function read(file: Uint8Array): { rows: (string | number)[][]; files: string[] } {
  const files = unzipSync(file)
  for (const xml of Object.values(files)) cellsOf(xml)
  return {
    rows: cellsOf(files['xl/worksheets/sheet1.xml'] ?? new Uint8Array()),
    files: Object.keys(files),
  }
}

function cellsOf(xml: Uint8Array): (string | number)[][] {
  const rows: (string | number)[][] = []
  let text: string | null = null
  let isNumber = false
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name }) => {
    if (name === 'row') rows.push([])
    if (name === 'c') {
      text = ''
      isNumber = false
    }
    if (name === 'v') isNumber = true
  })
  parser.on('text', (piece) => {
    if (text !== null) text += piece
  })
  parser.on('closetag', ({ name }) => {
    if (name !== 'c') return
    const value = (text ?? '').replaceAll(/_x([0-9A-F]{4})_/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    rows.at(-1)?.push(isNumber ? Number(value) : value)
    text = null
  })
  parser.write(Buffer.from(xml).toString('utf8')).close()
  return rows
}

async function workbook(parts: readonly (readonly (readonly Cell[])[])[]): Promise<Buffer> {
  const pieces: Buffer[] = []
  let sheet: SheetSoFar = NO_SHEET
  for (const [index, rows] of parts.entries()) {
    const made = await writePiece(
      {
        name: 'orders',
        head: index === 0 ? ['order', 'total'] : null,
        rows,
        isLast: index === parts.length - 1,
      },
      sheet,
    )
    sheet = made.sheet
    pieces.push(made.bytes)
  }
  return Buffer.concat(pieces)
}

test('pieces written one after the other are one workbook that others read', async () => {
  const row = (order: string, total: string): Cell[] => [{ text: order }, { number: total }]
  const file = await workbook([
    [row('a', '10.50')],
    Array.from({ length: 3_000 }, (_, index) => row(`b${index}`, String(index))),
    [],
    [row('c', '-3.00')],
  ])
  const { rows, files } = read(file)
  expect(files).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/workbook.xml',
    'xl/_rels/workbook.xml.rels',
    'xl/styles.xml',
    'xl/worksheets/sheet1.xml',
  ])
  expect(rows).toHaveLength(1 + 1 + 3_000 + 1)
  expect(rows[0]).toEqual(['order', 'total'])
  expect(rows[1]).toEqual(['a', 10.5])
  expect(rows.at(-1)).toEqual(['c', -3])
})

test.each([
  '',
  '=1+1',
  '  two blanks ',
  '<b>&"\'',
  'الإيصال 🎮',
  'a\u0000b\u001bc\rd\ne\tf',
  '_x0041_ is no A',
  '_x005F_',
])('text %j comes back as it was', async (text) => {
  const { rows } = read(await workbook([[[{ text }, { number: '1' }]]]))
  expect(rows[1]).toEqual([text, 1])
})

test('a number that a spreadsheet would round, or that is none, stays text', async () => {
  const { rows } = read(
    await workbook([[[{ number: '1234567890123456.78' }, { number: '' }, { number: 'x' }]]]),
  )
  expect(rows[1]).toEqual(['1234567890123456.78', '', 'x'])
})
