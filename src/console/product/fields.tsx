import { useId, useState } from 'react'
import { Icon } from '#ui/icon.tsx'
import { Choice, LineField, TextField } from '../kit/fields.tsx'
import { useT } from '../words.tsx'
import { useEditor, useField } from './editor.tsx'
import { Field, FieldNotes } from './field.tsx'
import { FieldsPreview } from './fields-preview.tsx'

/** A field that shoppers fill in, as the catalogue's format has it. */
export interface AccountFieldValue {
  readonly key: string
  readonly kind: 'digits' | 'text' | 'select' | 'email' | 'phone'
  readonly label: string
  readonly required: boolean
  readonly help?: string
  readonly pattern?: string
  readonly min?: number
  readonly max?: number
  readonly placeholder?: string
  readonly options?: readonly { readonly value: string; readonly label: string }[]
}

const KINDS = ['digits', 'text', 'select', 'email', 'phone'] as const

/** What a shopper fills in: each field with its rules, and the form as shoppers have it beside, to try them. */
export function Fields() {
  const t = useT()
  const { data, saving } = useEditor()
  const field = useField(data.brand, 'fields')
  const [open, setOpen] = useState(0)
  if (!field) return null
  const list = (field.shown ?? []) as readonly AccountFieldValue[]
  const write = (next: readonly AccountFieldValue[]) => field.write(next.length === 0 ? null : next)
  const isOpen = field.spec.isOpen
  const why = saving.told?.faults.find((fault) => fault.field === 'fields')?.why
  function add() {
    const keys = new Set(list.map(({ key }) => key))
    let number = list.length + 1
    while (keys.has(`field_${number}`)) number += 1
    write([...list, { key: `field_${number}`, kind: 'text', label: '', required: true }])
    setOpen(list.length)
  }
  return (
    <div className="g2 dp">
      <div className="stack">
        <section className="panel stack-2">
          <div className="row between wrapx">
            <h2>{t('console.product.view.fields')}</h2>
            <span className="hint">{t('console.product.brandHint')}</span>
          </div>
          {list.length === 0 && <p className="hint">{t('console.product.noFields')}</p>}
          <ol className="acc-fields">
            {list.map((one, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a key is what is being edited
              <li key={index}>
                <OneField
                  {...{ list, index, write }}
                  isOpen={open === index}
                  mayChange={isOpen}
                  toggle={() => setOpen(open === index ? -1 : index)}
                />
              </li>
            ))}
          </ol>
          {isOpen && (
            <div>
              <button type="button" className="btn edge sm" onClick={add}>
                <Icon name="plus" />
                {t('console.product.add')}
              </button>
            </div>
          )}
          {field.fault !== undefined && (
            <p className="msg" role="alert">
              {field.fault} {why && <small lang="en">{why}</small>}
            </p>
          )}
          <FieldNotes goods={data.brand} name="fields" field={field} />
        </section>
        <section className="panel stack-2">
          <Field goods={data.brand} name="check" />
        </section>
      </div>
      <aside className="stack">
        <FieldsPreview fields={list} />
      </aside>
    </div>
  )
}

interface OneProps {
  readonly list: readonly AccountFieldValue[]
  readonly index: number
  readonly write: (next: readonly AccountFieldValue[]) => void
  readonly isOpen: boolean
  readonly mayChange: boolean
  readonly toggle: () => void
}

function OneField({ list, index, write, isOpen, mayChange, toggle }: OneProps) {
  const t = useT()
  const panel = useId()
  const one = list[index]
  if (!one) return null
  const change = (part: { readonly [Name in keyof AccountFieldValue]?: unknown }) => {
    const made = { ...one, ...part }
    const said = Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined))
    write(list.with(index, said as unknown as AccountFieldValue))
  }
  const name = one.label === '' ? one.key : one.label
  return (
    <>
      <div className="row between wrapx">
        <button
          type="button"
          className="as-link strong"
          aria-expanded={isOpen}
          aria-controls={panel}
          onClick={toggle}
        >
          <bdi>{name}</bdi>
        </button>
        <span className="hint">
          <bdi className="mono">{one.key}</bdi>, {t(`console.product.kind.${one.kind}`)}
          {one.required ? '' : `, ${t('console.product.optional')}`}
        </span>
      </div>
      {isOpen && (
        <fieldset className="stack-2 bare" id={panel} disabled={!mayChange}>
          <Rules one={one} change={change} />
          <div className="row wrapx">
            {index > 0 && (
              <button
                type="button"
                className="btn ghost sm"
                onClick={() => write(moved(list, index))}
              >
                {t('console.product.moveUp', { name })}
              </button>
            )}
            <button
              type="button"
              className="btn ghost sm"
              onClick={() => write(list.filter((_, at) => at !== index))}
            >
              <Icon name="trash" />
              {t('console.product.remove', { name })}
            </button>
          </div>
        </fieldset>
      )}
    </>
  )
}

function moved(list: readonly AccountFieldValue[], index: number): readonly AccountFieldValue[] {
  const next = [...list]
  next.splice(index - 1, 0, ...next.splice(index, 1))
  return next
}

interface RulesProps {
  readonly one: AccountFieldValue
  readonly change: (part: { readonly [Name in keyof AccountFieldValue]?: unknown }) => void
}

const textOr = (text: string) => (text === '' ? undefined : text)
const countOr = (text: string) => (/^\d{1,6}$/.test(text.trim()) ? Number(text) : undefined)

function Rules({ one, change }: RulesProps) {
  const t = useT()
  return (
    <>
      <div className="facts">
        <LineField
          label={t('console.product.word.label')}
          value={one.label}
          max={200}
          write={(label) => change({ label })}
          fault={undefined}
        />
        <LineField
          label={t('console.product.key')}
          value={one.key}
          max={40}
          write={(key) => change({ key })}
          fault={undefined}
        />
        <Choice
          label={t('console.products.kind')}
          value={one.kind}
          options={KINDS.map((kind) => ({ value: kind, text: t(`console.product.kind.${kind}`) }))}
          choose={(kind) =>
            change({ kind, options: kind === 'select' ? (one.options ?? []) : undefined })
          }
        />
        {one.kind !== 'select' && <TextRules one={one} change={change} />}
      </div>
      {one.kind === 'select' && <OptionLines one={one} change={change} />}
      <TextField
        label={t('console.product.word.help')}
        value={one.help ?? ''}
        max={4_000}
        write={(text) => change({ help: textOr(text) })}
        fault={undefined}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={one.required}
          onChange={(event) => change({ required: event.target.checked })}
        />
        <span>{t('console.product.required')}</span>
      </label>
    </>
  )
}

/** What a typed value must look like. */
function TextRules({ one, change }: RulesProps) {
  const t = useT()
  return (
    <>
      <LineField
        label={t('console.product.minLength')}
        value={one.min === undefined ? '' : String(one.min)}
        max={6}
        write={(text) => change({ min: countOr(text) })}
        fault={undefined}
      />
      <LineField
        label={t('console.product.maxLength')}
        value={one.max === undefined ? '' : String(one.max)}
        max={6}
        write={(text) => change({ max: countOr(text) })}
        fault={undefined}
      />
      <LineField
        label={t('console.product.pattern')}
        value={one.pattern ?? ''}
        max={1_000}
        write={(text) => change({ pattern: textOr(text) })}
        fault={undefined}
      />
      <LineField
        label={t('console.product.example')}
        value={one.placeholder ?? ''}
        max={200}
        write={(text) => change({ placeholder: textOr(text) })}
        fault={undefined}
      />
    </>
  )
}

/** Options a line each: what is sent, and behind a mark what is shown. */
function OptionLines({ one, change }: RulesProps) {
  const t = useT()
  const [typed, setTyped] = useState(() =>
    (one.options ?? [])
      .map(({ value, label }) => (value === label ? value : `${value} = ${label}`))
      .join('\n'),
  )
  return (
    <TextField
      label={t('console.product.options')}
      hint={t('console.product.optionsHint')}
      rows={5}
      max={40_000}
      value={typed}
      write={(text) => {
        setTyped(text)
        const options = text
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== '')
          .map((line) => {
            const [value = '', ...rest] = line.split('=')
            const label = rest.join('=').trim()
            return { value: value.trim(), label: label === '' ? value.trim() : label }
          })
        change({ options })
      }}
      fault={undefined}
    />
  )
}
