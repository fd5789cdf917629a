import { listTokens } from '#features/team/operator/queries.ts'
import { mayDo, scopesOf, TOKEN_DAYS, type Permission } from '#features/team/operator/rules.ts'
import { formatShortMoment } from '#platform/i18n/format.ts'
import type { ConsoleContext, Loaded } from '../page.ts'

export interface TokensData {
  readonly tokens: readonly {
    readonly id: string
    readonly operator: string
    readonly label: string
    /** Null for all that its operator may do. */
    readonly permissions: readonly string[] | null
    readonly ends: string
    readonly used: string | null
  }[]
  /** What a new one may be given. */
  readonly scopes: readonly Permission[]
  readonly days: { readonly usual: number; readonly most: number }
}

export async function load({
  ctx,
  t,
  language,
  timeZone,
}: ConsoleContext): Promise<Loaded<TokensData>> {
  const whose = mayDo(ctx.operator, 'staff.manage') ? null : ctx.operator.id
  const moment = (at: Date) => formatShortMoment(language.code, at, timeZone)
  return {
    title: t('console.tokens.nav'),
    data: {
      tokens: (await listTokens(ctx.db, ctx.now(), whose)).map((token) => ({
        id: token.id,
        operator: token.operator,
        label: token.label,
        permissions: token.permissions,
        ends: moment(token.expiresAt),
        used: token.lastUsedAt && moment(token.lastUsedAt),
      })),
      scopes: scopesOf(ctx.operator),
      days: TOKEN_DAYS,
    },
  }
}
