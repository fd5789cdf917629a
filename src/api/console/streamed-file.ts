/** An answer of a call that goes out as a file, as it is read. */
export class StreamedFile {
  readonly name: string
  readonly type: string
  readonly chunks: AsyncIterable<string | Uint8Array>

  constructor(name: string, type: string, chunks: AsyncIterable<string | Uint8Array>) {
    this.name = name
    this.type = type
    this.chunks = chunks
  }
}
