import { listProviders } from '#features/office/books/queries.ts'
import { listShown } from '#features/office/payment-service/queries.ts'
import type { ShownSetting } from '#features/office/service-settings/engine/settings.ts'
import { findWaiting } from '#features/team/approval/queries.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { formatDuration, formatShortMoment } from '#platform/i18n/format.ts'
import { providerName } from '../kit/provider-name.ts'
import { actorName } from '../kit/actor-name.ts'
import type { StateLook } from '../kit/state.tsx'
import { stateOf } from '../money/providers.ts'
import type { ConsoleContext, Loaded } from '../page.ts'

export interface ServiceData {
  readonly code: string
  readonly name: string
  readonly look: StateLook
  readonly state: string
  /** What it answered last where asking it fails. */
  readonly failure: string | null
  readonly figures: readonly { readonly name: string; readonly value: string }[]
  /** 'own': the shop itself takes it, or the demo; nothing is entered for it. */
  readonly source: 'environment' | 'entered' | 'unreadable' | 'address' | 'none' | 'own'
  /** What the environment lacks. */
  readonly lacking: readonly string[]
  readonly mode: string | null
  readonly settings: readonly ShownSetting[]
  /** Where the service tells of payments; null where none is told of from outside. */
  readonly webhook: string | null
  readonly version: number
  readonly tried: 'good' | 'refused' | 'unknown' | null
  /** Whose it is: the name that people gave it, and the service's own. */
  readonly account: string | null
  readonly set: { readonly at: string; readonly by: string } | null
  readonly waits: boolean
  readonly mayChange: boolean
}

const DAY_MS = 86_400_000

export async function load(context: ConsoleContext): Promise<Loaded<ServiceData>> {
  const { ctx, t, language, timeZone, params, paying } = context
  const code = params['code'] ?? ''
  const now = ctx.now()
  const [services, states, waiting] = await Promise.all([
    listShown(ctx.db, ctx.keys, paying.environment),
    listProviders(ctx.db, [code], new Date(now.getTime() - DAY_MS)),
    findWaiting(ctx.db, 'payment_service', code, now),
  ])
  const service = services.find((known) => known.code === code)
  const state = states.find(({ provider }) => provider === code)
  if (!state || (!service && !paying.providers.has(code))) throw new AppError('not_found')
  const setAt = service?.setAt ?? null
  const name = providerName(t, code)
  const notice =
    state.lastNoticeAt &&
    formatDuration(language.code, (now.getTime() - state.lastNoticeAt.getTime()) / 1_000)
  return {
    title: name,
    data: {
      code,
      name,
      ...stateOf(context, state, paying.providers.has(code)),
      failure: state.failures > 0 ? state.failure : null,
      figures: [
        { name: t('console.money.lastNotice'), value: notice ?? '–' },
        { name: t('console.money.open'), value: String(state.open) },
        { name: t('console.money.view.unmatched'), value: String(state.unmatched) },
        { name: t('console.money.view.differences'), value: String(state.differences) },
      ],
      source: service?.source ?? 'own',
      lacking: service?.lacking ?? [],
      mode: service?.mode ? t(`console.money.mode.${service.mode}`) : null,
      settings: service?.settings ?? [],
      webhook: service ? `${paying.publicUrl}/api/webhook/${code}` : null,
      version: service?.version ?? 0,
      tried: service?.tried ?? null,
      account: service?.account
        ? [service.account.name, service.account.id].filter((part) => part !== null).join(' · ')
        : null,
      set: setAt && {
        at: formatShortMoment(language.code, setAt, timeZone),
        by: actorName(service?.setBy ?? ''),
      },
      waits: waiting !== null,
      mayChange: mayDo(ctx.operator, 'payment.settings'),
    },
  }
}
