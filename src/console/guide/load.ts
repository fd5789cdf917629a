import {
  readGuideChoices,
  countPlaces,
  hasHadKeys,
  hasPlaces,
} from '#features/office/guide/queries.ts'
import {
  GUIDE_STEPS,
  isGuideStep,
  linesOf,
  viewGuide,
  type GuideChoices,
  type GuideStep,
  type StepState,
} from '#features/office/guide/rules.ts'
import type { ReadyLine } from '#features/office/readiness/rules.ts'
import type { ConsoleContext, Loaded } from '../page.ts'
import { bodyOf, type StepBody } from './bodies.ts'

export interface GuideLine extends Pick<ReadyLine, 'name' | 'isDone' | 'open'> {
  readonly title: string
  readonly text: string
}

export interface GuideData {
  readonly steps: readonly {
    readonly step: GuideStep
    readonly state: StepState
    readonly name: string
  }[]
  readonly current: GuideStep
  /** Its place, from one. */
  readonly position: number
  readonly done: number
  readonly whole: GuideChoices['whole']
  /** What this step is about, of "Is the shop ready?". */
  readonly lines: readonly GuideLine[]
  readonly body: StepBody
}

export async function load(context: ConsoleContext): Promise<Loaded<GuideData>> {
  const { ctx, t, query, ready } = context
  const [lines, choices, places, hadKeys] = await Promise.all([
    ready(),
    readGuideChoices(ctx.db),
    countPlaces(ctx.db),
    hasHadKeys(ctx.db),
  ])
  const view = viewGuide({
    ready: lines,
    hasPlaces: hasPlaces(places),
    hasHadKeys: hadKeys,
    choices,
  })
  const asked = query.get('step')
  const current = isGuideStep(asked) ? asked : (view.next ?? 'look')
  const shown = (line: ReadyLine): GuideLine => ({
    name: line.name,
    isDone: line.isDone,
    open: line.open,
    title: t(`setting.ready.${line.name}.${line.isDone ? 'done' : 'open'}`),
    text: t(`setting.ready.${line.name}.text`),
  })
  const own = linesOf(current)
  const needed = lines.filter(({ isNeeded, isDone }) => isNeeded && !isDone)
  return {
    title: t('console.guide.nav'),
    data: {
      steps: view.steps.map((each) => ({ ...each, name: t(`console.guide.step.${each.step}`) })),
      current,
      position: GUIDE_STEPS.indexOf(current) + 1,
      done: view.done,
      whole: choices.whole,
      lines: lines.filter(({ name }) => own.includes(name)).map(shown),
      body: await bodyOf(context, current, { places, needed: needed.map(shown) }),
    },
  }
}
