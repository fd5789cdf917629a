import { roleName } from '#console/kit/role-name.ts'
import type { ConsoleContext, FrameData } from '#console/page.ts'
import { CONSOLE_ROUTES } from '#console/routes.ts'
import type { ConsoleAssets } from '#console/server/assets.ts'
import { createConsolePages, type ConsolePages } from '#console/server/handler.tsx'
import { countWaiting } from '#features/team/approval/queries.ts'
import { countDeskCases } from '#features/buying/after-sales/queries.ts'
import { opensOnGuide } from '#features/office/guide/queries.ts'
import { countHeldOrders } from '#features/buying/order/queries.ts'
import type { SignedIn } from '#features/team/operator/flows.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import type { Language } from '#kernel/language.ts'
import type { Config } from '#platform/config.ts'
import type { Ctx } from '#platform/ctx.ts'
import { formatMoment } from '#platform/i18n/format.ts'
import { translatorOf } from '#platform/i18n/messages.ts'

export interface ConsoleParts {
  readonly config: Config
  readonly ctx: Ctx
  readonly origin: string
  readonly assets: () => ConsoleAssets
  readonly shopName: () => string
  readonly pictureOf: ConsoleContext['pictureOf']
  readonly aProductPath: ConsoleContext['aProductPath']
  readonly paying: ConsoleContext['paying']
  readonly supplying: ConsoleContext['supplying']
  readonly ready: ConsoleContext['ready']
  readonly isDevelopment: boolean
}

/** The console's pages as this web process serves them. */
export function openConsolePages(parts: ConsoleParts): ConsolePages {
  const { config, ctx, origin, assets, shopName, pictureOf, paying, ready, isDevelopment } = parts
  return createConsolePages({
    ctx,
    log: ctx.log,
    assets,
    shopName,
    pictureOf,
    aProductPath: parts.aProductPath,
    timeZone: config.shopTimeZone,
    isDemo: config.demo,
    paying,
    supplying: parts.supplying,
    ready,
    opensOnGuide: () => opensOnGuide(ctx.db),
    isHttps: origin.startsWith('https:'),
    isDevelopment,
    frameOf: (who, language) => frameOf(parts, who, language),
  })
}

async function frameOf(
  { config, ctx, shopName }: ConsoleParts,
  { operator: acting, session }: SignedIn,
  language: Language,
): Promise<FrameData> {
  const { operator } = acting
  const readable = CONSOLE_ROUTES.filter(
    ({ needs }) => needs === null || (needs !== 'visitor' && mayDo(operator, needs)),
  ).map(({ page }) => page)
  const held = mayDo(operator, 'order.read') ? await countHeldOrders(ctx.db) : 0
  const approvals = mayDo(operator, 'approval.decide') ? await countWaiting(ctx.db, ctx.now()) : 0
  const cases = mayDo(operator, 'case.read')
    ? await countDeskCases(ctx.db, ctx.now())
    : { count: 0, isLate: false }
  return {
    operator: {
      name: operator.name,
      shownName: session.profile.displayName,
      theme: session.profile.theme,
      role: roleName(translatorOf(language.code), operator),
    },
    shopName: shopName(),
    isDemo: config.demo,
    readable,
    counts: {
      orders: { count: held, isLate: false },
      cases,
      approvals: { count: approvals, isLate: false },
    },
    shopTime: formatMoment(language.code, ctx.now(), config.shopTimeZone),
  }
}
