import { crc32 } from 'node:zlib'

/** An archive (ZIP) of pictures that are stored as they are. */
export function archiveOf(files: readonly Buffer[]): Buffer {
  const entries = files.flatMap((bytes, index) => {
    const name = Buffer.from(`${index}.png`)
    const header = Buffer.alloc(30)
    header.writeUInt32LE(0x04034b50, 0)
    header.writeUInt32LE(crc32(bytes), 14)
    header.writeUInt32LE(bytes.length, 18)
    header.writeUInt32LE(bytes.length, 22)
    header.writeUInt16LE(name.length, 26)
    return [header, name, bytes]
  })
  return Buffer.concat([...entries, Buffer.from([0x50, 0x4b, 0x05, 0x06]), Buffer.alloc(18)])
}
