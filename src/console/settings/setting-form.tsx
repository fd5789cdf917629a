import { Icon } from '#ui/icon.tsx'
import { Fault } from '../kit/fault.tsx'
import { SavedNote } from '../kit/saved-note.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useConsoleWords, useT } from '../words.tsx'
import { FieldEditor } from './field-editor.tsx'
import {
  standardText,
  valueText,
  isFound,
  type FieldData,
  type SettingData,
  type SettingsData,
} from './shown.ts'
import { useSetting, type SettingEditing } from './use-setting.ts'

/** The parts of one setting: they hold together or not at all. */
export function SettingForm({
  setting,
  currencies,
  query,
}: {
  readonly setting: SettingData
  readonly currencies: SettingsData['currencies']
  readonly query: string
}) {
  const t = useT()
  const editing = useSetting(setting, currencies)
  const shown = setting.fields.filter((field) => editing.isChanged(field) || isFound(field, query))
  return (
    <form
      className="panel stack"
      aria-label={setting.fields.length === 1 ? setting.fields[0]?.name : setting.key}
      onSubmit={(event) => {
        event.preventDefault()
        void editing.save()
      }}
    >
      {setting.fault !== null && (
        <div className="note bad" role="alert">
          <Icon name="alert" />
          <div>
            <b>{t('console.settings.broken')}</b>
            <p className="mono tiny" lang="en" dir="ltr">
              {setting.fault}
            </p>
          </div>
        </div>
      )}
      {shown.map((field) => (
        <FieldPlace key={field.path} field={field} editing={editing} currencies={currencies} />
      ))}
      <Saving setting={setting} editing={editing} currencies={currencies} />
    </form>
  )
}

/** What the change would do, what became of it, and the press that keeps it. */
export function Saving({
  setting,
  editing,
  currencies,
}: {
  readonly setting: SettingData
  readonly editing: SettingEditing
  readonly currencies: SettingsData['currencies']
}) {
  const t = useT()
  return (
    <>
      {editing.isDirty && <EffectBox setting={setting} editing={editing} currencies={currencies} />}
      <Fault text={editing.attempt.fault} />
      <SavedNote outcome={editing.outcome} />
      {editing.isDirty && (
        <div className="save">
          <p>{t('console.settings.unsaved')}</p>
          <button type="button" className="btn ghost" onClick={editing.undo}>
            {t('console.settings.undo')}
          </button>
          <button type="submit" className="btn solid" disabled={editing.attempt.isBusy}>
            {t('console.settings.save')}
          </button>
        </div>
      )}
    </>
  )
}

interface PlaceProps {
  readonly field: FieldData
  readonly editing: SettingEditing
  readonly currencies: SettingsData['currencies']
}

/** A field with what it does, what holds without it, and who changed it. */
function FieldPlace({ field, editing, currencies }: PlaceProps) {
  const words = useConsoleWords()
  const { t } = words
  const isChanged = editing.isChanged(field)
  return (
    <div id={field.path} className="set-f stack-2">
      {field.kind === 'elsewhere' ? (
        <div>
          <p className="label">{field.name}</p>
          <p className="hint">{field.text}</p>
          <a className="btn edge sm" href={`${CONSOLE_PATH}/money?view=methods`}>
            {t('console.open')}
          </a>
        </div>
      ) : (
        <FieldEditor field={field} editing={editing} currencies={currencies} />
      )}
      <p className="tiny muted">
        <a className="mono" dir="ltr" href={`#${field.path}`}>
          {field.path}
        </a>
        {' · '}
        {t('console.settings.standard', { value: standardText(words, field, currencies) })}
        {field.changed && (
          <>
            {' · '}
            {t('console.settings.changed', field.changed)}
          </>
        )}
        {isChanged && (
          <>
            {' · '}
            <b>{t('console.settings.byYou')}</b>
          </>
        )}
      </p>
      {editing.isStale(field) && <Stale field={field} editing={editing} currencies={currencies} />}
      {field.kind !== 'elsewhere' && (
        <Former field={field} editing={editing} currencies={currencies} />
      )}
    </div>
  )
}

/** Both values: nothing is overwritten before somebody has chosen. */
export function Stale({ field, editing, currencies }: PlaceProps) {
  const words = useConsoleWords()
  const { t } = words
  return (
    <div className="note warn stack-2" role="alert">
      <p>
        {t('console.settings.meanwhile', {
          name: field.changed?.by ?? '',
          value: valueText(words, field, field.value, currencies),
        })}
      </p>
      <div className="row wrapx">
        <button type="button" className="btn edge sm" onClick={() => editing.keepMine(field)}>
          {t('console.settings.keepMine')}
        </button>
        <button type="button" className="btn edge sm" onClick={() => editing.takeTheirs(field)}>
          {t('console.settings.takeTheirs')}
        </button>
      </div>
    </div>
  )
}

/** What it was, each to be taken back. */
export function Former({ field, editing, currencies }: PlaceProps) {
  const words = useConsoleWords()
  const { t } = words
  if (!field.isSet && field.former.length === 0) return null
  return (
    <details className="more">
      <summary className="tiny">{t('console.settings.former')}</summary>
      <ul className="stack-2">
        {field.former.map((was) => (
          <li key={JSON.stringify(was.value)} className="row between wrapx">
            <span className="small">
              <bdi>{valueText(words, field, was.value, currencies)}</bdi>{' '}
              <span className="muted">
                {t('console.settings.until', { at: was.until, by: was.by })}
              </span>
            </span>
            <button
              type="button"
              className="btn edge sm"
              onClick={() => editing.put(field, was.value)}
            >
              {t('console.settings.takeBack')}
            </button>
          </li>
        ))}
        {field.isSet && !field.former.some(({ value }) => value === null) && (
          <li className="row between wrapx">
            <span className="small">
              {t('console.settings.standard', { value: standardText(words, field, currencies) })}
            </span>
            <button type="button" className="btn edge sm" onClick={() => editing.put(field, null)}>
              {t('console.settings.useStandard')}
            </button>
          </li>
        )}
      </ul>
    </details>
  )
}

/** Before and after, and what follows, as the shop worked it out. */
function EffectBox({
  setting,
  editing: { effect, faults },
  currencies,
}: Omit<PlaceProps, 'field'> & { readonly setting: SettingData }) {
  const words = useConsoleWords()
  const { t } = words
  const fields = new Map(setting.fields.map((field) => [field.path, field]))
  const parts = (effect?.parts ?? []).flatMap(({ path, before, after }) => {
    const field = fields.get(path)
    return field ? [{ field, before, after }] : []
  })
  const isFaulty = Object.keys(faults).length > 0
  return (
    <section className="fx" aria-live="polite" aria-busy={effect === null && !isFaulty}>
      <h3>
        {t('console.effect')}
        <span>{t('console.acts.notYet')}</span>
      </h3>
      <ul>
        {isFaulty && (
          <li>
            <span className="down">{t('console.settings.faulty')}</span>
          </li>
        )}
        {parts.map(({ field, before, after }) => (
          <li key={field.path}>
            <span>{field.name}</span>
            <span className="chg">
              <bdi className="from">{valueText(words, field, before, currencies)}</bdi>
              <Icon name="arrow" className="flip" />
              <bdi className="to">{valueText(words, field, after, currencies)}</bdi>
            </span>
          </li>
        ))}
        {[...new Set(parts.map(({ field }) => field.effect))].map((text) => (
          <li key={text}>
            <span>{text}</span>
          </li>
        ))}
        {effect?.tells_owners && (
          <li>
            <b>{t('console.settings.tellsOwners')}</b>
          </li>
        )}
      </ul>
    </section>
  )
}
