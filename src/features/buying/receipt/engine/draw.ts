import { setImmediate } from 'node:timers/promises'
import PDFDocument from 'pdfkit'
import { RELEASE_PAPER, type PaperColours } from '#features/base/theme/rules.ts'
import { getLanguage, type LanguageCode } from '#kernel/language.ts'
import { LOGO_NAME } from '#ui/logo-paths.ts'
import type { ReceiptContent } from '../rules.ts'
import type { Weight } from './fonts.ts'
import { linesOf, piecesOf, visualRuns } from './lines.ts'
import { drawLogo } from './logo.ts'
import { createTypeface, shapingOf, type Run, type Typeface } from './typeface.ts'

/** A4, in points. */
const PAGE = { width: 595.28, height: 841.89, margin: 56 } as const
const RIGHT = PAGE.width - PAGE.margin
const WIDTH = PAGE.width - 2 * PAGE.margin
const BOTTOM = PAGE.height - PAGE.margin
/** Where the columns of the table end, from the edge at which lines start. */
const COLUMNS = {
  goods: PAGE.margin + 250,
  quantity: PAGE.margin + 300,
  price: PAGE.margin + 390,
  total: RIGHT,
} as const
const INK = '#141a17'
const GREY = '#5b6660'
const RULE = '#c9d1cc'
/** From one line to the next, in sizes of the text; more where marks stand above and below letters. */
const LEADING: Readonly<Partial<Record<LanguageCode, number>>> = {
  ar: 1.6,
  hi: 1.6,
  my: 1.9,
  th: 1.6,
}
const LEADING_OTHERWISE = 1.4
/** From the top of a line to its base line. */
const ASCENT = 1.069

type Document = InstanceType<typeof PDFDocument>
type Element = ReturnType<Document['struct']>

interface Pen {
  readonly doc: Document
  readonly face: Typeface
  readonly language: LanguageCode
  readonly direction: 'ltr' | 'rtl'
  readonly leading: number
  /** What is drawn is part of it, for those who have the page read aloud. */
  readonly element: Element
  y: number
}

interface Style {
  readonly size: number
  readonly weight: Weight
  readonly color: string
}

/** From the edge at which lines start. */
interface Box {
  readonly x: number
  readonly width: number
}

const LOGO_HEIGHT = 26
const BODY: Style = { size: 10, weight: 400, color: INK }
const STRONG: Style = { size: 10, weight: 700, color: INK }
const SMALL: Style = { size: 9, weight: 400, color: GREY }

/** Draws a receipt as a PDF with its text as text: it can be searched, copied and read aloud. Others have their turn between its parts. */
export async function drawReceipt(
  content: ReceiptContent,
  made: Date,
  colours: PaperColours = RELEASE_PAPER,
): Promise<Buffer> {
  const { language } = content
  const { tag, dir } = getLanguage(language)
  const face = await createTypeface(language, textsOf(content))
  const doc = new PDFDocument({
    size: 'A4',
    margin: PAGE.margin,
    lang: tag,
    tagged: true,
    pdfVersion: '1.7',
    displayTitle: true,
    autoFirstPage: true,
    bufferPages: false,
    info: {
      Title: content.title,
      CreationDate: made,
      ModDate: made,
      Author: content.seller[0] ?? '',
    },
  })
  const chunks: Buffer[] = []
  const done = new Promise<Buffer>((resolve, reject) => {
    doc
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => resolve(Buffer.concat(chunks)))
      .on('error', reject)
  })
  const element = doc.struct('Document', { title: content.title, lang: tag })
  doc.addStructure(element)
  const pen: Pen = {
    doc,
    face,
    language,
    direction: dir,
    leading: LEADING[language] ?? LEADING_OTHERWISE,
    element,
    y: PAGE.margin,
  }
  drawHead(pen, content, colours)
  await setImmediate()
  await drawGoods(pen, content)
  await setImmediate()
  drawSums(pen, content)
  for (const note of content.notes) drawBlock(pen, note, SMALL, { x: PAGE.margin, width: WIDTH })
  element.end()
  await setImmediate()
  doc.end()
  return done
}

function textsOf({
  shop,
  title,
  seller,
  facts,
  buyer,
  columns,
  lines,
  sums,
  notes,
}: ReceiptContent): readonly string[] {
  return [
    shop,
    title,
    ...seller,
    buyer.label,
    ...buyer.lines,
    ...notes,
    ...Object.values(columns),
    ...[...facts, ...sums].flatMap(({ label, value }) => [label, value]),
    ...lines.flatMap(({ name, detail, quantity, price, total }) => [
      name,
      detail,
      quantity,
      price,
      total,
    ]),
  ]
}

function drawHead(pen: Pen, content: ReceiptContent, { ink, accent }: PaperColours): void {
  drawShop(pen, content.shop, ink)
  if (accent !== null) drawBand(pen, accent)
  drawBlock(
    pen,
    content.title,
    { size: 22, weight: 700, color: ink },
    { x: PAGE.margin, width: WIDTH },
    'H1',
  )
  pen.y += 10
  const top = pen.y
  const half = WIDTH / 2 - 12
  content.seller.forEach((line, index) =>
    drawBlock(pen, line, index === 0 ? STRONG : BODY, { x: PAGE.margin, width: half }),
  )
  if (content.buyer.lines.length > 0) {
    pen.y += 10
    drawBlock(pen, content.buyer.label, SMALL, { x: PAGE.margin, width: half })
    for (const line of content.buyer.lines)
      drawBlock(pen, line, BODY, { x: PAGE.margin, width: half })
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

/** Head of the sheet: the logo, or the name in type of a shop that has none. */
function drawShop(pen: Pen, shop: string, ink: string): void {
  if (shop === LOGO_NAME) {
    const figure = pen.doc.struct('Figure', { alt: shop })
    pen.element.add(figure)
    figure.add(pen.doc.markStructureContent('Figure'))
    drawLogo(pen.doc, {
      y: pen.y,
      height: LOGO_HEIGHT,
      color: ink,
      x: (width) => (pen.direction === 'rtl' ? RIGHT - width : PAGE.margin),
    })
    pen.doc.endMarkedContent()
    figure.end()
    pen.y += LOGO_HEIGHT
  } else {
    drawBlock(pen, shop, { ...STRONG, size: 14, color: ink }, { x: PAGE.margin, width: WIDTH })
  }
  pen.y += 18
}

async function drawGoods(pen: Pen, { columns, lines }: ReceiptContent): Promise<void> {
  const table: Pen = { ...pen, element: begun(pen, 'Table', null) }
  drawRow(
    table,
    {
      name: columns.goods,
      detail: '',
      quantity: columns.quantity,
      price: columns.price,
      total: columns.total,
    },
    SMALL,
    'TH',
  )
  drawRule(table)
  for (const line of lines) {
    await setImmediate()
    makeRoom(table, 40)
    drawRow(table, line, BODY, 'TD')
    drawRule(table)
  }
  table.element.end()
  pen.y = table.y
}

/** The name may take several lines; the figures stand beside its first. */
function drawRow(
  pen: Pen,
  { name, detail, quantity, price, total }: ReceiptContent['lines'][number],
  style: Style,
  cell: 'TH' | 'TD',
): void {
  within(pen, 'TR', null, (row) => {
    const top = row.y
    const box = { x: PAGE.margin, width: COLUMNS.goods - PAGE.margin }
    within(row, cell, null, (goods) => {
      drawBlock(goods, name, style, box)
      if (detail !== '') drawBlock(goods, detail, SMALL, box)
    })
    for (const [text, end] of [
      [quantity, COLUMNS.quantity],
      [price, COLUMNS.price],
      [total, COLUMNS.total],
    ] as const)
      within({ ...row, y: top }, cell, null, (figure) => drawEnding(figure, text, style, end))
  })
}

function drawSums(pen: Pen, { sums }: ReceiptContent): void {
  makeRoom(pen, sums.length * 20 + 20)
  pen.y += 4
  for (const { label, value, isStrong } of sums) {
    const style = isStrong ? { ...STRONG, size: 13 } : BODY
    within(pen, 'P', null, (sum) => {
      const top = sum.y
      drawBlock(
        sum,
        label,
        style,
        { x: COLUMNS.goods, width: COLUMNS.price - COLUMNS.goods },
        'Span',
      )
      drawEnding({ ...sum, y: top }, value, style, COLUMNS.total)
    })
    pen.y += 3
  }
  pen.y += 16
}

// ---- pieces

/** What is drawn inside belongs to an element of this kind. `text` is what its glyphs say, whose order and joining say little of it. */
function within(pen: Pen, kind: string, text: string | null, draw: (inner: Pen) => void): void {
  const inner: Pen = { ...pen, element: begun(pen, kind, text) }
  draw(inner)
  inner.element.end()
  pen.y = inner.y
}

function begun({ doc, element }: Pen, kind: string, text: string | null): Element {
  const child = doc.struct(kind, text === null ? {} : { actual: text })
  element.add(child)
  return child
}

/** A text that breaks between words where it must. */
function drawBlock(pen: Pen, text: string, style: Style, { x, width }: Box, kind = 'P'): void {
  const widthOfPiece = (piece: string) => widthOf(pen, pen.face.runsOf(piece, style.weight), style)
  within(pen, kind, text, (block) => {
    for (const line of linesOf(piecesOf(text, pen.language), width, widthOfPiece)) {
      const height = style.size * pen.leading
      makeRoom(block, height)
      const runs = visualRuns(pen.face, line, style.weight, pen.direction)
      drawRuns(
        block,
        runs,
        style,
        pen.direction === 'rtl' ? PAGE.width - x - widthOf(pen, runs, style) : x,
      )
      block.y += height
    }
  })
}

/** A text on one line that ends at `end`. */
function drawEnding(pen: Pen, text: string, style: Style, end: number): void {
  const runs = visualRuns(pen.face, text, style.weight, pen.direction)
  within(pen, 'Span', text, (block) =>
    drawRuns(
      block,
      runs,
      style,
      pen.direction === 'rtl' ? PAGE.width - end : end - widthOf(pen, runs, style),
    ),
  )
}

function drawRuns(
  { doc, face, element, y }: Pen,
  runs: readonly Run[],
  { size, weight, color }: Style,
  x: number,
): void {
  let at = x
  element.add(doc.markStructureContent('Span'))
  for (const run of runs) {
    // A document takes an opened font as well; its types do not say so.
    const font = face.fontOf(run, weight) as unknown as Buffer
    doc
      .registerFont(`${run.part.name}-${weight}`, font)
      .font(`${run.part.name}-${weight}`)
      .fontSize(size)
      .fillColor(color)
    const { text, features } = shapingOf(run)
    doc.text(text, at, y + size * ASCENT, {
      lineBreak: false,
      baseline: 'alphabetic',
      features: features as PDFKit.Mixins.OpenTypeFeatures[],
    })
    at += face.widthOf([run], weight, size)
  }
  doc.endMarkedContent()
}

const widthOf = ({ face }: Pen, runs: readonly Run[], { weight, size }: Style) =>
  face.widthOf(runs, weight, size)

/** The shop's main colour, below its name. */
function drawBand(pen: Pen, color: string): void {
  pen.y -= 10
  pen.doc.markContent('Artifact', { type: 'Layout' })
  pen.doc.rect(PAGE.margin, pen.y, WIDTH, 3).fillColor(color).fill()
  pen.doc.endMarkedContent()
  pen.y += 18
}

function drawRule(pen: Pen): void {
  pen.y += 4
  pen.doc.markContent('Artifact', { type: 'Layout' })
  pen.doc.moveTo(PAGE.margin, pen.y).lineTo(RIGHT, pen.y).lineWidth(0.5).strokeColor(RULE).stroke()
  pen.doc.endMarkedContent()
  pen.y += 6
}

function makeRoom(pen: Pen, height: number): void {
  if (pen.y + height <= BOTTOM) return
  pen.doc.addPage()
  pen.y = PAGE.margin
}
