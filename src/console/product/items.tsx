import { State } from '../kit/state.tsx'
import { Cell } from '../products/cell.tsx'
import type { TypedField } from '../products/edits.ts'
import { fieldText } from '../products/field-text.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { supplierName } from '../kit/supplier-name.ts'
import { useT } from '../words.tsx'
import { majorText } from './amount-fields.tsx'
import { useEditor, useField } from './editor.tsx'
import { Field, Meeting } from './field.tsx'
import type { ItemView } from './items-view.ts'
import type { ProductData } from './load.ts'

const TYPED: readonly TypedField[] = ['price', 'market', 'cost', 'stock', 'position']

/** What of a product is bought: prices, cost, stock and place as a table; all else of an item opens below it. */
export function Items() {
  const t = useT()
  const { data } = useEditor()
  const opened = data.items.find(({ code }) => code === data.item)
  const columns = TYPED.filter((field) => field !== 'cost' || data.mayWhy)
  return (
    <>
      <section className="panel flush" aria-label={t('console.product.view.items')}>
        {data.items.length === 0 ? (
          <div className="empty">
            <h2>{t('console.products.none')}</h2>
          </div>
        ) : (
          <div className="scrollx">
            <table className="goods per-item">
              <thead>
                <tr>
                  <th>{t('console.products.item')}</th>
                  <th className="num">{fieldText(t, 'face')}</th>
                  {columns.map((field) => (
                    <th key={field} className="num">
                      {fieldText(t, field)}
                    </th>
                  ))}
                  <th>{t('console.orders.state')}</th>
                </tr>
              </thead>
              <tbody>
                {data.items.map((item, row) => (
                  <Row key={item.code} {...{ item, row, columns }} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </section>
      {opened && <Opened key={opened.code} item={opened} />}
    </>
  )
}

interface RowProps {
  readonly item: ItemView
  readonly row: number
  readonly columns: readonly TypedField[]
}

function useItemName(item: ItemView): string {
  const { edits } = useEditor()
  const edit = edits.of(item.code, 'name')
  return String(edit ? edit.to : item.values['name'])
}

function Row({ item, row, columns }: RowProps) {
  const t = useT()
  const { data } = useEditor()
  const name = useItemName(item)
  const face = item.values['face'] as { minor: string; currency: string } | null
  const isOpened = data.item === item.code
  const query = isOpened ? 'view=items' : `view=items&item=${encodeURIComponent(item.code)}`
  return (
    <tr className={isOpened ? 'on' : undefined}>
      <td className="t">
        <a
          className="link"
          aria-expanded={isOpened}
          href={`${CONSOLE_PATH}/products/${data.code}?${query}`}
        >
          <bdi>{name}</bdi>
        </a>
        <small className="by">
          {item.offers
            .filter(({ isOn }) => isOn)
            .map(({ supplier }) => supplierName(supplier))
            .join(' → ')}
        </small>
      </td>
      <td className={face ? 'num' : 'num none'} data-label={fieldText(t, 'face')}>
        {face ? (
          <bdi className="money">
            {majorText(face.minor, data.digits[face.currency] ?? 0, data.mark)} {face.currency}
          </bdi>
        ) : (
          '–'
        )}
      </td>
      {columns.map((field, column) => (
        <td className="num" key={field} data-label={fieldText(t, field)}>
          <Figure {...{ item, row, column, field, name }} />
        </td>
      ))}
      <td data-label={t('console.orders.state')}>
        <OnOff item={item} name={name} />
      </td>
    </tr>
  )
}

/** As it is typed. */
function figureText(
  value: unknown,
  { digits, mark }: Pick<ProductData, 'digits' | 'mark'>,
): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  const { minor, currency } = value as { minor: string; currency: string }
  return majorText(minor, digits[currency] ?? 0, mark)
}

function Figure({
  item,
  row,
  column,
  field: name,
  name: itemName,
}: {
  readonly item: ItemView
  readonly row: number
  readonly column: number
  readonly field: TypedField
  readonly name: string
}) {
  const t = useT()
  const { data, edits } = useEditor()
  const field = useField(item, name)
  if (!field) return null
  const { code } = item
  const textOf = (value: unknown) => figureText(value, data)
  const start = textOf(field.value)
  const unit = field.value as { currency?: string } | null
  const currency = unit?.currency ? <bdi className="cur">{unit.currency}</bdi> : null
  if (!field.spec.isOpen)
    return (
      <>
        {start || '–'} {currency}
      </>
    )
  const edit = edits.of(code, name)
  const from = edit ? edit.from : field.value
  return (
    <span className="fig">
      <Cell
        label={t('console.products.cell', { field: fieldText(t, name), name: itemName })}
        row={row}
        column={column}
        start={start}
        shown={edit ? edit.text || textOf(edit.to) : start}
        isDirty={edit !== undefined}
        fault={field.fault ?? null}
        write={(text) => {
          if (text.trim() === start) edits.drop(code, name)
          else if (text.trim() === '' && name !== 'price' && name !== 'position')
            edits.set({ code, field: name, from, to: null })
          else void edits.type({ code, field: name, from, text })
        }}
        revert={() => edits.drop(code, name)}
        paste={(text) => void pasteInto(text, name)}
      />
      {currency}
      <Meeting subject="item" code={code} name={name} />
    </span>
  )

  /** The lines of a copied table go to the items from this one on, its columns to the fields from this one on. */
  function pasteInto(text: string, first: TypedField) {
    const codes = data.items.slice(row).map((one) => one.code)
    const columns = TYPED.slice(TYPED.indexOf(first))
    return edits.paste(
      text,
      codes,
      columns,
      (of, at) => data.items.find((one) => one.code === of)?.values[at],
    )
  }
}

function OnOff({ item, name }: { readonly item: ItemView; readonly name: string }) {
  const t = useT()
  const field = useField(item, 'status')
  if (!field) return null
  const isOn = field.shown === 'active'
  const text = t(isOn ? 'console.products.on' : 'console.products.off')
  if (!field.spec.isOpen) return <State look={isOn ? 'done' : 'gone'} text={text} />
  return (
    <label className={field.isDirty ? 'onoff dirty' : 'onoff'}>
      <input
        type="checkbox"
        role="switch"
        aria-label={t('console.products.cell', { field: t('console.products.on'), name })}
        checked={isOn}
        onChange={(event) => field.write(event.target.checked ? 'active' : 'suspended')}
      />
      {field.isDirty ? <b>{text}</b> : <State look={isOn ? 'done' : 'gone'} text={text} />}
    </label>
  )
}

const FIGURES: Readonly<Record<string, readonly string[]>> = {
  pack: ['units', 'bonus'],
  value: ['face'],
  airtime: ['face', 'free_amount'],
  data: ['data_mb', 'days'],
  pass: ['days'],
  membership: ['days'],
  plan: ['days'],
}

/** All else of one item, who delivers it, and how its price comes about. */
function Opened({ item }: { readonly item: ItemView }) {
  const t = useT()
  const { data } = useEditor()
  const name = useItemName(item)
  const fields = ['name', ...(FIGURES[item.kind ?? ''] ?? []), 'reference']
  return (
    <section className="panel stack-2" aria-label={name}>
      <div className="row between wrapx">
        <h2>
          <bdi>{name}</bdi> <bdi className="mono small">{item.code}</bdi>
        </h2>
        <a className="btn ghost sm" href={`${CONSOLE_PATH}/products/${data.code}?view=items`}>
          {t('console.acts.close')}
        </a>
      </div>
      <div className="facts">
        {fields.map((field) => (
          <Field key={field} goods={item} name={field} />
        ))}
        <Field goods={item} name="prices" />
        <Field goods={item} name="levels" />
        <Field goods={item} name="buyer_countries" />
        <Field goods={item} name="blocked_countries" />
      </div>
      <dl className="dl">
        <dt>{t('console.keys.is.delivered')}</dt>
        <dd>{item.sold}</dd>
        {item.free !== null && (
          <>
            <dt>{t('console.products.stock')}</dt>
            <dd>
              <a className="link" href={`${CONSOLE_PATH}/keys/${encodeURIComponent(item.code)}`}>
                {t('console.products.keys', { count: item.free })}
              </a>
            </dd>
          </>
        )}
        <dt>{t('console.suppliers.nav')}</dt>
        <dd>
          {item.offers.length === 0 ? (
            t('console.product.noSupply')
          ) : (
            <ol className="offers">
              {item.offers.map(({ supplier, cost, isOn }) => (
                <li key={supplier}>
                  <a className="link" href={`${CONSOLE_PATH}/suppliers/${supplier}?view=routing`}>
                    <bdi>{supplierName(supplier)}</bdi>
                  </a>{' '}
                  {cost !== null && <bdi className="money">{cost}</bdi>}{' '}
                  {!isOn && <small>{t('console.products.off')}</small>}
                </li>
              ))}
            </ol>
          )}
        </dd>
      </dl>
      {data.mayWhy && (
        <div>
          <a
            className="btn edge sm"
            href={`${CONSOLE_PATH}/prices/why?item=${encodeURIComponent(item.code)}`}
          >
            {t('console.prices.why')}
          </a>
        </div>
      )}
    </section>
  )
}
