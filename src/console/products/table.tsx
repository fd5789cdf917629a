import { CONSOLE_PATH } from '../routes.ts'
import { State } from '../kit/state.tsx'
import { Thumb } from '../kit/thumb.tsx'
import { supplierName } from '../kit/supplier-name.ts'
import { useT } from '../words.tsx'
import { Cell } from './cell.tsx'
import { GRID_FIELDS, type Edits, type GridField } from './edits.ts'
import type { ProductsData } from './load.ts'
import { moveTo, wayOf } from './moving.ts'
import type { ItemRow, ProductRows } from './rows.ts'

interface TableProps {
  readonly data: ProductsData
  readonly edits: Edits
  readonly chosen: ReadonlySet<string>
  readonly choose: (codes: readonly string[], isChosen: boolean) => void
  /** Takes a copied table that begins at a cell. */
  readonly paste: (text: string, row: number, field: GridField) => void
}

const COLUMNS = 9

/** Items under their products; what is edited stands in its cell, marked, until it is saved. */
export function Table(props: TableProps) {
  const t = useT()
  const { data } = props
  let at = 0
  return (
    <div className="scrollx">
      <table className="fold goods">
        <thead>
          <tr>
            <th className="sel">
              <span className="sr">{t('console.orders.select')}</span>
            </th>
            <th>{t('console.products.item')}</th>
            <th className="num c2">{t('console.products.cost')}</th>
            <th className="num c3">{t('console.home.show.margin')}</th>
            <th className="num">{t('console.products.price')}</th>
            <th className="num c3">{t('console.products.stock')}</th>
            <th className="num c1">{t('console.products.position')}</th>
            <th className="c1">{t('console.products.supply')}</th>
            <th>{t('console.orders.state')}</th>
          </tr>
        </thead>
        {data.groups.map((group) => {
          const first = at
          at += group.items.length
          return <Group key={group.product} {...props} group={group} first={first} />
        })}
      </table>
    </div>
  )
}

function Group({
  group,
  first,
  ...props
}: TableProps & { readonly group: ProductRows; readonly first: number }) {
  const t = useT()
  const codes = group.items.map(({ code }) => code)
  const isWhole = codes.every((code) => props.chosen.has(code))
  return (
    <tbody>
      <tr className="grp">
        <td className="sel">
          {props.data.mayChange && (
            <input
              type="checkbox"
              aria-label={t('console.products.selectAll', { name: group.name })}
              checked={isWhole}
              onChange={(event) => props.choose(codes, event.target.checked)}
            />
          )}
        </td>
        <td colSpan={COLUMNS - 1} className="t">
          <span className="row">
            <Thumb picture={group.picture} />
            <a className="link" href={`${CONSOLE_PATH}/products/${group.product}`}>
              <b>
                <bdi>{group.name}</bdi>
              </b>
            </a>
            <bdi className="mono hide-s">{group.product}</bdi>
          </span>
        </td>
      </tr>
      {group.items.map((item, index) => (
        <Row key={item.code} {...props} item={item} row={first + index} />
      ))}
    </tbody>
  )
}

function Row({
  item,
  row,
  data,
  edits,
  chosen,
  choose,
  paste,
}: TableProps & { readonly item: ItemRow; readonly row: number }) {
  const t = useT()
  return (
    <tr className={chosen.has(item.code) ? 'on' : undefined}>
      <td className="sel">
        {data.mayChange && (
          <input
            type="checkbox"
            aria-label={`${t('console.orders.select')} ${item.name}`}
            checked={chosen.has(item.code)}
            onChange={(event) => choose([item.code], event.target.checked)}
          />
        )}
      </td>
      <td className="t">
        <bdi>{item.name}</bdi>{' '}
        <a
          className="hist"
          href={`${CONSOLE_PATH}/products?${new URLSearchParams({ ...data.filters, history: item.code }).toString()}`}
        >
          {t('console.products.history')}
          <span className="sr"> {item.name}</span>
        </a>
        {item.locked.length > 0 && <small> {t('console.products.isLocked')}</small>}
      </td>
      <td className="num c2">
        <small className="money">{item.cost ?? '–'}</small>
      </td>
      <td className={item.isBelowCost ? 'num c3 down' : 'num c3'}>{item.margin ?? '–'}</td>
      <td className="num a">
        <Figure
          {...{ item, row, edits, paste }}
          field="price"
          isOpen={data.mayPrice && data.mayChange}
        />
      </td>
      <td className="num c3">
        <Figure {...{ item, row, edits, paste }} field="stock" isOpen={data.mayChange} />
        {item.free !== null && <small> {t('console.products.keys', { count: item.free })}</small>}
      </td>
      <td className="num c1">
        <Figure {...{ item, row, edits, paste }} field="position" isOpen={data.mayChange} />
      </td>
      <td className="c1">
        <small>
          <bdi>{item.supplier === null ? '–' : supplierName(item.supplier)}</bdi>
        </small>
      </td>
      <td className="s">
        <OnOff item={item} row={row} edits={edits} isOpen={data.mayChange} />
      </td>
    </tr>
  )
}

/** What a field of the list is before anybody edits it: as it is typed, and as calls say it. */
function startOf(
  item: ItemRow,
  field: GridField,
): { readonly text: string; readonly value: unknown } {
  if (field === 'price') return { text: item.priceText, value: item.price }
  const value = field === 'stock' ? item.stock : item.position
  return { text: value === null ? '' : String(value), value }
}

export const fromOfItem = (item: ItemRow, field: string): unknown =>
  field === 'status'
    ? item.isOn
      ? 'active'
      : 'suspended'
    : GRID_FIELDS.includes(field as GridField)
      ? startOf(item, field as GridField).value
      : undefined

function Figure({
  item,
  row,
  field,
  edits,
  paste,
  isOpen,
}: Pick<TableProps, 'edits' | 'paste'> & {
  readonly item: ItemRow
  readonly row: number
  readonly field: GridField
  readonly isOpen: boolean
}) {
  const t = useT()
  const start = startOf(item, field)
  const unit = field === 'price' ? <bdi className="cur">{item.price.currency}</bdi> : null
  if (!isOpen)
    return (
      <>
        {start.text || '–'} {unit}
      </>
    )
  const edit = edits.of(item.code, field)
  return (
    <span className="fig">
      <Cell
        label={t('console.products.cell', {
          field: t(`console.products.${field}`),
          name: item.name,
        })}
        row={row}
        column={GRID_FIELDS.indexOf(field)}
        start={start.text}
        shown={edit ? edit.text || plainText(edit.to, start.text) : start.text}
        isDirty={edit !== undefined}
        fault={edit?.fault ?? null}
        write={(text) => {
          const from = start.value
          if (text.trim() === start.text) edits.drop(item.code, field)
          else if (text.trim() === '' && field === 'stock')
            edits.set({ code: item.code, field, from, to: null })
          else void edits.type({ code: item.code, field, from, text })
        }}
        revert={() => edits.drop(item.code, field)}
        paste={(text) => paste(text, row, field)}
      />
      {unit}
    </span>
  )
}

/** What was pasted as it is typed; an amount needs its digits, which the price beside it has. */
function plainText(to: unknown, like: string): string {
  if (typeof to === 'number') return String(to)
  if (typeof to !== 'object' || to === null || !('minor' in to)) return ''
  const mark = /[.,]/.exec(like)?.[0] ?? ''
  const places = mark === '' ? 0 : like.length - like.indexOf(mark) - 1
  const digits = String(to.minor).padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}${mark}${digits.slice(-places)}`
}

function OnOff({
  item,
  row,
  edits,
  isOpen,
}: Pick<TableProps, 'edits'> & {
  readonly item: ItemRow
  readonly row: number
  readonly isOpen: boolean
}) {
  const t = useT()
  const edit = edits.of(item.code, 'status')
  const isOn = edit ? edit.to === 'active' : item.isOn
  const column = GRID_FIELDS.length
  if (!isOpen) return <State look={item.look} text={item.state} />
  return (
    <label className={edit ? 'onoff dirty' : 'onoff'}>
      <input
        type="checkbox"
        role="switch"
        aria-label={t('console.products.cell', {
          field: t('console.products.on'),
          name: item.name,
        })}
        checked={isOn}
        data-cell={`${row} ${column}`}
        onKeyDown={(event) => {
          const way = wayOf(event, true)
          if (!way) return
          event.preventDefault()
          moveTo(row + way.rows, column + way.columns)
        }}
        onChange={(event) =>
          edits.set({
            code: item.code,
            field: 'status',
            from: item.isOn ? 'active' : 'suspended',
            to: event.target.checked ? 'active' : 'suspended',
          })
        }
      />
      {edit ? (
        <b>{t(isOn ? 'console.products.on' : 'console.products.off')}</b>
      ) : (
        <State look={item.look} text={item.state} />
      )}
    </label>
  )
}
