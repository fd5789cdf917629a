import { useId, useState } from 'react'
import { checkField, type FieldFault } from '#features/buying/offer/rules.ts'
import { Icon } from '#ui/icon.tsx'
import { useT } from '../words.tsx'
import { useEditor } from './editor.tsx'
import type { AccountFieldValue } from './fields.tsx'

/** The form as a shopper fills it in: what is typed is checked by the rules that the shop goes by. */
export function FieldsPreview({ fields }: { readonly fields: readonly AccountFieldValue[] }) {
  const t = useT()
  return (
    <section className="panel stack-2">
      <h2>{t('console.product.tryIt')}</h2>
      <p className="hint">{t('console.product.tryItHint')}</p>
      <div className="prev stack-2">
        {fields.map((field) => (
          <Tried key={field.key} field={field} />
        ))}
        {fields.length === 0 && <p className="hint">{t('console.product.noFields')}</p>}
      </div>
    </section>
  )
}

function faultOf(field: AccountFieldValue, typed: string): FieldFault | null {
  const rule = {
    key: field.key,
    kind: field.kind,
    required: field.required,
    pattern: field.pattern ?? null,
    min: field.min ?? null,
    max: field.max ?? null,
    options: field.options ?? [],
  }
  try {
    return checkField(rule, typed)
  } catch {
    // A pattern that is none yet: the server says so at its place.
    return 'pattern'
  }
}

function Tried({ field }: { readonly field: AccountFieldValue }) {
  const t = useT()
  const { data } = useEditor()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [isTouched, setTouched] = useState(false)
  const fault = isTouched ? faultOf(field, typed) : null
  const text =
    fault &&
    data.tried[fault]
      .replace('{min}', String(field.min ?? 1))
      .replace('{max}', String(field.max ?? 200))
  const given = {
    className: 'input',
    id,
    value: typed,
    'aria-invalid': fault !== null,
    'aria-describedby': `${id}-m`,
  }
  return (
    <div className={fault === null ? (isTouched ? 'field good' : 'field') : 'field err'}>
      <label htmlFor={id}>{field.label === '' ? field.key : field.label}</label>
      {field.kind === 'select' ? (
        <select
          {...given}
          onChange={(event) => {
            setTyped(event.target.value)
            setTouched(true)
          }}
        >
          <option value="" />
          {(field.options ?? []).map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...given}
          dir="auto"
          autoComplete="off"
          inputMode={field.kind === 'digits' ? 'numeric' : 'text'}
          placeholder={field.placeholder}
          maxLength={400}
          onChange={(event) => {
            setTyped(event.target.value)
            setTouched(true)
          }}
        />
      )}
      <p className={fault === null ? 'hint' : 'msg'} id={`${id}-m`} aria-live="polite">
        {text ??
          (isTouched && typed !== '' ? (
            <>
              <Icon name="check" /> {t('console.product.fits')}
            </>
          ) : (
            field.help
          ))}
      </p>
    </div>
  )
}
