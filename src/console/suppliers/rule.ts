import { readSetting } from '#features/base/setting/queries.ts'
import { ruleVersion } from '#features/office/supplier/rules.ts'
import { coverSetting } from '#features/supply/balance/schema.ts'
import { readRouting } from '#features/supply/routing/queries.ts'
import type { RouteCriterion } from '#features/supply/routing/rules.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import type { ConsoleContext } from '../page.ts'

export interface RuleView {
  readonly view: 'rule'
  readonly rule: readonly RouteCriterion[]
  readonly lossBasisPoints: number
  readonly lossUsdMinor: number | null
  readonly version: string
  readonly alertHours: number
  readonly mayChange: boolean
}

export async function loadRule({ ctx }: ConsoleContext): Promise<RuleView> {
  const [routing, cover] = [await readRouting(ctx.db), await readSetting(ctx.db, coverSetting)]
  return {
    view: 'rule',
    rule: routing.rule,
    lossBasisPoints: routing.lossBasisPoints,
    lossUsdMinor: routing.lossUsdMinor === null ? null : Number(routing.lossUsdMinor),
    version: ruleVersion(routing),
    alertHours: cover.alertHours,
    mayChange: mayDo(ctx.operator, 'shop.manage'),
  }
}
