import { readSetting } from '#features/base/setting/queries.ts'
import { readHealth } from '#features/office/health/queries.ts'
import { healthProblems, type HealthProblem } from '#features/office/health/rules.ts'
import type { Ctx } from '#platform/ctx.ts'
import { secret } from '#platform/secret.ts'
import { sendWebhook } from '#providers/webhook/standard-webhook.ts'
import { closeMessage, noteProblems, takeDueMessages } from './commands.ts'
import { listUnsentAlerts } from './queries.ts'
import { alertsSetting } from './schema.ts'

export interface AlertServices {
  /** Origin of the shop. */
  readonly publicUrl: string
  /** Codes of the payment providers that the shop has. */
  readonly providers: readonly string[]
  /** A sentence for each setting that does not hold. */
  readonly listBrokenSettings: () => Promise<readonly string[]>
  /** Sends mails of these ids now; null where this process cannot. */
  readonly sendMails: ((ids: readonly string[]) => Promise<void>) | null
}

const MESSAGES_AT_ONCE = 20

/**
 * Looks at how the shop stands, and notes what is to be told. A worker that is gone sends no mail, that it is gone least of all: then
 * this process sends those to whoever runs the shop itself.
 */
export async function watchShop(ctx: Ctx, services: AlertServices): Promise<void> {
  const problems = await readProblems(ctx, services)
  await noteProblems(ctx, services.publicUrl, problems)
  if (services.sendMails && problems.some(({ kind }) => kind === 'no_worker')) {
    const ids = await listUnsentAlerts(ctx.db)
    if (ids.length > 0) await services.sendMails(ids)
  }
}

async function readProblems(
  ctx: Ctx,
  { providers, listBrokenSettings }: AlertServices,
): Promise<HealthProblem[]> {
  const now = ctx.now()
  const broken = await listBrokenSettings()
  return [
    ...healthProblems(await readHealth(ctx.db, now, providers), now),
    ...broken.map((text) => ({ kind: 'settings' as const, count: 1, text })),
  ]
}

/** Sends what is due to the shop's webhook, each until it is taken or given up. What was written for a webhook that is gone is not sent. */
export async function sendAlerts(ctx: Ctx): Promise<void> {
  for (;;) {
    const due = await takeDueMessages(ctx, MESSAGES_AT_ONCE)
    if (due.length === 0) return
    const { webhook } = await readSetting(ctx.db, alertsSetting)
    for (const message of due) {
      const failure =
        webhook === null
          ? 'no webhook is set'
          : await sendWebhook(
              { url: webhook.url, secret: secret(webhook.secret) },
              { id: `msg_${message.id}`, body: message.body },
              ctx.now(),
            ).then(
              () => null,
              (error: unknown) => reasonOf(error),
            )
      if (failure !== null)
        ctx.log.warn('an alert was not taken by the webhook', { message: message.id, failure })
      await closeMessage(ctx, message, failure)
    }
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}
