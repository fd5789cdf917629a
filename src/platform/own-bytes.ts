/**
 * The bytes in memory of their own, for what is kept. A small Buffer is a slice of a block of 64 KB (`Buffer.poolSize`) shared with
 * whatever was made beside it, and a page of 8 KB that stays holds its whole block.
 */
export function ownBytes(bytes: Uint8Array): Buffer {
  if (bytes.byteLength === bytes.buffer.byteLength) return Buffer.from(bytes.buffer)
  const own = Buffer.allocUnsafeSlow(bytes.byteLength)
  own.set(bytes)
  return own
}
