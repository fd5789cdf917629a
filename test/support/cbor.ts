export type Cbor = number | string | Buffer | ReadonlyMap<number | string, Cbor>

/** As much of RFC 8949 as an authenticator's answer needs: integers, texts, bytes and maps. */
export function encodeCbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const entries = [...value].flatMap(([key, entry]) => [encodeCbor(key), encodeCbor(entry)])
  return Buffer.concat([head(5, value.size), ...entries])
}

/** Major type and length: in the first byte, or in one or two more. */
function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 0x100) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 0xff])
}
