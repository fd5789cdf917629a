import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'

/**
 * Writes a workbook of one sheet (ECMA-376) piece by piece, so that it never stands in memory as a whole and goes on after a crash: each
 * piece of the sheet is packed for itself and ends at a byte, and such pieces one after the other are one stream (RFC 1951).
 */
export interface SheetSoFar {
  readonly crc: number
  /** Before packing, and after. */
  readonly bytes: number
  readonly packed: number
}

export const NO_SHEET: SheetSoFar = { crc: 0, bytes: 0, packed: 0 }
/** A sheet has 1,048,576 rows at most. */
export const XLSX_ROWS_MAX = 1_000_000

const pack = promisify(deflateRaw) as (
  text: Uint8Array,
  options: { finishFlush: number },
) => Promise<Buffer<ArrayBuffer>>

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const SHEET = 'xl/worksheets/sheet1.xml'

/** Everything beside the sheet: the same in each file but for the sheet's name. */
function fixedFiles(name: string): readonly (readonly [path: string, xml: string])[] {
  const part = (path: string, type: string) =>
    `<Override PartName="/${path}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`
  return [
    [
      '[Content_Types].xml',
      `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${part('xl/workbook.xml', 'sheet.main')}${part(SHEET, 'worksheet')}${part('xl/styles.xml', 'styles')}</Types>`,
    ],
    [
      '_rels/.rels',
      `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      'xl/workbook.xml',
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    ],
    [
      'xl/styles.xml',
      `<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs></styleSheet>`,
    ],
  ]
}

/** A cell: text as it is, or a number as plain digits. */
export type Cell = { readonly text: string } | { readonly number: string }

const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF\r]|_(?=x[0-9A-Fa-f]{4}_)/g

/** As ST_Xstring has it: what XML cannot hold stands by its number, and what looks like that as well, so that reading gives back what was there. */
function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(
      FORBIDDEN,
      (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

/** A spreadsheet counts with 15 digits: what has more stays whole as text. */
const DIGITS_MAX = 15
const NUMBER = /^-?\d+(?:\.\d+)?$/
const digitsOf = (number: string) => number.replaceAll(/\D/g, '').length

function cellXml(cell: Cell, style: string): string {
  if ('number' in cell && NUMBER.test(cell.number) && digitsOf(cell.number) <= DIGITS_MAX)
    return `<c${style}><v>${cell.number}</v></c>`
  const text = 'number' in cell ? cell.number : cell.text
  return text === ''
    ? `<c${style}/>`
    : `<c t="inlineStr"${style}><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`
}

const rowXml = (cells: readonly Cell[], style = '') =>
  `<row>${cells.map((cell) => cellXml(cell, style)).join('')}</row>`

export interface Piece {
  readonly bytes: Buffer
  readonly sheet: SheetSoFar
}

export interface SheetPiece {
  readonly name: string
  /** Of the first piece alone. */
  readonly head: readonly string[] | null
  readonly rows: readonly (readonly Cell[])[]
  readonly isLast: boolean
}

/** The next piece of the file. */
export async function writePiece(
  { name, head, rows, isLast }: SheetPiece,
  before: SheetSoFar,
): Promise<Piece> {
  const opening = head
    ? `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>${rowXml(
        head.map((text) => ({ text })),
        ' s="1"',
      )}`
    : ''
  const text = Buffer.from(
    `${opening}${rows.map((row) => rowXml(row)).join('')}${isLast ? '</sheetData></worksheet>' : ''}`,
  )
  const packed = await pack(text, {
    finishFlush: isLast ? constants.Z_FINISH : constants.Z_SYNC_FLUSH,
  })
  const sheet = {
    crc: crc32(text, before.crc),
    bytes: before.bytes + text.length,
    packed: before.packed + packed.length,
  }
  if (sheet.bytes > UINT32_MAX) throw new Error('the sheet is longer than 4 GB')
  return {
    sheet,
    bytes: Buffer.concat([
      ...(head ? beginning(name) : []),
      packed,
      ...(isLast ? [ending(name, sheet)] : []),
    ]),
  }
}

const UINT32_MAX = 0xffffffff
/** 1 January 2026, as MS-DOS counts: the same file has the same bytes. */
const DOS_DATE = ((2026 - 1980) << 9) | (1 << 5) | 1
/** Names are UTF-8; of the sheet the sizes stand behind it. */
const [PLAIN_FLAGS, SHEET_FLAGS] = [0x800, 0x808]
const [STORED, DEFLATED] = [0, 8]

interface Entry extends SheetSoFar {
  readonly path: string
  readonly method: number
  readonly flags: number
  readonly offset: number
}

function plainEntries(name: string): { entries: Entry[]; data: Buffer[]; length: number } {
  const entries: Entry[] = []
  const data: Buffer[] = []
  let offset = 0
  for (const [path, xml] of fixedFiles(name)) {
    const content = Buffer.from(XML + xml)
    const entry = {
      path,
      method: STORED,
      flags: PLAIN_FLAGS,
      offset,
      crc: crc32(content),
      bytes: content.length,
      packed: content.length,
    }
    const head = localHeader(entry)
    entries.push(entry)
    data.push(head, content)
    offset += head.length + content.length
  }
  return { entries, data, length: offset }
}

function beginning(name: string): Buffer[] {
  const { data, length } = plainEntries(name)
  return [...data, localHeader({ ...sheetEntry(length), ...NO_SHEET })]
}

const sheetEntry = (offset: number) => ({
  path: SHEET,
  method: DEFLATED,
  flags: SHEET_FLAGS,
  offset,
})

function localHeader({ path, method, flags, crc, bytes, packed }: Entry): Buffer {
  const name = Buffer.from(path)
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(20, 4)
  head.writeUInt16LE(flags, 6)
  head.writeUInt16LE(method, 8)
  head.writeUInt16LE(DOS_DATE, 12)
  head.writeUInt32LE(crc, 14)
  head.writeUInt32LE(packed, 18)
  head.writeUInt32LE(bytes, 22)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, name])
}

/** The sizes of the sheet, and the list of what the archive holds. */
function ending(name: string, sheet: SheetSoFar): Buffer {
  const { entries, length } = plainEntries(name)
  const last = { ...sheetEntry(length), ...sheet }
  const sizes = Buffer.alloc(16)
  sizes.writeUInt32LE(0x08074b50, 0)
  sizes.writeUInt32LE(sheet.crc, 4)
  sizes.writeUInt32LE(sheet.packed, 8)
  sizes.writeUInt32LE(sheet.bytes, 12)
  const listed = [...entries, last].map(centralHeader)
  const size = listed.reduce((sum, entry) => sum + entry.length, 0)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(listed.length, 8)
  end.writeUInt16LE(listed.length, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(length + 30 + SHEET.length + sheet.packed + sizes.length, 16)
  return Buffer.concat([sizes, ...listed, end])
}

function centralHeader({ path, method, flags, crc, bytes, packed, offset }: Entry): Buffer {
  const name = Buffer.from(path)
  const head = Buffer.alloc(46)
  head.writeUInt32LE(0x02014b50, 0)
  head.writeUInt16LE(20, 4)
  head.writeUInt16LE(20, 6)
  head.writeUInt16LE(flags, 8)
  head.writeUInt16LE(method, 10)
  head.writeUInt16LE(DOS_DATE, 14)
  head.writeUInt32LE(crc, 16)
  head.writeUInt32LE(packed, 20)
  head.writeUInt32LE(bytes, 24)
  head.writeUInt16LE(name.length, 28)
  head.writeUInt32LE(offset, 42)
  return Buffer.concat([head, name])
}
