import { Icon } from '#ui/icon.tsx'
import { useT } from '../words.tsx'
import type { DraftRow } from './drafts.ts'
import { FaultLine } from './fault-line.tsx'
import type { ColumnData, FieldData } from './shown.ts'
import type { SettingEditing } from './use-setting.ts'

/** A list whose rows have a few cells each, or one such row. */
export function RowsEditor({
  field,
  editing,
}: {
  readonly field: FieldData
  readonly editing: SettingEditing
}) {
  const t = useT()
  const isOne = field.kind === 'cells'
  const draft = editing.draftOf(field)
  const rows = isOne ? [draft as DraftRow] : (draft as readonly DraftRow[])
  const write = (next: readonly DraftRow[]) => editing.write(field, isOne ? (next[0] ?? {}) : next)
  return (
    <fieldset className="field">
      <legend className="label">{field.name}</legend>
      <p className="hint">{field.text}</p>
      <ol className="stack-2">
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row that is being typed has no other name
          <li key={index} className="set-r">
            {field.columns.map((column) => (
              <Cell
                key={column.name}
                column={column}
                value={row[column.name] ?? ''}
                fault={editing.faults[placeOf(field, index, column)]}
                write={(value) =>
                  write(
                    rows.map((each, at) =>
                      at === index ? { ...each, [column.name]: value } : each,
                    ),
                  )
                }
              />
            ))}
            {!isOne && (
              <button
                type="button"
                className="icon-btn"
                aria-label={t('console.settings.removeRow', { number: index + 1 })}
                onClick={() => write(rows.filter((_, at) => at !== index))}
              >
                <Icon name="trash" />
              </button>
            )}
          </li>
        ))}
      </ol>
      {!isOne && (
        <div>
          <button
            type="button"
            className="btn edge sm"
            onClick={() => write([...rows, emptyRow(field, rows.at(-1))])}
          >
            <Icon name="plus" />
            {t('console.settings.addRow')}
          </button>
        </div>
      )}
      <FaultLine text={editing.faults[field.path]} />
    </fieldset>
  )
}

/** Where the shop says that a cell is wrong. */
function placeOf({ path, kind }: FieldData, index: number, { name }: ColumnData): string {
  return kind === 'cells' ? `${path}.${name}` : `${path}.${index}.${name}`
}

/** A further row: of the same group, with the first of each choice. */
function emptyRow({ columns }: FieldData, last: DraftRow | undefined): DraftRow {
  return Object.fromEntries(
    columns.map(({ name, kind, options, isNeeded }) => [
      name,
      name === 'group'
        ? (last?.['group'] ?? '')
        : kind === 'choice' && isNeeded
          ? (options[0]?.value ?? '')
          : '',
    ]),
  )
}

function Cell({
  column: { text, kind, options, isNeeded },
  value,
  fault,
  write,
}: {
  readonly column: ColumnData
  readonly value: string
  readonly fault: string | undefined
  readonly write: (value: string) => void
}) {
  return (
    <label className={fault === undefined ? 'field' : 'field err'}>
      <span className="tiny">{text}</span>
      {kind === 'choice' ? (
        <select
          className="input"
          value={value}
          aria-invalid={fault !== undefined}
          onChange={(event) => write(event.target.value)}
        >
          {!isNeeded && <option value="" />}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      ) : kind === 'switch' ? (
        <input
          type="checkbox"
          checked={value === 'true'}
          onChange={(event) => write(String(event.target.checked))}
        />
      ) : (
        <input
          className="input"
          dir={kind === 'line' ? 'auto' : 'ltr'}
          inputMode={kind === 'line' ? undefined : 'decimal'}
          autoComplete="off"
          maxLength={500}
          value={value}
          aria-invalid={fault !== undefined}
          onChange={(event) => write(event.target.value)}
        />
      )}
      <FaultLine text={fault} />
    </label>
  )
}
