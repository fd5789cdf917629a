import { listCurrencies } from '#features/goods/currency/queries.ts'
import { GROUPS } from '#features/office/setting/engine/places.ts'
import { readSettingForms, type SettingForm } from '#features/office/setting/queries.ts'
import { LANGUAGES } from '#kernel/language.ts'
import { formatShortMoment } from '#platform/i18n/format.ts'
import type { MessageKey } from '#platform/i18n/keys.ts'
import { actorName } from '../kit/actor-name.ts'
import type { ConsoleContext, Loaded } from '../page.ts'
import type { FieldData, SettingsData } from './shown.ts'

export async function load(context: ConsoleContext): Promise<Loaded<SettingsData>> {
  const { ctx, t, query } = context
  const [settings, currencies] = await Promise.all([
    readSettingForms(ctx.db),
    listCurrencies(ctx.db),
  ])
  const groups = GROUPS.map((group) => ({
    name: group,
    title: t(`setting.group.${group}`),
    settings: settings
      .filter(({ forms }) => forms[0]?.field.group === group)
      .map(({ key, isTold, fault, forms }) => ({
        key,
        tellsOwners: isTold,
        fault,
        fields: forms.map((form) => fieldData(context, form)),
      })),
  }))
  return {
    title: t('console.settings.nav'),
    data: {
      query: query.get('q')?.slice(0, 100) ?? '',
      groups,
      currencies: currencies.map(({ code, minorUnits }) => ({ code, places: minorUnits })),
      shopName: context.shop.name,
    },
  }
}

/** A field as its form shows it. */
export function fieldData(context: ConsoleContext, form: SettingForm): FieldData {
  const { t, language, timeZone } = context
  const { field, value, isSet, version, changed, former } = form
  const at = (moment: Date) => formatShortMoment(language.code, moment, timeZone)
  const { path, part, kind, least, most, longest, isNeeded, standard, standardName } = field
  return {
    path,
    part,
    kind,
    name: t(`setting.name.${path}` as MessageKey),
    text: t(`setting.text.${path}` as MessageKey),
    effect: t(`setting.effect.${field.effect}`),
    options: field.options.map((option) => ({
      value: option,
      text: optionText(context, path, option),
    })),
    columns: field.columns.map(({ name, kind: of, options, isNeeded: needed }) => ({
      name,
      kind: of,
      isNeeded: needed,
      text: t(`setting.column.${name}` as MessageKey),
      options: options.map((option) => ({
        value: option,
        text: optionText(context, path, option),
      })),
    })),
    least,
    most,
    longest,
    isNeeded,
    standard,
    standardText: standardName === null ? null : t(`setting.standard.${standardName}`),
    value,
    isSet,
    version,
    changed: changed && { by: actorName(changed.by), at: at(changed.at) },
    former: former.map((was) => ({
      value: was.value,
      by: actorName(was.by),
      until: at(was.until),
    })),
  }
}

const WORDS = ['phone', 'player', 'shopper', 'hold', 'refuse', 'square', 'soft', 'round'] as const

/** Languages by their own name, the few words of limits and corners in the operator's, and codes as they are. */
function optionText({ t }: ConsoleContext, path: string, option: string): string {
  if (path === 'alerts.language')
    return LANGUAGES.find(({ code }) => code === option)?.nativeName ?? option
  const word = WORDS.find((known) => known === option)
  return word ? t(`setting.option.${word}`) : option
}
