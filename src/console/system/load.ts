import { readMachine } from '#features/office/system/queries.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import type { ConsoleContext, Loaded } from '../page.ts'
import { loadHealth, type HealthView } from './health.ts'
import { loadWork, type WorkView } from './work.ts'
import { isSystemView, type SystemView } from './views.ts'

export interface SystemData {
  /** Numbers beside the tabs: what failed or waits. */
  readonly counts: Readonly<Partial<Record<SystemView, number>>>
  readonly mayManage: boolean
  readonly shown: HealthView | WorkView
}

export async function load(context: ConsoleContext): Promise<Loaded<SystemData>> {
  const { ctx, query, t } = context
  const named = query.get('view')
  const view = isSystemView(named) ? named : 'health'
  const machine = await readMachine(ctx.db, ctx.now())
  const shown =
    view === 'health' ? await loadHealth(context, machine) : await loadWork(context, view)
  return {
    title: t('console.system.nav'),
    data: {
      counts: {
        jobs: machine.jobs.failed,
        mails: machine.mails.lost,
        in: machine.notices.waiting,
        out: machine.told.waiting,
      },
      mayManage: mayDo(ctx.operator, 'system.manage'),
      shown,
    },
  }
}
