import { labelOf } from '#features/office/alert/rules.ts'
import { readHealth, readOldestWork } from '#features/office/health/queries.ts'
import { countedWork, isWork, healthProblems } from '#features/office/health/rules.ts'
import {
  countPlaces,
  hasPlaces,
  readGuideChoices,
  hasHadKeys,
} from '#features/office/guide/queries.ts'
import { viewGuide } from '#features/office/guide/rules.ts'
import { countOpen, type ReadyLine } from '#features/office/readiness/rules.ts'
import { listStops } from '#features/goods/sale-stop/queries.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import type { Stoppable } from '#features/goods/sale-stop/rules.ts'
import { formatDuration } from '#platform/i18n/format.ts'
import type { ConsoleContext, Loaded } from '../page.ts'
import { loadFigures, type FiguresView } from './figures.ts'
import { WORK, type WorkLine } from './work.ts'

export interface HomeData {
  /** How much is open before the shop is ready, for whoever may change that; 0 where nothing is, and in a demo. */
  readonly notReady: number
  /** How far the setup guide is, for whoever may go on with it; null once it is done, or was taken off. */
  readonly guide: { readonly done: number; readonly all: number } | null
  readonly work: readonly WorkLine[]
  /** Faults of the machine for whoever may read about it: what each is called, and what the doctor says, which is English. */
  readonly faults: readonly { readonly name: string; readonly text: string }[]
  /** What is not sold for the moment, as the code of what is stopped says. */
  readonly stopped: readonly Stoppable[]
  /** What the shop has sold, for whoever may read the books. */
  readonly figures: FiguresView | null
}

export async function load(context: ConsoleContext): Promise<Loaded<HomeData>> {
  const { ctx, t, language } = context
  const now = ctx.now()
  const [health, oldest] = await Promise.all([
    readHealth(ctx.db, now, []),
    readOldestWork(ctx.db, now),
  ])
  const age = (at: Date) =>
    formatDuration(language.code, Math.max(0, (now.getTime() - at.getTime()) / 1_000))
  const work = countedWork(health)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => {
      const since = oldest[kind]
      return { kind, count, path: WORK[kind], age: since ? age(since) : null }
    })
  const faults = mayDo(ctx.operator, 'system.read')
    ? healthProblems(health, now)
        .filter((problem) => !isWork(problem))
        .map(({ kind, text }) => ({ name: t(`mail.alert.${labelOf(kind)}`), text }))
    : []
  const stopped = mayDo(ctx.operator, 'product.read')
    ? (await listStops(ctx.db)).map(({ kind, code }) => ({ kind, code }))
    : []
  const ready =
    !context.shop.isDemo && mayDo(ctx.operator, 'shop.manage') ? await context.ready() : null
  const notReady = ready ? countOpen(ready) : 0
  const guide = ready ? await guideOf(ctx.db, ready) : null
  const figures = mayDo(ctx.operator, 'ledger.read') ? await loadFigures(context) : null
  return {
    title: t('console.home.nav'),
    data: { notReady, guide, work, faults, stopped, figures },
  }
}

async function guideOf(
  db: ConsoleContext['ctx']['db'],
  ready: readonly ReadyLine[],
): Promise<HomeData['guide']> {
  const choices = await readGuideChoices(db)
  if (choices.whole === 'dismissed') return null
  const [places, hadKeys] = await Promise.all([countPlaces(db), hasHadKeys(db)])
  const view = viewGuide({ ready, hasPlaces: hasPlaces(places), hasHadKeys: hadKeys, choices })
  return view.next === null ? null : { done: view.done, all: view.steps.length }
}
