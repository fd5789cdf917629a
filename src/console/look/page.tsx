import { useId, useState } from 'react'
import {
  CORNERS,
  isColour,
  RELEASE_THEME,
  SCHEMES,
  tokensOf,
  TOKEN_OF,
  type ColourName,
  type Palette,
  type Scheme,
  type Theme,
} from '#features/base/theme/rules.ts'
import { Icon } from '#ui/icon.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import type { DraftRow } from '../settings/drafts.ts'
import { FaultLine } from '../settings/fault-line.tsx'
import { Former, Saving, Stale } from '../settings/setting-form.tsx'
import type { FieldData } from '../settings/shown.ts'
import { useSetting, type SettingEditing } from '../settings/use-setting.ts'
import { useT } from '../words.tsx'
import type { LookData } from './load.ts'
import { Contrasts } from './contrasts.tsx'
import { Preview } from './preview.tsx'
import { fileOf, readFile } from './theme-file.ts'

const NO_CURRENCIES: readonly never[] = []

/** The shop's colours and corners: chosen, looked at on its own pages, then kept. */
export function Page({ data }: { readonly data: LookData }) {
  const t = useT()
  const { setting } = data
  const editing = useSetting(setting, NO_CURRENCIES)
  const [scheme, setScheme] = useState<Scheme>('light')
  const theme = themeOf(setting.fields, editing)
  return (
    <>
      <div className="pg">
        <div>
          <a className="back" href={`${CONSOLE_PATH}/settings`}>
            <Icon name="left" />
            {t('console.settings.nav')}
          </a>
          <h1>{t('console.look.nav')}</h1>
          <p>{t('console.look.lead')}</p>
        </div>
      </div>
      <div className="look">
        <form
          className="panel stack"
          aria-label={t('console.look.nav')}
          onSubmit={(event) => {
            event.preventDefault()
            void editing.save()
          }}
        >
          {setting.fields.map((field) => (
            <Place key={field.path} field={field} editing={editing} theme={theme} />
          ))}
          <Contrasts theme={theme} columns={setting.fields[0]?.columns ?? []} />
          <File fields={setting.fields} editing={editing} theme={theme} />
          <Saving setting={setting} editing={editing} currencies={NO_CURRENCIES} />
        </form>
        <Preview pages={data.pages} theme={theme} scheme={scheme} choose={setScheme} />
      </div>
    </>
  )
}

/** What is typed, as far as it is colours. */
function themeOf(fields: readonly FieldData[], editing: SettingEditing): Theme {
  const draft = (part: string) => {
    const field = fields.find((each) => each.part === part)
    return field ? editing.draftOf(field) : ''
  }
  const palette = (scheme: Scheme): Palette =>
    Object.fromEntries(
      Object.entries(draft(scheme) as DraftRow)
        .map(([name, typed]) => [name, typed.trim().toLowerCase()] as const)
        .filter(([, typed]) => isColour(typed)),
    )
  const corners = CORNERS.find((known) => known === draft('corners')) ?? RELEASE_THEME.corners
  return { light: palette('light'), dark: palette('dark'), corners }
}

interface PlaceProps {
  readonly field: FieldData
  readonly editing: SettingEditing
  readonly theme: Theme
}

function Place({ field, editing, theme }: PlaceProps) {
  const scheme = SCHEMES.find((known) => known === field.part)
  return (
    <div id={field.path} className="stack-2">
      {scheme === undefined ? (
        <Choice field={field} editing={editing} />
      ) : (
        <Colours field={field} editing={editing} theme={theme} scheme={scheme} />
      )}
      {editing.isStale(field) && (
        <Stale field={field} editing={editing} currencies={NO_CURRENCIES} />
      )}
      <Former field={field} editing={editing} currencies={NO_CURRENCIES} />
    </div>
  )
}

function Choice({ field, editing }: Omit<PlaceProps, 'theme'>) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{field.name}</label>
      <select
        id={id}
        className="input"
        value={String(editing.draftOf(field))}
        onChange={(event) => editing.write(field, event.target.value)}
      >
        {field.options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      <p className="hint">{field.text}</p>
    </div>
  )
}

/** A picker and the colour in letters beside each other; an empty one is as the release has it. */
function Colours({ field, editing, theme, scheme }: PlaceProps & { readonly scheme: Scheme }) {
  const row = editing.draftOf(field) as DraftRow
  const tokens = tokensOf(theme, scheme)
  return (
    <fieldset className="field">
      <legend className="label">{field.name}</legend>
      <p className="hint">{field.text}</p>
      <div className="colours">
        {field.columns.map(({ name, text }) => {
          const typed = row[name] ?? ''
          const shown = tokens[TOKEN_OF[name as ColourName]]
          const fault = editing.faults[`${field.path}.${name}`]
          const write = (value: string) => editing.write(field, { ...row, [name]: value })
          return (
            <div key={name} className={fault === undefined ? 'colour' : 'colour err'}>
              <label>
                <span className="tiny">{text}</span>
                <span className="row">
                  <input
                    type="color"
                    aria-label={text}
                    value={shown}
                    onChange={(event) => write(event.target.value)}
                  />
                  <input
                    className="input mono"
                    dir="ltr"
                    autoComplete="off"
                    spellCheck={false}
                    maxLength={20}
                    placeholder={shown}
                    value={typed}
                    aria-invalid={fault !== undefined}
                    onChange={(event) => write(event.target.value)}
                  />
                </span>
              </label>
              <FaultLine text={fault} />
            </div>
          )
        })}
      </div>
      <FaultLine text={editing.faults[field.path]} />
    </fieldset>
  )
}

/** All that is set as one file, and another one in its place, which is told before it is kept. */
function File({
  fields,
  editing,
  theme,
}: {
  readonly fields: readonly FieldData[]
  readonly editing: SettingEditing
  readonly theme: Theme
}) {
  const t = useT()
  const id = useId()
  const [isNone, setNone] = useState(false)
  function save() {
    const address = URL.createObjectURL(new Blob([fileOf(theme)], { type: 'application/json' }))
    const link = document.createElement('a')
    link.href = address
    link.download = 'theme.json'
    link.click()
    URL.revokeObjectURL(address)
  }
  function take(text: string) {
    const read = readFile(text)
    setNone(read === null)
    if (read) for (const field of fields) editing.put(field, read[field.part ?? ''] ?? null)
  }
  return (
    <div className="stack-2">
      <div className={isNone ? 'field err' : 'field'}>
        <label htmlFor={id}>{t('console.look.file')}</label>
        <input
          id={id}
          className="input"
          type="file"
          accept=".json,application/json"
          aria-invalid={isNone}
          onChange={(event) => {
            const [file] = event.target.files ?? []
            if (file) void file.text().then(take)
          }}
        />
        <FaultLine text={isNone ? t('console.look.noFile') : undefined} />
      </div>
      <div>
        <button type="button" className="btn edge sm" onClick={save}>
          <Icon name="download" />
          {t('console.settingsFile.save')}
        </button>
      </div>
    </div>
  )
}
