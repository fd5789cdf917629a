import PDFDocument from 'pdfkit'
import type { ReceiptContent } from '../rules.ts'
import { createTypeface, type Run, type Typeface, type Weight } from './typeface.ts'

/** A4, in points. */
const PAGE = { width: 595.28, height: 841.89, margin: 56 } as const
const RIGHT = PAGE.width - PAGE.margin
const WIDTH = PAGE.width - 2 * PAGE.margin
const BOTTOM = PAGE.height - PAGE.margin
/** Where the columns of the table end, from the page's left edge. */
const COLUMNS = { goods: PAGE.margin + 250, quantity: PAGE.margin + 300, price: PAGE.margin + 390, total: RIGHT } as const
const INK = '#141a17'
const GREY = '#5b6660'
const RULE = '#c9d1cc'
const LEADING = 1.4

interface Pen {
  readonly doc: InstanceType<typeof PDFDocument>
  readonly face: Typeface
  y: number
}

interface Style {
  readonly size: number
  readonly weight: Weight
  readonly color: string
}

const BODY: Style = { size: 10, weight: 400, color: INK }
const STRONG: Style = { size: 10, weight: 700, color: INK }
const SMALL: Style = { size: 9, weight: 400, color: GREY }

/** Draws a receipt as a PDF with its text as text: it can be searched, copied and read aloud. */
export async function drawReceipt(content: ReceiptContent, made: Date): Promise<Buffer> {
  const doc = new PDFDocument({
    size: 'A4', margin: PAGE.margin, lang: content.language, tagged: true, displayTitle: true, autoFirstPage: true, bufferPages: false,
    info: { Title: content.title, CreationDate: made, ModDate: made, Author: content.seller[0] ?? '' },
  })
  const chunks: Buffer[] = []
  const done = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => resolve(Buffer.concat(chunks))).on('error', reject)
  })
  const pen: Pen = { doc, face: createTypeface(doc), y: PAGE.margin }
  drawHead(pen, content)
  drawGoods(pen, content)
  drawSums(pen, content)
  for (const note of content.notes) drawBlock(pen, note, SMALL, { x: PAGE.margin, width: WIDTH })
  doc.end()
  return done
}

function drawHead(pen: Pen, content: ReceiptContent): void {
  drawBlock(pen, content.title, { size: 22, weight: 700, color: INK }, { x: PAGE.margin, width: WIDTH })
  pen.y += 10
  const top = pen.y
  const half = WIDTH / 2 - 12
  content.seller.forEach((line, index) => drawBlock(pen, line, index === 0 ? STRONG : BODY, { x: PAGE.margin, width: half }))
  if (content.buyer.lines.length > 0) {
    pen.y += 10
    drawBlock(pen, content.buyer.label, SMALL, { x: PAGE.margin, width: half })
    for (const line of content.buyer.lines) drawBlock(pen, line, BODY, { x: PAGE.margin, width: half })
  }
  const left = pen.y
  pen.y = top
  for (const { label, value } of content.facts) {
    drawBlock(pen, label, SMALL, { x: PAGE.margin + WIDTH / 2 + 12, width: half })
    drawBlock(pen, value, BODY, { x: PAGE.margin + WIDTH / 2 + 12, width: half })
    pen.y += 4
  }
  pen.y = Math.max(pen.y, left) + 16
}

function drawGoods(pen: Pen, { columns, lines }: ReceiptContent): void {
  drawRow(pen, { name: columns.goods, quantity: columns.quantity, price: columns.price, total: columns.total }, SMALL)
  drawRule(pen)
  for (const line of lines) {
    makeRoom(pen, 40)
    drawRow(pen, line, BODY)
    if (line.detail !== '') drawBlock(pen, line.detail, SMALL, { x: PAGE.margin, width: COLUMNS.goods - PAGE.margin })
    drawRule(pen)
  }
}

/** The name may take several lines; the figures stand beside its first. */
function drawRow(pen: Pen, row: { readonly name: string; readonly quantity: string; readonly price: string; readonly total: string }, style: Style): void {
  const top = pen.y
  drawBlock(pen, row.name, style, { x: PAGE.margin, width: COLUMNS.goods - PAGE.margin })
  const bottom = pen.y
  for (const [text, end] of [[row.quantity, COLUMNS.quantity], [row.price, COLUMNS.price], [row.total, COLUMNS.total]] as const) drawEnding(pen, text, style, end, top)
  pen.y = bottom
}

function drawSums(pen: Pen, { sums }: ReceiptContent): void {
  makeRoom(pen, sums.length * 20 + 20)
  pen.y += 4
  for (const { label, value, isStrong } of sums) {
    const style = isStrong ? { ...STRONG, size: 13 } : BODY
    const top = pen.y
    drawEnding(pen, value, style, COLUMNS.total, top)
    drawBlock(pen, label, style, { x: COLUMNS.goods, width: COLUMNS.price - COLUMNS.goods })
    pen.y += 3
  }
  pen.y += 16
}

/** A text that breaks between words where it must. */
function drawBlock(pen: Pen, text: string, style: Style, { x, width }: { readonly x: number; readonly width: number }): void {
  for (const line of linesOf(pen.face, text, style, width)) {
    makeRoom(pen, style.size * LEADING)
    drawRuns(pen, line, style, x, pen.y)
    pen.y += style.size * LEADING
  }
}

/** A text on one line that ends at `end`. */
function drawEnding(pen: Pen, text: string, style: Style, end: number, y: number): void {
  const runs = pen.face.runsOf(text, style.weight)
  drawRuns(pen, runs, style, end - pen.face.widthOf(runs, style.size), y)
}

function drawRuns({ doc, face }: Pen, runs: readonly Run[], { size, color }: Style, x: number, y: number): void {
  let at = x
  for (const run of runs) {
    doc.font(run.font).fontSize(size).fillColor(color).text(run.text, at, y, { lineBreak: false })
    at += face.widthOf([run], size)
  }
}

function linesOf(face: Typeface, text: string, { size, weight }: Style, width: number): readonly (readonly Run[])[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last === undefined || face.widthOf(face.runsOf(longer, weight), size) > width) lines.push(...piecesOf(face, word, { size, weight }, width))
    else lines[lines.length - 1] = longer
  }
  return lines.map((line) => face.runsOf(line, weight)).filter((runs) => runs.length > 0)
}

/** A word longer than a line goes on in the next. */
function piecesOf(face: Typeface, word: string, { size, weight }: Pick<Style, 'size' | 'weight'>, width: number): string[] {
  const pieces = ['']
  for (const { segment } of new Intl.Segmenter().segment(word)) {
    const longer = pieces[pieces.length - 1] + segment
    if (face.widthOf(face.runsOf(longer, weight), size) > width) pieces.push(segment)
    else pieces[pieces.length - 1] = longer
  }
  return pieces
}

function drawRule(pen: Pen): void {
  pen.y += 4
  pen.doc.moveTo(PAGE.margin, pen.y).lineTo(RIGHT, pen.y).lineWidth(0.5).strokeColor(RULE).stroke()
  pen.y += 6
}

function makeRoom(pen: Pen, height: number): void {
  if (pen.y + height <= BOTTOM) return
  pen.doc.addPage()
  pen.y = PAGE.margin
}
