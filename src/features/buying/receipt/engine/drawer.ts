import { paperColours, type PaperColours, type Theme } from '#features/base/theme/rules.ts'
import { AppError } from '#kernel/error.ts'
import { askLocally, ServiceGone, type LocalAnswer } from '#platform/local-service.ts'
import type { DrawReceipt, ReceiptContent } from '../rules.ts'
import { drawReceipt } from './draw.ts'

const SECONDS_UNTIL_FREE = 5
const LIMITS = { timeoutMs: 20_000, connectMs: 5_000, tries: 2 } as const

/** Has the process that draws draw receipts: opening fonts and shaping letters would hold up everybody else's pages. */
export function createReceiptDrawer(socket: string, theme: () => Promise<Theme>): DrawReceipt {
  return async (content, made) => {
    const colours = paperColours(await theme())
    const wanted = JSON.stringify({ content, made: made.getTime(), colours })
    const { status, body } = await askLocally(socket, '/receipt', wanted, LIMITS).catch(
      (error: unknown) => {
        if (!(error instanceof ServiceGone)) throw error
        throw new AppError('too_many_requests', { seconds: SECONDS_UNTIL_FREE }, { cause: error })
      },
    )
    if (status === 200) return body
    throw new Error(`a receipt was not drawn: ${status} ${body.toString()}`)
  }
}

/** What that process answers. */
export async function receiptAnswer(wanted: Buffer): Promise<LocalAnswer> {
  const { content, made, colours } = JSON.parse(wanted.toString()) as {
    readonly content: ReceiptContent
    readonly made: number
    readonly colours: PaperColours
  }
  return { status: 200, headers: {}, body: await drawReceipt(content, new Date(made), colours) }
}
