import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { beginFile, dropFile, endFileUpload, storeFilePiece, type GivenFile } from './commands.ts'
import { GOODS_FILE_MAX, PIECE_BYTES } from './rules.ts'

export interface IncomingGoods extends GivenFile {
  /** What the sender says; null where it says nothing. */
  readonly declaredBytes: number | null
  readonly bytes: AsyncIterable<Uint8Array>
}

/**
 * Takes in a file of goods, a piece at a time as it streams in. Throws 'too_large' before reading where the sender says so, else once it is.
 * @returns its public id
 */
export async function receiveGoodsFile(ctx: OperatorCtx, file: IncomingGoods): Promise<string> {
  if ((file.declaredBytes ?? 0) > GOODS_FILE_MAX) throw new AppError('too_large')
  const begun = await beginFile(ctx, file)
  try {
    let no = 0
    for await (const piece of piecesOf(file.bytes)) {
      await storeFilePiece(ctx, begun, no, piece)
      no += 1
    }
    if (no === 0) throw fieldError('file', 'required')
    await endFileUpload(ctx, begun.id)
    return begun.publicId
  } catch (error) {
    await dropFile(ctx, begun.id)
    throw error
  }
}

async function* piecesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = []
  let length = 0
  let all = 0
  for await (const chunk of bytes) {
    all += chunk.length
    if (all > GOODS_FILE_MAX) throw new AppError('too_large')
    for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
      const part = chunk.subarray(start, start + PIECE_BYTES)
      held.push(part)
      length += part.length
      if (length < PIECE_BYTES) continue
      yield Buffer.concat(held)
      held = []
      length = 0
    }
  }
  if (length > 0) yield Buffer.concat(held)
}
