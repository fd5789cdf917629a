import { useId } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Choice, LineField, TextField } from '../kit/fields.tsx'
import { Labelled } from '../kit/labelled.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { fieldText } from '../products/field-text.ts'
import { useT } from '../words.tsx'
import { AmountField, AmountsField, IntegerField, RangeField } from './amount-fields.tsx'
import { ChosenField } from './chosen-field.tsx'
import { useShared, useField, type EditedField } from './editor.tsx'
import type { GoodsData, Named } from './load.ts'

interface FieldProps {
  readonly goods: GoodsData
  readonly name: string
}

interface LabelledProps extends FieldProps {
  /** Where it is not called by its own name. */
  readonly label?: string
}

/** A field of goods: what it takes by its kind, whether somebody changed it, whether imports leave it alone. */
export function Field({ goods, name, label: given }: LabelledProps) {
  const t = useT()
  const field = useField(goods, name)
  if (!field) return null
  const label = given ?? fieldText(t, name)
  return (
    <div className={field.isDirty ? 'fld dirty' : 'fld'}>
      {field.spec.isOpen ? (
        <Input {...{ goods, name, label, field }} />
      ) : (
        <ReadOnly label={label} field={field} />
      )}
      <FieldNotes {...{ goods, name, field }} />
    </div>
  )
}

/** What is said below a field: who changed it meanwhile, that it is changed, that it is locked. */
export function FieldNotes({
  goods,
  name,
  field,
}: FieldProps & { readonly field: Pick<EditedField, 'isDirty' | 'spec'> }) {
  const t = useT()
  const isLocked = goods.locked.includes(field.spec.lock)
  return (
    <>
      <Meeting subject={goods.subject} code={goods.code} name={name} />
      {field.isDirty && <p className="hint by">{t('console.settings.byYou')}</p>}
      {isLocked && !field.isDirty && (
        <Locked goods={goods} name={name} mayFree={field.spec.isOpen} />
      )}
    </>
  )
}

/** Somebody else has changed the same: both are told, and one is chosen. */
export function Meeting({
  subject,
  code,
  name,
}: {
  readonly subject: GoodsData['subject']
  readonly code: string
  readonly name: string
}) {
  const t = useT()
  const { edits, saving } = useShared()
  const conflict = saving.conflictAt({ subject, code, field: name })
  const edit = edits.of(code, name, subject)
  if (!conflict || !edit) return null
  return (
    <div className="note warn meet" role="alert">
      <p>
        {t('console.products.effect.conflict')} <b dir="auto">{conflict.present_text}</b>
      </p>
      <div className="row wrapx">
        <button
          type="button"
          className="btn edge sm"
          onClick={() => {
            edits.drop(code, name, subject)
            refreshPage()
          }}
        >
          {t('console.products.save.takeTheirs')}
        </button>
        <button
          type="button"
          className="btn edge sm"
          onClick={() => edits.set({ ...edit, from: conflict.present })}
        >
          {t('console.settings.keepMine')}
        </button>
      </div>
    </div>
  )
}

/** Imports and syncs leave the field alone, until somebody frees it. */
function Locked({ goods, name, mayFree }: FieldProps & { readonly mayFree: boolean }) {
  const t = useT()
  const attempt = useAttempt()
  const { subject, code } = goods
  async function free() {
    const given = { subject, code, fields: [name], locked: false }
    if (await attempt.run(() => callConsole('goods/lock', given))) refreshPage()
  }
  return (
    <p className="hint lockd">
      {t('console.products.isLocked')}
      {mayFree && (
        <button
          type="button"
          className="as-link"
          disabled={attempt.isBusy}
          onClick={() => void free()}
        >
          {t('console.products.unlock')}
          <span className="sr"> {fieldText(t, name)}</span>
        </button>
      )}
      {attempt.fault !== null && <span className="down">{attempt.fault}</span>}
    </p>
  )
}

function ReadOnly({ label, field }: { readonly label: string; readonly field: EditedField }) {
  const { value } = field
  const text =
    value === null || value === undefined
      ? '–'
      : typeof value === 'object'
        ? Object.values(value).join(', ')
        : String(value)
  return (
    <div className="field">
      <span className="lbl">{label}</span>
      <bdi>{text}</bdi>
    </div>
  )
}

interface InputProps extends FieldProps {
  readonly label: string
  readonly field: EditedField
}

function Input(props: InputProps) {
  const { goods, name, label, field } = props
  switch (field.spec.kind) {
    case 'integer':
      return <IntegerField label={label} field={field} />
    case 'money':
      return <AmountField goods={goods} label={label} field={field} name={name} />
    case 'amounts':
    case 'levels':
      return <AmountsField goods={goods} label={label} field={field} />
    case 'range':
      return <RangeField goods={goods} label={label} field={field} />
    case 'flag':
      return <Flag label={label} field={field} />
    case 'choice':
    case 'code':
      return <OneOf {...props} />
    case 'countries':
    case 'codes':
      return <Several {...props} />
    case 'texts':
      return <Lines label={label} field={field} />
    default:
      return <Words name={name} label={label} field={field} />
  }
}

const TEXT_MAX = 4_000
const LONG: ReadonlySet<string> = new Set(['lock_note', 'seo_description'])
/** Search engines show no more. */
const MOST: Readonly<Record<string, number>> = { seo_title: 120, seo_description: 320 }

function Words({ name, label, field }: Pick<InputProps, 'name' | 'label' | 'field'>) {
  const given = {
    label,
    value: field.shown === null ? '' : String(field.shown),
    max: MOST[name] ?? (LONG.has(name) ? TEXT_MAX : 200),
    write: (text: string) => field.write(text === '' ? null : text),
    fault: field.fault,
  }
  return LONG.has(name) ? <TextField {...given} rows={3} /> : <LineField {...given} />
}

function Lines({ label, field }: Pick<InputProps, 'label' | 'field'>) {
  const t = useT()
  const lines = Array.isArray(field.shown) ? (field.shown as readonly string[]) : []
  return (
    <TextField
      label={label}
      hint={t('console.settings.oneALine')}
      rows={3}
      max={TEXT_MAX}
      value={field.typed ?? lines.join('\n')}
      write={(text) => {
        const said = text
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== '')
        field.write(said.length === 0 ? null : said, text)
      }}
      fault={field.fault}
    />
  )
}

function Flag({ label, field }: Pick<InputProps, 'label' | 'field'>) {
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={field.shown === true}
        onChange={(event) => field.write(event.target.checked)}
      />
      <span>{label}</span>
    </label>
  )
}

/** Fields that always say something. */
const NEEDED: ReadonlySet<string> = new Set(['status', 'region', 'lock', 'check', 'parent'])

function OneOf({ name, label, field }: InputProps) {
  const t = useT()
  const { data } = useShared()
  const options = optionsOf(name, data.choices, field.spec.choices, t)
  const shown = field.shown === null ? '' : String(field.shown)
  const isKnown = options.some(({ value }) => value === shown)
  const id = useId()
  const all = [
    ...(NEEDED.has(name) && shown !== '' ? [] : [{ value: '', text: '–' }]),
    ...(isKnown || shown === '' ? [] : [{ value: shown, text: shown }]),
    ...options,
  ]
  if (!field.fault)
    return (
      <Choice
        label={label}
        value={shown}
        options={all}
        choose={(to) => field.write(to === '' ? null : to)}
      />
    )
  return (
    <Labelled id={id} label={label} fault={field.fault}>
      <select
        className="input"
        id={id}
        value={shown}
        aria-invalid
        aria-describedby={`${id}-fault`}
        onChange={(event) => field.write(event.target.value === '' ? null : event.target.value)}
      >
        {all.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

type Options = readonly { readonly value: string; readonly text: string }[]

function optionsOf(
  name: string,
  choices: Readonly<Record<string, readonly Named[]>>,
  own: readonly string[],
  t: ReturnType<typeof useT>,
): Options {
  if (name === 'status')
    return own.map((value) => ({
      value,
      text: t(value === 'active' ? 'console.products.on' : 'console.products.off'),
    }))
  if (name === 'lock' || name === 'check')
    return own.map((value) => ({ value, text: t(`console.product.${name}.${value}` as never) }))
  const of = name === 'face_currency' ? 'currency' : name
  return (choices[of] ?? []).map(({ code, name: text }) => ({ value: code, text }))
}

function Several({ name, label, field }: InputProps) {
  const t = useT()
  const { data } = useShared()
  const of = name === 'platforms' ? 'platform' : name === 'categories' ? 'category' : 'country'
  return (
    <ChosenField
      label={label}
      // Nothing chosen of where goods may be sold is everywhere.
      none={
        name === 'countries' || name === 'buyer_countries' ? t('console.method.allCountries') : '–'
      }
      options={data.choices[of] ?? []}
      field={field}
    />
  )
}
