import { brotliDecompressSync } from 'node:zlib'

/** Tags that a table's entry names by number (WOFF 2.0 §5.1.2). */
const TAGS = [
  'cmap',
  'head',
  'hhea',
  'hmtx',
  'maxp',
  'name',
  'OS/2',
  'post',
  'cvt ',
  'fpgm',
  'glyf',
  'loca',
  'prep',
  'CFF ',
  'VORG',
  'EBDT',
  'EBLC',
  'gasp',
  'hdmx',
  'kern',
  'LTSH',
  'PCLT',
  'VDMX',
  'vhea',
  'vmtx',
  'BASE',
  'GDEF',
  'GPOS',
  'GSUB',
  'EBSC',
  'JSTF',
  'MATH',
  'CBDT',
  'CBLC',
  'COLR',
  'CPAL',
  'SVG ',
  'sbix',
  'acnt',
  'avar',
  'bdat',
  'bloc',
  'bsln',
  'cvar',
  'fdsc',
  'feat',
  'fmtx',
  'fvar',
  'gvar',
  'hsty',
  'just',
  'lcar',
  'mort',
  'morx',
  'opbd',
  'prop',
  'trak',
  'Zapf',
  'Silf',
  'Glat',
  'Gloc',
  'Feat',
  'Sill',
] as const
const HEADER_BYTES = 48
const ARBITRARY_TAG = 63
const AS_IT_IS = 3

interface Table {
  readonly tag: string
  readonly data: Buffer<ArrayBuffer>
}

/**
 * The TrueType font in a WOFF 2.0 file (https://www.w3.org/TR/WOFF2/): its outlines as tables `glyf` and `loca` again. Throws for
 * a file of another kind, or with metrics packed the way that this does not read.
 */
export function unpackWoff2(file: Buffer<ArrayBuffer>): Buffer {
  if (file.toString('latin1', 0, 4) !== 'wOF2') throw new Error('not a WOFF 2.0 file')
  const entries = readDirectory(file)
  const data = brotliDecompressSync(file.subarray(entries.end, entries.end + file.readUInt32BE(20)))
  const tables: Table[] = []
  let at = 0
  for (const { tag, length, isPacked } of entries.list) {
    const part = data.subarray(at, at + length)
    at += length
    if (tag === 'glyf' && isPacked) tables.push(...unpackOutlines(part))
    else if (isPacked && tag !== 'loca') throw new Error(`a packed table ${tag} is not read`)
    else if (!isPacked) tables.push({ tag, data: tag === 'head' ? withLongOffsets(part) : part })
  }
  return fontOf(file.readUInt32BE(4), tables)
}

function readDirectory(file: Buffer<ArrayBuffer>): {
  readonly list: readonly {
    readonly tag: string
    readonly length: number
    readonly isPacked: boolean
  }[]
  readonly end: number
} {
  const reader = createReader(file, HEADER_BYTES)
  const list = Array.from({ length: file.readUInt16BE(12) }, () => {
    const flags = reader.byte()
    const tag =
      (flags & 63) === ARBITRARY_TAG ? reader.bytes(4).toString('latin1') : (TAGS[flags & 63] ?? '')
    const version = flags >> 6
    // Outlines are packed unless it is said that they are not; everything else the other way round.
    const isPacked = tag === 'glyf' || tag === 'loca' ? version !== AS_IT_IS : version !== 0
    const length = reader.base128()
    return { tag, isPacked, length: isPacked ? reader.base128() : length }
  })
  return { list, end: reader.at() }
}

/** Offsets of outlines are written with four bytes each. */
function withLongOffsets(head: Buffer): Buffer<ArrayBuffer> {
  const copy = Buffer.from(head)
  copy.writeInt16BE(1, 50)
  return copy
}

/** Tables one after the other on bounds of four bytes. Check sums stay empty: nobody asks for them. */
function fontOf(flavour: number, unsorted: readonly Table[]): Buffer {
  const tables = unsorted.toSorted((a, b) => (a.tag < b.tag ? -1 : 1))
  const directory = Buffer.alloc(12 + tables.length * 16)
  directory.writeUInt32BE(flavour, 0)
  directory.writeUInt16BE(tables.length, 4)
  const parts = [directory]
  let offset = directory.length
  tables.forEach(({ tag, data }, index) => {
    const at = 12 + index * 16
    directory.write(tag, at, 'latin1')
    directory.writeUInt32BE(offset, at + 8)
    directory.writeUInt32BE(data.length, at + 12)
    const padding = -data.length & 3
    parts.push(data, Buffer.alloc(padding))
    offset += data.length + padding
  })
  return Buffer.concat(parts)
}

// ---- outlines (§5.1)

interface Reader {
  readonly at: () => number
  readonly byte: () => number
  readonly int16: () => number
  readonly bytes: (count: number) => Buffer<ArrayBuffer>
  readonly base128: () => number
  /** A number of one to three bytes, up to 65,535. */
  readonly short: () => number
}

function createReader(data: Buffer<ArrayBuffer>, start = 0): Reader {
  let at = start
  const byte = () => data.readUInt8(at++)
  const int16 = () => data.readInt16BE((at += 2) - 2)
  return {
    at: () => at,
    byte,
    int16,
    bytes: (count) => data.subarray(at, (at += count)),
    base128() {
      for (let value = 0; ; ) {
        const next = byte()
        value = value * 128 + (next & 127)
        if (next < 128) return value
      }
    },
    short() {
      const first = byte()
      if (first === 253) return int16() & 0xffff
      return first === 255 ? byte() + 253 : first === 254 ? byte() + 506 : first
    },
  }
}

interface Streams {
  readonly contours: Reader
  readonly points: Reader
  readonly flags: Reader
  readonly outlines: Reader
  readonly composites: Reader
  readonly boxes: Reader
  readonly instructions: Reader
}

function unpackOutlines(table: Buffer<ArrayBuffer>): readonly Table[] {
  const count = table.readUInt16BE(4)
  const starts = [36]
  for (let index = 0; index < 7; index += 1)
    starts.push((starts[index] ?? 0) + table.readUInt32BE(8 + index * 4))
  const reader = (index: number) => createReader(table, starts[index])
  const streams: Streams = {
    contours: reader(0),
    points: reader(1),
    flags: reader(2),
    outlines: reader(3),
    composites: reader(4),
    boxes: reader(5),
    instructions: reader(6),
  }
  const boxed = streams.boxes.bytes(((count + 31) >> 5) * 4)
  const offsets = Buffer.alloc((count + 1) * 4)
  const glyphs: Buffer<ArrayBuffer>[] = []
  let size = 0
  for (let id = 0; id < count; id += 1) {
    const box = ((boxed[id >> 3] ?? 0) & (128 >> (id & 7))) === 0 ? null : streams.boxes.bytes(8)
    const glyph = glyphOf(streams, box)
    glyphs.push(glyph)
    offsets.writeUInt32BE((size += glyph.length), (id + 1) * 4)
  }
  return [
    { tag: 'glyf', data: Buffer.concat(glyphs) },
    { tag: 'loca', data: offsets },
  ]
}

function glyphOf(streams: Streams, box: Buffer | null): Buffer<ArrayBuffer> {
  const contours = streams.contours.int16()
  if (contours === 0) return Buffer.alloc(0)
  const glyph = contours < 0 ? compositeOf(streams) : simpleOf(streams, contours)
  glyph.writeInt16BE(contours, 0)
  box?.copy(glyph, 2)
  return glyph.length % 2 === 0 ? glyph : Buffer.concat([glyph, Buffer.alloc(1)])
}

const COMPONENT = {
  words: 1,
  scale: 8,
  more: 32,
  scales: 64,
  matrix: 128,
  instructions: 256,
} as const

function compositeOf({ composites, outlines, instructions }: Streams): Buffer<ArrayBuffer> {
  const parts = [Buffer.alloc(10)]
  let hasInstructions = false
  for (let hasMore = true; hasMore; ) {
    const head = composites.bytes(4)
    const flags = head.readUInt16BE(0)
    const scaling =
      flags & COMPONENT.scale ? 2 : flags & COMPONENT.scales ? 4 : flags & COMPONENT.matrix ? 8 : 0
    parts.push(head, composites.bytes((flags & COMPONENT.words ? 4 : 2) + scaling))
    hasInstructions ||= (flags & COMPONENT.instructions) !== 0
    hasMore = (flags & COMPONENT.more) !== 0
  }
  if (hasInstructions) parts.push(...instructionsOf(outlines, instructions))
  return Buffer.concat(parts)
}

function instructionsOf(
  outlines: Reader,
  instructions: Reader,
): [Buffer<ArrayBuffer>, Buffer<ArrayBuffer>] {
  const size = Buffer.alloc(2)
  size.writeUInt16BE(outlines.short())
  return [size, instructions.bytes(size.readUInt16BE())]
}

const ON_CURVE = 1

/** Points are written with two bytes a coordinate, which every reader takes. */
function simpleOf(
  { points, flags, outlines, instructions }: Streams,
  contours: number,
): Buffer<ArrayBuffer> {
  const ends = Buffer.alloc(contours * 2)
  let total = 0
  for (let index = 0; index < contours; index += 1)
    ends.writeUInt16BE((total += points.short()) - 1, index * 2)
  const kinds = Buffer.alloc(total)
  const steps = [Buffer.alloc(total * 2), Buffer.alloc(total * 2)] as const
  const box = [0, 0, 0, 0] as [number, number, number, number]
  let [x, y] = [0, 0]
  for (let index = 0; index < total; index += 1) {
    const flag = flags.byte()
    const [dx, dy] = stepOf(flag & 127, outlines)
    kinds[index] = flag < 128 ? ON_CURVE : 0
    steps[0].writeInt16BE(dx, index * 2)
    steps[1].writeInt16BE(dy, index * 2)
    x += dx
    y += dy
    if (index === 0) box.splice(0, 4, x, y, x, y)
    else
      box.splice(
        0,
        4,
        Math.min(box[0], x),
        Math.min(box[1], y),
        Math.max(box[2], x),
        Math.max(box[3], y),
      )
  }
  const head = Buffer.alloc(10)
  box.forEach((value, index) => head.writeInt16BE(value, 2 + index * 2))
  return Buffer.concat([head, ends, ...instructionsOf(outlines, instructions), kinds, ...steps])
}

/** A point's distance from the one before, packed in one to four bytes as its flag says (§5.2). */
function stepOf(flag: number, data: Reader): readonly [dx: number, dy: number] {
  const signed = (isPositive: number, value: number) => (isPositive & 1 ? value : -value)
  if (flag < 10) return [0, signed(flag, ((flag & 14) << 7) + data.byte())]
  if (flag < 20) return [signed(flag, (((flag - 10) & 14) << 7) + data.byte()), 0]
  if (flag < 84) {
    const [base, rest] = [flag - 20, data.byte()]
    return [
      signed(flag, 1 + (base & 48) + (rest >> 4)),
      signed(flag >> 1, 1 + ((base & 12) << 2) + (rest & 15)),
    ]
  }
  if (flag < 120) {
    const base = flag - 84
    return [
      signed(flag, 1 + (Math.floor(base / 12) << 8) + data.byte()),
      signed(flag >> 1, 1 + (((base % 12) >> 2) << 8) + data.byte()),
    ]
  }
  const [first, second, third] = [data.byte(), data.byte(), data.byte()]
  if (flag < 124)
    return [
      signed(flag, (first << 4) + (second >> 4)),
      signed(flag >> 1, ((second & 15) << 8) + third),
    ]
  return [signed(flag, (first << 8) + second), signed(flag >> 1, (third << 8) + data.byte())]
}
