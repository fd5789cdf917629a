import { LineField, TextField } from '../kit/fields.tsx'
import { useField } from '../product/editor.tsx'
import { Field, FieldNotes } from '../product/field.tsx'
import { Languages } from '../product/languages.tsx'
import { setAt } from '../product/set-at.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { EntryData } from './load.ts'
import { Remove } from './remove.tsx'

/** Fields of each kind in the order of the form; those of several lines and choices take the whole row. */
const SHORT = {
  category: ['name', 'parent', 'position'],
  game: ['name', 'publisher', 'category', 'released', 'popularity', 'hot'],
  region: ['name', 'position'],
  platform: ['name', 'position'],
  brand: ['name', 'publisher', 'game', 'unit', 'minutes', 'released', 'popularity', 'check', 'hot'],
} as const
const WIDE = {
  category: [],
  game: ['platforms', 'aliases'],
  region: [],
  platform: [],
  brand: ['categories', 'platforms', 'aliases'],
} as const

/** What an entry is, which languages have its name, and what belongs to it. */
export function EntryFacts({ data }: { readonly data: EntryData }) {
  const t = useT()
  const { entry, list } = data
  const subject = entry.subject as keyof typeof SHORT
  // The roots of the shop's categories are part of none.
  const short = SHORT[subject].filter(
    (name) => name !== 'parent' || entry.values['parent'] !== null,
  )
  return (
    <div className="g2 dp">
      <div className="stack">
        <section className="panel stack-2">
          <div className="row between wrapx">
            <h2>{t('console.product.view.facts')}</h2>
            <span className="hint">
              <bdi className="mono">{entry.code}</bdi>
            </span>
          </div>
          <div className="facts">
            {short.map((name) => (
              <Field key={name} goods={entry} name={name} />
            ))}
            {WIDE[subject].map((name) => (
              <div className="wide" key={name}>
                <Field goods={entry} name={name} />
              </div>
            ))}
          </div>
        </section>
        {list === 'operators' && <Recharge data={data} />}
        <BelowPanel data={data} />
      </div>
      <aside className="stack">
        {data.status !== null && (
          <section className="panel stack-2">
            <h2>{t('console.orders.state')}</h2>
            <Field goods={entry} name="status" />
          </section>
        )}
        <Languages />
        {data.mayChange && <Remove data={data} />}
      </aside>
    </div>
  )
}

interface RechargeValue {
  readonly calling_code?: string
  readonly prefixes?: readonly string[]
  readonly prefixes_note?: string
}

/** Whose numbers an operator's are: by how they begin. */
function Recharge({ data: { entry } }: { readonly data: EntryData }) {
  const t = useT()
  const field = useField(entry, 'recharge')
  if (!field) return null
  const value = (field.shown ?? {}) as RechargeValue
  const write = (path: readonly string[], to: unknown) => field.write(setAt(field.shown, path, to))
  return (
    <section className="panel stack-2">
      <div className="row between wrapx">
        <h2>{t('console.product.field.recharge')}</h2>
        <bdi className="hint mono">{value.calling_code}</bdi>
      </div>
      <fieldset className="stack-2 bare" disabled={!field.spec.isOpen}>
        <TextField
          label={t('console.lists.prefixes')}
          hint={t('console.settings.oneALine')}
          rows={4}
          max={4_000}
          value={field.typed ?? (value.prefixes ?? []).join('\n')}
          write={(text) => {
            const lines = text.split('\n').map((line) => line.trim())
            const prefixes = lines.filter((line) => line !== '')
            field.write({ ...value, prefixes }, text)
          }}
          fault={field.fault}
        />
        <LineField
          label={t('console.lists.prefixesNote')}
          value={value.prefixes_note ?? ''}
          max={300}
          write={(text) => write(['prefixes_note'], text === '' ? null : text)}
          fault={undefined}
        />
      </fieldset>
      <FieldNotes goods={entry} name="recharge" field={field} />
    </section>
  )
}

function BelowPanel({ data: { below, isMoreBelow } }: { readonly data: EntryData }) {
  const t = useT()
  return (
    <section className="panel stack-2">
      <h2>{t('console.lists.below')}</h2>
      {below.length === 0 && <p className="hint">{t('console.lists.belowNone')}</p>}
      <ul className="chosen">
        {below.map(({ of, code, name, path }) => (
          <li key={`${of} ${code}`}>
            <a className="link" href={CONSOLE_PATH + path}>
              <bdi>{name}</bdi>
            </a>
          </li>
        ))}
        {isMoreBelow && <li aria-hidden="true">…</li>}
      </ul>
    </section>
  )
}
