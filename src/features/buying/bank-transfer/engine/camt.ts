import { SaxesParser, type SaxesTagNS } from 'saxes'
import { parseMajor } from '#kernel/money.ts'
import {
  plainText,
  STATEMENT_LINES_MAX,
  StatementFault,
  type DigitsOf,
  type LineFault,
  type ReadStatement,
  type StatementLine,
} from './statement.ts'

const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.\d\d$/
const DEPTH_MAX = 40
/** What a bank writes of one entry; more is no statement. */
const ENTRY_MAX_TEXT = 200_000

/** An element of an entry with what is in it. */
interface Node {
  readonly name: string
  readonly currency: string | null
  readonly children: Node[]
  text: string
}

/**
 * The credits of a bank's statement in camt.053 of ISO 20022. A document type is refused, so that there are no entities but those of XML
 * itself; entries are taken one at a time. Throws StatementFault.
 */
export function readCamt(text: string, digitsOf: DigitsOf): ReadStatement {
  const parser = new SaxesParser({ xmlns: true, position: true })
  const reading = new Reading(digitsOf)
  parser.on('error', () => {
    throw new StatementFault('broken')
  })
  parser.on('doctype', () => {
    throw new StatementFault('not_a_statement')
  })
  parser.on('opentag', (tag) => reading.open(tag, parser.line))
  parser.on('text', (piece) => reading.write(piece))
  parser.on('cdata', (piece) => reading.write(piece))
  parser.on('closetag', () => reading.close())
  parser.write(text).close()
  return reading.end()
}

class Reading {
  readonly #digitsOf: DigitsOf
  readonly #lines: StatementLine[] = []
  readonly #faults: { line: number; fault: LineFault }[] = []
  #skipped = 0
  readonly #path: string[] = []
  #entry: Node[] = []
  #entryLine = 0
  #textLength = 0
  #account: string | null = null
  #accountText = ''

  constructor(digitsOf: DigitsOf) {
    this.#digitsOf = digitsOf
  }

  open(tag: SaxesTagNS, line: number): void {
    if (this.#path.length === 0 && (tag.local !== 'Document' || !NAMESPACE.test(tag.uri)))
      throw new StatementFault('not_a_statement')
    this.#path.push(tag.local)
    if (this.#path.length > DEPTH_MAX) throw new StatementFault('broken')
    if (tag.local === 'Stmt') this.#account = null
    this.#accountText = ''
    if (this.#entry.length === 0 && tag.local !== 'Ntry') return
    if (this.#entry.length === 0) [this.#entryLine, this.#textLength] = [line, 0]
    const node = {
      name: tag.local,
      currency: tag.attributes['Ccy']?.value ?? null,
      children: [],
      text: '',
    }
    this.#entry.at(-1)?.children.push(node)
    this.#entry.push(node)
  }

  write(piece: string): void {
    const node = this.#entry.at(-1)
    if (node) {
      this.#textLength += piece.length
      if (this.#textLength > ENTRY_MAX_TEXT) throw new StatementFault('broken')
      node.text += piece
    } else if (this.#path.at(-2) === 'Id' && this.#path.at(-3) === 'Acct')
      this.#accountText += piece
  }

  close(): void {
    const name = this.#path.pop()
    if (this.#entry.length === 0) {
      if (name === 'IBAN' && this.#accountText !== '')
        this.#account = plainText(this.#accountText).slice(0, 40)
      return
    }
    const node = this.#entry.pop()
    if (node && this.#entry.length === 0) this.#take(node)
  }

  end(): ReadStatement {
    return {
      format: 'camt053',
      lines: this.#lines,
      skipped: this.#skipped,
      faults: this.#faults,
    }
  }

  #take(entry: Node): void {
    const isCredit = textAt(entry, 'CdtDbtInd') === 'CRDT' && textAt(entry, 'RvslInd') !== 'true'
    const status = textAt(entry, 'Sts', 'Cd') || textAt(entry, 'Sts')
    if (!isCredit || status !== 'BOOK') {
      this.#skipped += 1
      return
    }
    for (const part of partsOf(entry)) this.#takePart(entry, part)
    if (this.#lines.length > STATEMENT_LINES_MAX) throw new StatementFault('too_many_lines')
  }

  #takePart(entry: Node, { amount, details }: Part): void {
    const line = this.#entryLine
    const bookedOn = dayOf(textAt(entry, 'BookgDt', 'Dt') || textAt(entry, 'BookgDt', 'DtTm'))
    const digits = this.#digitsOf(amount?.currency ?? '')
    const minor = digits === undefined ? null : isoAmount(amount?.text ?? '', digits)
    const fault =
      bookedOn === null
        ? 'date'
        : digits === undefined
          ? 'currency'
          : minor === null || minor <= 0n
            ? 'amount'
            : null
    if (fault !== null || bookedOn === null || minor === null) {
      this.#faults.push({ line, fault: fault ?? 'amount' })
      return
    }
    this.#lines.push({
      line,
      bookedOn,
      money: { minor, currency: amount?.currency ?? '' },
      payer: payerOf(details),
      text: remittanceOf(entry, details),
      reference: referenceOf(entry, details),
      account: this.#account,
    })
  }
}

interface Part {
  readonly amount: Node | undefined
  readonly details: Node | undefined
}

/** One for each payment of a batch that says what each was, and that they are all of it; otherwise the entry as it stands. */
function partsOf(entry: Node): readonly Part[] {
  const whole = find(entry, 'Amt')
  const details = all(entry, 'NtryDtls').flatMap((each) => all(each, 'TxDtls'))
  const parts = details.map((each) => ({
    amount: find(each, 'Amt') ?? find(each, 'AmtDtls', 'TxAmt', 'Amt'),
    details: each,
  }))
  const isTold =
    parts.length > 1 &&
    parts.every(({ amount }) => amount?.currency === whole?.currency) &&
    details.every((each) => !/^DBIT$/.test(textAt(each, 'CdtDbtInd'))) &&
    sumOf(parts.map(({ amount }) => amount)) === sumOf([whole])
  return isTold ? parts : [{ amount: whole, details: details.length > 1 ? undefined : details[0] }]
}

/** Finer than any currency; null where one of them is no amount. */
const SUM_DIGITS = 6

function sumOf(amounts: readonly (Node | undefined)[]): bigint | null {
  let sum = 0n
  for (const amount of amounts) {
    const minor = isoAmount(amount?.text ?? '', SUM_DIGITS)
    if (minor === null) return null
    sum += minor
  }
  return sum
}

function payerOf(details: Node | undefined): string | null {
  const name =
    textAt(details, 'RltdPties', 'Dbtr', 'Pty', 'Nm') || textAt(details, 'RltdPties', 'Dbtr', 'Nm')
  return plainText(name) || null
}

function remittanceOf(entry: Node, details: Node | undefined): string {
  const about = find(details, 'RmtInf')
  const told = [
    ...all(about, 'Ustrd').map(({ text }) => text),
    ...all(about, 'Strd').map((each) => textAt(each, 'CdtrRefInf', 'Ref')),
    textAt(details, 'Refs', 'EndToEndId').replace(/^NOTPROVIDED$/i, ''),
  ]
  return plainText(told.join(' ')) || plainText(textAt(entry, 'AddtlNtryInf'))
}

function referenceOf(entry: Node, details: Node | undefined): string | null {
  const told = [
    textAt(details, 'Refs', 'AcctSvcrRef'),
    textAt(details, 'Refs', 'TxId'),
    textAt(entry, 'AcctSvcrRef'),
  ].find((text) => text !== '' && !/^NOTPROVIDED$/i.test(text))
  return plainText(told ?? '').slice(0, 140) || null
}

/** In ISO 20022 a point parts the decimals, and nothing groups digits: "1.000" is one. */
const isoAmount = (text: string, digits: number): bigint | null =>
  text.includes(',') ? null : parseMajor(text, digits)

const DAY = /^(\d{4}-\d\d-\d\d)(?:T|$)/

function dayOf(text: string): string | null {
  const day = DAY.exec(text.trim())?.[1]
  return day !== undefined && !Number.isNaN(Date.parse(day)) ? day : null
}

const all = (node: Node | undefined, name: string): readonly Node[] =>
  node?.children.filter((child) => child.name === name) ?? []

function find(node: Node | undefined, ...path: readonly string[]): Node | undefined {
  return path.reduce<Node | undefined>(
    (at, name) => at?.children.find((child) => child.name === name),
    node,
  )
}

const textAt = (node: Node | undefined, ...path: readonly string[]): string =>
  find(node, ...path)?.text.trim() ?? ''
