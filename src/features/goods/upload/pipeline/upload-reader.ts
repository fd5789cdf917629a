import { createDrawingQueue } from '#features/goods/picture/pipeline/drawing-queue.ts'
import { AppError, type ErrorCode } from '#kernel/error.ts'
import { askLocally, ServiceGone, type LocalAnswer } from '#platform/local-service.ts'
import type { ReadPicture, ReadUpload, UploadPurpose } from '../rules.ts'

const SECONDS_UNTIL_FREE = 5
const LIMITS = { timeoutMs: 30_000, connectMs: 5_000, tries: 1 } as const
const REFUSALS: readonly ErrorCode[] = ['upload_size', 'upload_format', 'upload_failed']

/**
 * Has the process for pictures read them, one at a time and the others in a short line: a picture that ends that process ends no other's
 * call, and is never tried again.
 */
export function createUploadReader(socket: string): ReadUpload {
  const queue = createDrawingQueue({ jobs: 1, waiting: 16 })
  return async (bytes, purpose) => {
    const reading = queue.run(() => askFor(socket, bytes, purpose))
    if (!reading) throw new AppError('too_many_requests', { seconds: SECONDS_UNTIL_FREE })
    return reading
  }
}

async function askFor(
  socket: string,
  bytes: Uint8Array,
  purpose: UploadPurpose,
): Promise<ReadPicture> {
  const { status, headers, body } = await askLocally(
    socket,
    `/read/${purpose}`,
    bytes,
    LIMITS,
  ).catch((error: unknown) => {
    if (error instanceof ServiceGone && !error.hadTaken)
      throw new AppError('too_many_requests', { seconds: SECONDS_UNTIL_FREE }, { cause: error })
    throw new AppError('upload_failed', {}, { cause: error })
  })
  if (status === 200)
    return {
      content: body,
      width: Number(headers['x-width']),
      height: Number(headers['x-height']),
    }
  const code = REFUSALS.find((known) => known === body.toString())
  throw new AppError(code ?? 'upload_failed', {}, { cause: `${status} ${body.toString()}` })
}

/** What the process for pictures answers. */
export function answerOf({ content, width, height }: ReadPicture): LocalAnswer {
  return {
    status: 200,
    headers: { 'x-width': String(width), 'x-height': String(height) },
    body: content,
  }
}
