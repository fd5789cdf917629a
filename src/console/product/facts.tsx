import { useId, type ReactNode } from 'react'
import { Icon } from '#ui/icon.tsx'
import { LineField } from '../kit/fields.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { fieldText } from '../products/field-text.ts'
import { supplierName } from '../kit/supplier-name.ts'
import { useT } from '../words.tsx'
import { Address } from './address.tsx'
import { useEditor, useField } from './editor.tsx'
import { Field, FieldNotes } from './field.tsx'
import { Languages } from './languages.tsx'
import { setAt } from './set-at.ts'

/** What a product and its brand are: where they work, who may buy them, how they are found. */
export function Facts() {
  const t = useT()
  const { data } = useEditor()
  const { brand, product } = data
  const isRedeemed = data.delivery === 'card_key' || brand.values['redeem'] !== null
  return (
    <div className="g2 dp">
      <div className="stack">
        <Panel title={t('console.orders.filter.product')} hint={product.code}>
          {['region', 'region_name', 'lock', 'position', 'face_currency', 'min_age', 'minutes'].map(
            (name) => (
              <Field key={name} goods={product} name={name} />
            ),
          )}
          <div className="wide">
            <Field goods={product} name="countries" />
          </div>
          <div className="wide">
            <Field goods={product} name="lock_note" />
          </div>
          <div className="wide">
            <Field goods={product} name="free_amount" />
          </div>
        </Panel>
        <Panel title={t('console.product.seo')} hint={t('console.product.seoHint')}>
          <div className="wide">
            <Field goods={product} name="seo_title" />
          </div>
          <div className="wide">
            <Field goods={product} name="seo_description" />
          </div>
        </Panel>
        <Panel title={t('console.home.by.brand')} hint={t('console.product.brandHint')}>
          {['name', 'publisher', 'game', 'unit', 'minutes', 'released', 'popularity', 'check'].map(
            (name) => (
              <Field key={name} goods={brand} name={name} />
            ),
          )}
          <Field goods={brand} name="hot" />
          <div className="wide">
            <Field goods={brand} name="categories" />
          </div>
          <div className="wide">
            <Field goods={brand} name="platforms" />
          </div>
          <div className="wide">
            <Field goods={brand} name="aliases" />
          </div>
        </Panel>
        {isRedeemed && <Redeem />}
      </div>
      <aside className="stack">
        <Publish />
        <Address />
        <Languages />
        <Supply />
      </aside>
    </div>
  )
}

function Panel({
  title,
  hint,
  children,
}: {
  readonly title: string
  readonly hint: string
  readonly children: ReactNode
}) {
  return (
    <section className="panel stack-2">
      <div className="row between wrapx">
        <h2>{title}</h2>
        <span className="hint">{hint}</span>
      </div>
      <div className="facts">{children}</div>
    </section>
  )
}

/** Whether it is sold, and how it comes to whoever buys it. */
function Publish() {
  const t = useT()
  const { data } = useEditor()
  return (
    <section className="panel stack-2">
      <h2>{t('console.products.on')}</h2>
      <Field goods={data.product} name="status" label={t('console.orders.filter.product')} />
      <Field goods={data.brand} name="status" label={t('console.home.by.brand')} />
      <dl className="dl">
        <dt>{t('console.product.delivery')}</dt>
        <dd>{t(`console.product.delivery.${data.delivery}` as never)}</dd>
        <dt>{t('console.product.field.countries')}</dt>
        <dd>{countriesText(data, t)}</dd>
      </dl>
    </section>
  )
}

function countriesText(
  { product, choices }: ReturnType<typeof useEditor>['data'],
  t: ReturnType<typeof useT>,
): string {
  const codes = product.values['countries']
  if (!Array.isArray(codes)) return t('console.method.allCountries')
  const names = codes.map(
    (code) => choices.country.find((one) => one.code === code)?.name ?? String(code),
  )
  return names.length > 6
    ? `${names.slice(0, 6).join(', ')} +${names.length - 6}`
    : names.join(', ')
}

/** Who delivers the items, each with how many of them. */
function Supply() {
  const t = useT()
  const { data } = useEditor()
  const counts = new Map<string, number>()
  for (const { offers } of data.items)
    for (const { supplier, isOn } of offers)
      if (isOn) counts.set(supplier, (counts.get(supplier) ?? 0) + 1)
  return (
    <section className="panel stack-2">
      <h2>{t('console.products.supply')}</h2>
      {counts.size === 0 && <p className="hint">{t('console.product.noSupply')}</p>}
      <ul className="stack-2">
        {[...counts].map(([supplier, count]) => (
          <li className="row between small" key={supplier}>
            <a className="link" href={`${CONSOLE_PATH}/suppliers/${supplier}`}>
              <bdi>{supplierName(supplier)}</bdi>
            </a>
            <span className="hint">{t('console.product.itemCount', { count })}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface RedeemValue {
  readonly at?: string
  readonly steps?: readonly string[]
  readonly validity?: string
  readonly key_format?: { readonly type: string; readonly text: string }
}

/** How somebody who has bought it uses it, step by step. */
function Redeem() {
  const t = useT()
  const { data } = useEditor()
  const field = useField(data.brand, 'redeem')
  const heading = useId()
  if (!field) return null
  const value = (field.shown ?? {}) as RedeemValue
  const steps = value.steps ?? []
  const isOpen = field.spec.isOpen
  const write = (path: readonly (string | number)[], to: unknown) =>
    field.write(setAt(field.shown, path, to))
  return (
    <section className="panel stack-2" aria-labelledby={heading}>
      <h2 id={heading}>{fieldText(t, 'redeem')}</h2>
      <fieldset className="stack-2 bare" disabled={!isOpen}>
        <LineField
          label={t('console.product.redeemAt')}
          value={value.at ?? ''}
          max={200}
          write={(text) => write(['at'], text === '' ? null : text)}
          fault={undefined}
        />
        <ol className="steps">
          {steps.map((step, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step has no name but its place
            <Step key={index} {...{ index, step, steps, write }} />
          ))}
        </ol>
        <div>
          <button
            type="button"
            className="btn edge sm"
            onClick={() => write(['steps'], [...steps, ''])}
          >
            <Icon name="plus" />
            {t('console.product.add')}
          </button>
        </div>
        <div className="facts">
          <LineField
            label={t('console.product.validity')}
            value={value.validity ?? ''}
            max={200}
            write={(text) => write(['validity'], text === '' ? null : text)}
            fault={undefined}
          />
          {value.key_format && (
            <LineField
              label={t('console.product.keyFormat')}
              value={value.key_format.text}
              max={200}
              write={(text) => write(['key_format', 'text'], text)}
              fault={undefined}
            />
          )}
        </div>
      </fieldset>
      {field.fault !== undefined && (
        <p className="msg" role="alert">
          {field.fault}
        </p>
      )}
      <FieldNotes goods={data.brand} name="redeem" field={field} />
    </section>
  )
}

function Step({
  index,
  step,
  steps,
  write,
}: {
  readonly index: number
  readonly step: string
  readonly steps: readonly string[]
  readonly write: (path: readonly (string | number)[], to: unknown) => void
}) {
  const t = useT()
  const name = t('console.product.stepNumber', { number: index + 1 })
  function moveUp() {
    const moved = [...steps]
    moved.splice(index - 1, 0, ...moved.splice(index, 1))
    write(['steps'], moved)
  }
  return (
    <li className="row">
      <textarea
        className="input"
        rows={2}
        dir="auto"
        maxLength={4_000}
        aria-label={name}
        value={step}
        onChange={(event) => write(['steps', index], event.target.value)}
      />
      <span className="row">
        {index > 0 && (
          <button type="button" className="btn ghost sm" onClick={moveUp}>
            <span aria-hidden="true">↑</span>
            <span className="sr">{t('console.product.moveUp', { name })}</span>
          </button>
        )}
        <button
          type="button"
          className="btn ghost sm"
          onClick={() => {
            const left = steps.filter((_, at) => at !== index)
            write(['steps'], left.length === 0 ? null : left)
          }}
        >
          <Icon name="trash" />
          <span className="sr">{t('console.product.remove', { name })}</span>
        </button>
      </span>
    </li>
  )
}
