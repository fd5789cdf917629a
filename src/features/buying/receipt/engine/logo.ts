import type PDFDocument from 'pdfkit'
import { LOGO_CARD, LOGO_LETTERS, LOGO_LINES, LOGO_SIZE, LOGO_TILT } from '#ui/logo-paths.ts'

const CARD_COLOR = '#ffd21f'
const LINE_COLOR = '#171300'

interface Place {
  /** Where it begins, by how wide it is. */
  readonly x: (width: number) => number
  readonly y: number
  readonly height: number
  /** Of the letters. */
  readonly color: string
}

/** The logo of the header, line by line: sharp on paper, and some hundred bytes. */
export function drawLogo(
  doc: InstanceType<typeof PDFDocument>,
  { x, y, height, color }: Place,
): void {
  const scale = height / LOGO_SIZE.height
  doc
    .save()
    .translate(x(LOGO_SIZE.width * scale), y)
    .scale(scale)
  doc
    .path(LOGO_LETTERS)
    .lineWidth(6.5)
    .lineCap('square')
    .lineJoin('round')
    .strokeColor(color)
    .stroke()
  const [left, top] = LOGO_TILT.around
  doc.rotate(LOGO_TILT.degrees, { origin: [left, top] })
  doc.path(LOGO_CARD).fillColor(CARD_COLOR).fill('even-odd')
  doc.path(LOGO_LINES).lineWidth(2.4).lineCap('round').strokeColor(LINE_COLOR).stroke()
  doc.restore()
}
