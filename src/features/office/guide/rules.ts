import type { ReadyLine, ReadyName } from '#features/office/readiness/rules.ts'

/** The steps from an empty shop to one that sells, in the order in which they are made. */
export const GUIDE_STEPS = [
  'owner',
  'identity',
  'places',
  'goods',
  'keys',
  'pay',
  'mail',
  'look',
] as const
export type GuideStep = (typeof GUIDE_STEPS)[number]

export type StepState = 'done' | 'skipped' | 'open'

/** What people have said of the guide. */
export interface GuideChoices {
  readonly skipped: readonly GuideStep[]
  readonly hasLooked: boolean
  /** 'left': whoever opens the console is led elsewhere; 'dismissed': home says nothing of it either. */
  readonly whole: 'left' | 'dismissed' | null
}

export interface GuideFacts {
  readonly ready: readonly Pick<ReadyLine, 'name' | 'isDone'>[]
  /** There are currencies with a rate, and countries: goods stand on both. */
  readonly hasPlaces: boolean
  /** A card key has come in: what is sold out since is no first step any more. */
  readonly hasHadKeys: boolean
  readonly choices: GuideChoices
}

export interface GuideView {
  readonly steps: readonly { readonly step: GuideStep; readonly state: StepState }[]
  readonly done: number
  /** The first that is neither done nor skipped; null where there is none. */
  readonly next: GuideStep | null
}

/** Which lines of "Is the shop ready?" must be true for a step to be done. */
const LINES: Readonly<Partial<Record<GuideStep, readonly ReadyName[]>>> = {
  owner: ['factor'],
  identity: ['identity', 'texts'],
  goods: ['goods'],
  keys: ['keys'],
  pay: ['pay', 'paid'],
  mail: ['mail', 'letter'],
}

export const linesOf = (step: GuideStep): readonly ReadyName[] => LINES[step] ?? []

/** What is done follows from the shop; what was skipped and is done since is done. */
export function viewGuide({ ready, hasPlaces, hasHadKeys, choices }: GuideFacts): GuideView {
  const isTrue = (name: ReadyName) => ready.some((line) => line.name === name && line.isDone)
  const isDone = (step: GuideStep) => {
    if (step === 'places') return hasPlaces
    if (step === 'look') return choices.hasLooked
    return (step === 'keys' && hasHadKeys) || linesOf(step).every(isTrue)
  }
  const steps = GUIDE_STEPS.map((step) => ({
    step,
    state: isDone(step)
      ? ('done' as const)
      : choices.skipped.includes(step)
        ? ('skipped' as const)
        : ('open' as const),
  }))
  return {
    steps,
    done: steps.filter(({ state }) => state === 'done').length,
    next: steps.find(({ state }) => state === 'open')?.step ?? null,
  }
}

export const isGuideStep = (text: string | null): text is GuideStep =>
  GUIDE_STEPS.some((step) => step === text)
