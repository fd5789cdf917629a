import { useId, type ReactNode } from 'react'
import { Labelled } from '../kit/labelled.tsx'
import { useT } from '../words.tsx'
import type { DraftRow } from './drafts.ts'
import { FaultLine } from './fault-line.tsx'
import { RowsEditor } from './rows-editor.tsx'
import type { FieldData, SettingsData } from './shown.ts'
import type { SettingEditing } from './use-setting.ts'

interface EditorProps {
  readonly field: FieldData
  readonly editing: SettingEditing
  readonly currencies: SettingsData['currencies']
}

/** The field of a setting, by its kind. */
export function FieldEditor(props: EditorProps) {
  switch (props.field.kind) {
    case 'switch':
      return <Switch {...props} />
    case 'hours':
      return <Hours {...props} />
    case 'money':
      return <Money {...props} />
    case 'rows':
    case 'groups':
    case 'record':
    case 'cells':
      return <RowsEditor {...props} />
    default:
      return <Written {...props} />
  }
}

/** One line, several lines, or one of several. */
function Written({ field, editing, currencies }: EditorProps) {
  const id = useId()
  const t = useT()
  const { kind, options } = field
  const fault = editing.faults[field.path]
  const value = String(editing.draftOf(field))
  const allows = {
    className: 'input',
    id,
    value,
    'aria-invalid': fault !== undefined,
    'aria-describedby': fault === undefined ? undefined : `${id}-fault`,
    onChange: (event: { readonly target: { readonly value: string } }) =>
      editing.write(field, event.target.value),
  }
  const choices =
    kind === 'currency' ? currencies.map(({ code }) => ({ value: code, text: code })) : options
  return (
    <Labelled id={id} label={field.name} hint={hintOf(t, field)} fault={fault}>
      {kind === 'choice' || kind === 'currency' ? (
        <select {...allows}>
          {choices.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      ) : kind === 'text' || kind === 'lines' || kind === 'json' ? (
        <textarea
          {...allows}
          rows={kind === 'json' ? 6 : 3}
          dir={kind === 'json' ? 'ltr' : 'auto'}
        />
      ) : (
        <input
          {...allows}
          type={kind === 'secret' ? 'password' : 'text'}
          inputMode={isNumber(kind) ? 'decimal' : undefined}
          dir={isNumber(kind) ? 'ltr' : 'auto'}
          autoComplete="off"
          maxLength={4_000}
        />
      )}
    </Labelled>
  )
}

const isNumber = (kind: FieldData['kind']) => ['number', 'percent', 'usd'].includes(kind)

/** What it does, and how it is written. */
function hintOf(t: ReturnType<typeof useT>, { text, kind, options, isSet }: FieldData): string {
  if (kind === 'secret' && isSet) return `${text} ${t('console.settings.secretKept')}`
  if (kind === 'percent') return `${text} ${t('console.settings.inPercent')}`
  if (kind === 'usd') return `${text} ${t('console.settings.inDollars')}`
  if (kind !== 'lines') return text
  const words = options.map(({ value }) => value).join(', ')
  return words === ''
    ? `${text} ${t('console.settings.oneALine')}`
    : `${text} ${t('console.settings.oneALineOf', { words })}`
}

function Switch({ field, editing }: EditorProps) {
  const id = useId()
  return (
    <div className="field">
      <label className="check">
        <input
          type="checkbox"
          checked={editing.draftOf(field) === true}
          onChange={(event) => editing.write(field, event.target.checked)}
          aria-describedby={id}
        />
        <b>{field.name}</b>
      </label>
      <p className="hint" id={id}>
        {field.text}
      </p>
      <FaultLine text={editing.faults[field.path]} />
    </div>
  )
}

/** Several cells under one name. */
function Several({
  field,
  fault,
  children,
}: {
  readonly field: FieldData
  readonly fault: string | undefined
  readonly children: ReactNode
}) {
  return (
    <fieldset className={fault === undefined ? 'field' : 'field err'}>
      <legend className="label">{field.name}</legend>
      <p className="hint">{field.text}</p>
      <div className="row wrapx">{children}</div>
      <FaultLine text={fault} />
    </fieldset>
  )
}

function Hours({ field, editing }: EditorProps) {
  const t = useT()
  const row = editing.draftOf(field) as DraftRow
  return (
    <Several field={field} fault={editing.faults[field.path]}>
      {(['from', 'to'] as const).map((end) => (
        <label key={end} className="row">
          <span>{t(`console.settings.${end}`)}</span>
          <input
            className="input num"
            dir="ltr"
            placeholder={end === 'from' ? '09:00' : '18:00'}
            size={6}
            maxLength={5}
            autoComplete="off"
            value={row[end] ?? ''}
            onChange={(event) => editing.write(field, { ...row, [end]: event.target.value })}
          />
        </label>
      ))}
    </Several>
  )
}

function Money({ field, editing, currencies }: EditorProps) {
  const t = useT()
  const row = editing.draftOf(field) as DraftRow
  const write = (part: DraftRow) => editing.write(field, { ...row, ...part })
  return (
    <Several field={field} fault={editing.faults[field.path]}>
      <input
        className="input num"
        dir="ltr"
        inputMode="decimal"
        autoComplete="off"
        size={12}
        maxLength={20}
        aria-label={field.name}
        value={row['amount'] ?? ''}
        onChange={(event) => write({ amount: event.target.value })}
      />
      <select
        className="input"
        aria-label={t('console.method.currency')}
        value={row['currency'] ?? ''}
        onChange={(event) => write({ currency: event.target.value })}
      >
        <option value="" />
        {currencies.map(({ code }) => (
          <option key={code}>{code}</option>
        ))}
      </select>
    </Several>
  )
}
