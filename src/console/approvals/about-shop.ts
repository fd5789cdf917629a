import { LEGAL_NAMES } from '../guide/legal-names.ts'
import { fieldData } from '../settings/load.ts'
import { valueText, type SettingsData } from '../settings/shown.ts'
import { waitingParts } from '#features/office/setting/engine/waiting.ts'
import type { SettingState } from '#features/office/setting/queries.ts'
import type { Act } from '#features/team/approval/rules.ts'
import type { ConsoleContext } from '../page.ts'

type Asked = Pick<Act, 'kind' | 'subject' | 'details'>

/** Which parts of a setting would be others, or which text would be. */
export function shopSubject(
  context: ConsoleContext,
  act: Asked,
  settings: readonly SettingState[],
): string {
  const { t } = context
  if (act.kind === 'legal_text') {
    const code = Object.entries(LEGAL_NAMES).find(([known]) => known === act.subject)
    return code ? t(code[1]) : act.subject
  }
  const names = changedParts(context, act, settings).map(({ field }) => field.name)
  return names.length === 0 ? act.subject : names.join(', ')
}

/** What each would be, from what to what; of a text, all that buyers would read. */
export function shopDetail(
  context: ConsoleContext,
  act: Asked,
  settings: readonly SettingState[],
  currencies: SettingsData['currencies'],
): string {
  const { title, text } = act.details
  if (act.kind === 'legal_text') return [title, text].map(String).join('\n\n')
  const words = { t: context.t, language: context.language.code }
  return changedParts(context, act, settings)
    .map(({ field, before, after }) => {
      if (field.kind === 'secret')
        return `${field.name}: ${context.t('console.approvals.newSecret')}`
      const [was, is] = [before, after].map((value) => valueText(words, field, value, currencies))
      return `${field.name}: ${was} → ${is}`
    })
    .join('\n')
}

function changedParts(
  context: ConsoleContext,
  { subject, details }: Asked,
  settings: readonly SettingState[],
) {
  const forms = settings.find(({ key }) => key === subject)?.forms ?? []
  return waitingParts(details).flatMap(({ part, before, after }) => {
    const form = forms.find(({ field }) => field.part === part)
    return form ? [{ field: fieldData(context, form), before, after }] : []
  })
}
