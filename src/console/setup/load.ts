import type { ReadyLine } from '#features/office/readiness/rules.ts'
import type { ConsoleContext, Loaded } from '../page.ts'

export interface SetupLine
  extends Pick<ReadyLine, 'name' | 'isDone' | 'isNeeded' | 'path' | 'open'> {
  readonly title: string
  readonly text: string
}

export interface SetupData {
  readonly lines: readonly SetupLine[]
  readonly isDemo: boolean
}

export async function load({ t, ready, shop }: ConsoleContext): Promise<Loaded<SetupData>> {
  const lines = await ready()
  return {
    title: t('console.setup.nav'),
    data: {
      isDemo: shop.isDemo,
      lines: lines.map((line) => ({
        ...line,
        title: t(`setting.ready.${line.name}.${line.isDone ? 'done' : 'open'}`),
        text: t(`setting.ready.${line.name}.text`),
      })),
    },
  }
}
