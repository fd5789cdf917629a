import { watchShop, sendAlerts } from '#features/office/alert/jobs.ts'
import { listBrokenSettings } from '#features/office/setting/queries.ts'
import { sendMail } from '#features/people/mail/jobs.ts'
import { openDatabase } from '#platform/db.ts'
import { createCtx, type CtxOptions } from '#platform/ctx.ts'
import { runSweeps } from '#platform/sweep-runner.ts'
import type { MailSender } from '#providers/mail/sender.ts'

export interface AlertingParts {
  readonly databaseUrl: string
  readonly context: Omit<CtxOptions, 'db' | 'actor'>
  /** Identifies the process. */
  readonly id: string
  readonly publicUrl: string
  readonly timeZone: string
  /** Codes of the payment providers that the shop has by now. */
  readonly providers: () => readonly string[]
  readonly mail: MailSender | null
}

/** Its questions count rows of a whole shop, and must not hold up a page. */
const CONNECTIONS = 2
const STATEMENT_TIMEOUT_MS = 60_000

/**
 * Watches the shop and tells whoever runs it. Web processes and workers all do; the lease of the sweeps has one of them look at a time,
 * so that each matter is told once, and a worker that is gone is told of by a web process.
 */
export function startAlerting(parts: AlertingParts): { readonly stop: () => Promise<void> } {
  const { mail, publicUrl, timeZone, providers } = parts
  const db = openDatabase({
    url: parts.databaseUrl,
    poolSize: CONNECTIONS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  })
  const ctx = createCtx({ ...parts.context, db, actor: 'system' })
  const sendMails =
    mail && ((ids: readonly string[]) => sendMail(ctx, { ids }, { mail, publicUrl, timeZone }))
  const sweeps = runSweeps(
    ctx,
    [
      {
        name: 'watch_shop',
        due: { everySeconds: 15 },
        run: () =>
          watchShop(ctx, {
            publicUrl,
            providers: providers(),
            listBrokenSettings: () => listBrokenSettings(db),
            sendMails,
          }),
      },
      { name: 'send_alerts', due: { everySeconds: 5 }, run: () => sendAlerts(ctx) },
    ],
    parts.id,
  )
  return {
    async stop() {
      await sweeps.stop()
      await db.destroy()
    },
  }
}
