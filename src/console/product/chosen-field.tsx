import { useId } from 'react'
import { Icon } from '#ui/icon.tsx'
import { useT } from '../words.tsx'
import type { EditedField } from './editor.tsx'
import type { Named } from './load.ts'

/** Several of a list: each chosen one can be taken away, and another added. */
export function ChosenField({
  label,
  none,
  options,
  field,
}: {
  readonly label: string
  /** What it means where none is chosen. */
  readonly none: string
  readonly options: readonly Named[]
  readonly field: EditedField
}) {
  const t = useT()
  const id = useId()
  const chosen = Array.isArray(field.shown) ? (field.shown as readonly string[]) : []
  const nameOf = (code: string) => options.find((one) => one.code === code)?.name ?? code
  const write = (codes: readonly string[]) => field.write(codes.length === 0 ? null : codes)
  return (
    <div className={field.fault === undefined ? 'field' : 'field err'}>
      <label htmlFor={id}>{label}</label>
      {chosen.length === 0 ? (
        <p className="hint">{none}</p>
      ) : (
        <ul className="chosen">
          {chosen.map((code) => (
            <li key={code}>
              <bdi>{nameOf(code)}</bdi>
              <button type="button" onClick={() => write(chosen.filter((one) => one !== code))}>
                <Icon name="x" />
                <span className="sr">{t('console.product.remove', { name: nameOf(code) })}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <select
        className="input"
        id={id}
        value=""
        aria-invalid={field.fault !== undefined}
        aria-describedby={field.fault === undefined ? undefined : `${id}-fault`}
        onChange={(event) => {
          if (event.target.value !== '') write([...chosen, event.target.value].toSorted())
        }}
      >
        <option value="">{t('console.product.add')}</option>
        {options
          .filter(({ code }) => !chosen.includes(code))
          .map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
      </select>
      {field.fault !== undefined && (
        <p className="msg" id={`${id}-fault`} role="alert">
          {field.fault}
        </p>
      )}
    </div>
  )
}
