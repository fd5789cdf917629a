/**
 * The process for pictures: the only one that decodes what people send, and that draws, receipts too. What a file does to the decoder it does here, and
 * the memory that decoders leave in pieces goes with the process, which ends now and then and is started anew.
 */
import { receiptAnswer } from '#features/buying/receipt/engine/drawer.ts'
import { readWanted } from '#features/goods/picture/pipeline/make.ts'
import { makePicture, tameSharp } from '#features/goods/picture/pipeline/render.ts'
import { readPicture } from '#features/goods/upload/pipeline/read-picture.ts'
import { answerOf } from '#features/goods/upload/pipeline/upload-reader.ts'
import type { UploadPurpose } from '#features/goods/upload/rules.ts'
import { isAppError } from '#kernel/error.ts'
import {
  ALIVE_PATH,
  serveLocally,
  ownSocket,
  type LocalAnswer,
  type LocalCall,
} from '#platform/local-service.ts'
import { createLogger } from '#platform/log.ts'

const JOBS_MOST = 2_000
const MEMORY_MOST_BYTES = 256 * 1024 * 1024
/** Longer than any decoder is given: one that does not even see its time pass is stopped with its process. */
const JOB_MOST_MS = 25_000

const log = createLogger({ level: 'info', fields: { process: 'pictures' } })
let jobs = 0
let isEnding = false

tameSharp()
const server = await serveLocally(ownSocket('pictures'), timed)
process.once('SIGTERM', end)
process.once('SIGINT', end)

async function timed(call: LocalCall): Promise<LocalAnswer> {
  const stuck = setTimeout(() => {
    log.error('a picture takes too long to decode: the process ends with it')
    process.exit(1)
  }, JOB_MOST_MS)
  try {
    return await answer(call)
  } finally {
    clearTimeout(stuck)
    jobs += 1
    if (jobs >= JOBS_MOST || process.memoryUsage.rss() > MEMORY_MOST_BYTES) end()
  }
}

async function answer({ path, body }: LocalCall): Promise<LocalAnswer> {
  if (path === ALIVE_PATH) return { status: 204, headers: {}, body: Buffer.alloc(0) }
  if (path === '/receipt') return receiptAnswer(body)
  const purpose = /^\/read\/(avatar|ticket|shop)$/.exec(path)?.[1] as UploadPurpose | undefined
  if (purpose) return readPicture(body, purpose).then(answerOf, refused)
  const { recipe, request, form, sent } = readWanted(body)
  const picture = await makePicture(recipe, request, form, sent)
  return { status: picture ? 200 : 404, headers: {}, body: Buffer.from(picture ?? '') }
}

function refused(error: unknown): LocalAnswer {
  if (!isAppError(error)) throw error
  return { status: 422, headers: {}, body: Buffer.from(error.code) }
}

/** Takes no more, and ends when what it has is done. Whoever calls meanwhile waits for the next one. */
function end(): void {
  if (isEnding) return
  isEnding = true
  server.close(() => process.exit(0))
}
