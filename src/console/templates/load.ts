import { listTemplates } from '#features/office/case/queries.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { LANGUAGES } from '#kernel/language.ts'
import type { ConsoleContext, Loaded } from '../page.ts'

export interface TemplatesData {
  readonly templates: readonly {
    readonly id: string
    readonly name: string
    readonly texts: Readonly<Record<string, string>>
    readonly seen: string
  }[]
  readonly languages: readonly {
    readonly code: string
    readonly name: string
    readonly tag: string
  }[]
  readonly mayDecide: boolean
}

export async function load({ ctx, t }: ConsoleContext): Promise<Loaded<TemplatesData>> {
  const templates = await listTemplates(ctx.db)
  return {
    title: t('console.templates.nav'),
    data: {
      templates: templates.map(({ id, name, texts, changedAt }) => ({
        id,
        name,
        texts: { ...texts } as Record<string, string>,
        seen: changedAt.toISOString(),
      })),
      languages: LANGUAGES.map(({ code, nativeName, tag }) => ({ code, name: nativeName, tag })),
      mayDecide: mayDo(ctx.operator, 'case.decide'),
    },
  }
}
