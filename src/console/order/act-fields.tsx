import type { MessageKey } from '#platform/i18n/keys.ts'
import { Choice, TextField } from '../kit/fields.tsx'
import type { Attempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { Chosen } from './act-panel.tsx'
import type { OrderData } from './load.ts'

const REASONS = ['goodwill', 'faulty', 'not_delivered', 'mistake', 'duplicate', 'other'] as const

/** What was filled in of an act; each act takes its own part of it. */
export interface Form {
  readonly units: readonly string[]
  readonly to: 'original' | 'store_credit'
  readonly reason: string
  readonly text: string
  readonly outcome: 'delivered' | 'failed'
  readonly kind: string
}

export function formOf(data: OrderData, chosen: Chosen): Form {
  return {
    units:
      chosen.act === 'refund'
        ? data.units.filter(({ isRefundable }) => isRefundable).map(({ id }) => id)
        : [],
    to: 'original',
    reason: REASONS[0],
    text: '',
    outcome: 'failed',
    kind: data.mails.at(-1)?.kind ?? '',
  }
}

/** Acts that give back, where the way is chosen. */
const WAYS: ReadonlySet<string> = new Set(['refund', 'repeat', 'return_money'])

interface FieldsProps {
  readonly data: OrderData
  readonly act: Chosen['act']
  readonly form: Form
  readonly setForm: (form: Form) => void
  readonly attempt: Attempt
}

/** What an act takes: most take nothing, or a text. */
export function Fields({ data, act, form, setForm, attempt }: FieldsProps) {
  const set = (changes: Partial<Form>) => setForm({ ...form, ...changes })
  const text = TEXTS[act]
  return (
    <>
      {act === 'refund' && <Units data={data} form={form} set={set} />}
      {WAYS.has(act) && <Way form={form} set={set} />}
      {act === 'accept_money' && <Way form={form} set={set} label="console.acts.leftover" />}
      {act === 'refund' && <Reason form={form} set={set} />}
      {act === 'doubt' && <Outcome form={form} set={set} />}
      {act === 'send_mail' && <Mail data={data} form={form} set={set} />}
      {text && <Words text={text} form={form} set={set} attempt={attempt} />}
    </>
  )
}

interface PartProps {
  readonly form: Form
  readonly set: (changes: Partial<Form>) => void
}

function Units({ data, form, set }: PartProps & { readonly data: OrderData }) {
  const t = useT()
  return (
    <fieldset className="pick-l">
      <legend className="sr">{t('console.order.units')}</legend>
      {data.units
        .filter(({ isRefundable }) => isRefundable)
        .map((unit) => (
          <label key={unit.id}>
            <input
              type="checkbox"
              checked={form.units.includes(unit.id)}
              onChange={(event) =>
                set({
                  units: event.target.checked
                    ? [...form.units, unit.id]
                    : form.units.filter((id) => id !== unit.id),
                })
              }
            />
            <span>
              <b>
                <bdi>{unit.goods}</bdi>
              </b>
              <small>
                {unit.price}, {unit.state}
              </small>
            </span>
          </label>
        ))}
    </fieldset>
  )
}

function Way({
  form,
  set,
  label = 'console.acts.to',
}: PartProps & { readonly label?: 'console.acts.to' | 'console.acts.leftover' }) {
  const t = useT()
  return (
    <Choice
      label={t(label)}
      value={form.to}
      options={(['original', 'store_credit'] as const).map((value) => ({
        value,
        text: t(`console.acts.way.${value}`),
      }))}
      choose={(to) => set({ to: to as Form['to'] })}
    />
  )
}

function Reason({ form, set }: PartProps) {
  const t = useT()
  return (
    <Choice
      label={t('console.reason')}
      value={form.reason}
      options={REASONS.map((value) => ({ value, text: t(`console.acts.why.${value}`) }))}
      choose={(reason) => set({ reason })}
    />
  )
}

function Outcome({ form, set }: PartProps) {
  const t = useT()
  return (
    <Choice
      label={t('console.acts.arrived')}
      value={form.outcome}
      options={(['delivered', 'failed'] as const).map((value) => ({
        value,
        text: t(`console.acts.outcome.${value}`),
      }))}
      choose={(outcome) => set({ outcome: outcome as Form['outcome'] })}
    />
  )
}

/** A kind of mail that was sent more than once is offered once. */
function Mail({ data, form, set }: PartProps & { readonly data: OrderData }) {
  const t = useT()
  const kinds = new Map(data.mails.map((mail) => [mail.kind, mail.text]))
  return (
    <Choice
      label={t('console.order.mails')}
      value={form.kind}
      options={[...kinds].map(([value, text]) => ({ value, text }))}
      choose={(kind) => set({ kind })}
    />
  )
}

interface ActText {
  readonly label: MessageKey
  readonly max: number
  /** The name the server knows it by, where it says what is wrong with it. */
  readonly field: string
}

const TEXTS: Readonly<Partial<Record<Chosen['act'], ActText>>> = {
  note: { label: 'console.acts.text', max: 2_000, field: 'text' },
  refuse: { label: 'console.reason', max: 500, field: 'note' },
  release: { label: 'console.reason', max: 500, field: 'note' },
  replace: { label: 'console.reason', max: 500, field: 'reason' },
  doubt: { label: 'console.acts.proof', max: 200, field: 'proof' },
}

function Words({
  text: { label, max, field },
  form,
  set,
  attempt,
}: PartProps & { readonly text: ActText; readonly attempt: Attempt }) {
  const t = useT()
  return (
    <TextField
      label={t(label)}
      max={max}
      value={form.text}
      write={(text) => set({ text })}
      fault={attempt.fields[field]}
    />
  )
}
