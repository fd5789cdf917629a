import { useState } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { LineField } from '../kit/fields.tsx'
import { Pager } from '../kit/pager.tsx'
import { Thumb } from '../kit/thumb.tsx'
import { useAttempt, type Attempt } from '../kit/use-attempt.ts'
import { Views } from '../kit/views.tsx'
import { useT } from '../words.tsx'
import type { CatalogueRow, CatalogueView } from './catalogue.ts'
import { Modes } from './modes.tsx'

const LISTS = ['jumps', 'matches', 'draft', 'unmatched', 'mapped', 'excluded', 'gone'] as const
const keyOf = ({ product, face }: Pick<CatalogueRow, 'product' | 'face'>) => `${product}\n${face}`

/** What a supplier lists, by what is to be done about it: single, or several that were chosen at once. */
export function Listings({
  code,
  shown,
}: {
  readonly code: string
  readonly shown: CatalogueView
}) {
  const t = useT()
  const attempt = useAttempt()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  // What was done is still said where nothing is left of the list.
  const [done, setDone] = useState<number | null>(null)
  const picked = shown.rows.filter((row) => chosen.has(keyOf(row)))
  const isDeciding = shown.list === 'jumps' ? shown.mayPrice : shown.mayProduct
  return (
    <section className="panel flush" aria-labelledby="listed">
      <div className="panel-h">
        <h2 id="listed">{t('console.supplier.listed')}</h2>
        <p>{t(`console.supplier.listText.${shown.list}`)}</p>
      </div>
      <Views
        views={LISTS.map((name) => ({
          name,
          text: t(`console.supplier.list.${name}`),
          count: shown.counts[name] || null,
          isUrgent: name === 'jumps',
        }))}
        label={t('console.supplier.listed')}
        current={shown.list}
        address={(list) => `/suppliers/${code}?view=catalogue&list=${list}`}
      />
      {shown.rows.length === 0 ? (
        <div className="empty">
          <h3>{t('console.supplier.nothing')}</h3>
        </div>
      ) : (
        <Table code={code} shown={shown} chosen={chosen} setChosen={setChosen} />
      )}
      {isDeciding && (shown.rows.length > 0 || done !== null) && (
        <Decisions {...{ code, shown, picked, attempt, done, setDone }} />
      )}
      <Pager next={shown.nextPage} />
    </section>
  )
}

function Table({
  code,
  shown,
  chosen,
  setChosen,
}: {
  readonly code: string
  readonly shown: CatalogueView
  readonly chosen: ReadonlySet<string>
  readonly setChosen: (chosen: ReadonlySet<string>) => void
}) {
  const t = useT()
  const choose = (row: CatalogueRow, is: boolean) => {
    const next = new Set(chosen)
    if (is) next.add(keyOf(row))
    else next.delete(keyOf(row))
    setChosen(next)
  }
  return (
    <div className="scrollx line-t" tabIndex={0}>
      <table className="fold">
        <thead>
          <tr>
            <th className="sel">
              <input
                type="checkbox"
                aria-label={t('console.supplier.selectAll')}
                checked={shown.rows.every((row) => chosen.has(keyOf(row)))}
                onChange={(event) =>
                  setChosen(new Set(event.target.checked ? shown.rows.map(keyOf) : []))
                }
              />
            </th>
            <th>{t('console.suppliers.theirs')}</th>
            <th>{t('console.suppliers.ours')}</th>
            {shown.list === 'jumps' ? (
              <JumpHeads />
            ) : (
              <>
                <th className="num">{t('console.suppliers.cost')}</th>
                <th className="c1">{t('console.supplier.syncs')}</th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {shown.rows.map((row) => (
            <Row
              key={keyOf(row)}
              code={code}
              row={row}
              shown={shown}
              isChosen={chosen.has(keyOf(row))}
              choose={(is) => choose(row, is)}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function JumpHeads() {
  const t = useT()
  return (
    <>
      <th className="c2 num">{t('console.supplier.costBefore')}</th>
      <th className="num">{t('console.supplier.costNow')}</th>
      <th className="num">{t('console.supplier.movedBy')}</th>
      <th className="c1 num">{t('console.supplier.price')}</th>
      <th className="num">{t('console.supplier.margin')}</th>
    </>
  )
}

function Row({
  code,
  row,
  shown,
  isChosen,
  choose,
}: {
  readonly code: string
  readonly row: CatalogueRow
  readonly shown: CatalogueView
  readonly isChosen: boolean
  readonly choose: (is: boolean) => void
}) {
  const t = useT()
  return (
    <tr className={isChosen ? 'on' : undefined}>
      <td className="sel">
        <input
          type="checkbox"
          aria-label={t('console.supplier.select', { name: row.name || row.product })}
          checked={isChosen}
          onChange={(event) => choose(event.target.checked)}
        />
      </td>
      <td className="t">
        <span dir="auto">{row.name || row.product}</span>
        <span className="sub">
          <bdi className="mono">{row.product}</bdi> <bdi>{row.face}</bdi> <bdi>{row.country}</bdi>
        </span>
        {row.isLocked && <span className="badge">{t('console.supplier.locked')}</span>}
      </td>
      <td className="m">
        <Ours code={code} row={row} mayMap={shown.mayProduct && shown.list === 'unmatched'} />
      </td>
      {shown.list === 'jumps' ? (
        <Jump row={row} />
      ) : (
        <>
          <td className="num a">
            <bdi className="money">{row.cost}</bdi>
          </td>
          <td className="c1">
            <Modes code={code} row={row} mayChange={shown.mayProduct} />
          </td>
        </>
      )}
    </tr>
  )
}

function Jump({ row }: { readonly row: CatalogueRow }) {
  return (
    <>
      <td className="c2 num">
        <bdi className="money">{row.cost}</bdi>
      </td>
      <td className="num a">
        <bdi className="money">{row.heldText}</bdi>
      </td>
      <td className="num s">
        <b className={row.isDearer ? 'down' : undefined}>{row.moved}</b>
      </td>
      <td className="c1 num">
        <bdi className="money">{row.price}</bdi>
      </td>
      <td className="num">
        <span className={row.isLoss ? 'badge bad' : undefined}>{row.margin ?? '–'}</span>
      </td>
    </>
  )
}

/** Our item, as it was found; where there is none, it is said here. */
function Ours({
  code,
  row,
  mayMap,
}: {
  readonly code: string
  readonly row: CatalogueRow
  readonly mayMap: boolean
}) {
  const t = useT()
  if (row.itemName === null) return mayMap ? <MapForm code={code} row={row} /> : '–'
  return (
    <span className="row">
      <Thumb picture={row.picture} />
      <span dir="auto">
        {row.itemName}
        {row.score !== null && (
          <small className="sub">{t('console.money.score', { score: String(row.score) })}</small>
        )}
      </span>
    </span>
  )
}

/** Says which of our items a product is. */
function MapForm({ code, row }: { readonly code: string; readonly row: CatalogueRow }) {
  const t = useT()
  const attempt = useAttempt()
  const [item, setItem] = useState('')
  return (
    <form
      className="row wrapx"
      onSubmit={(event) => {
        event.preventDefault()
        void attempt
          .run(() =>
            callConsole('suppliers/listings/map', {
              supplier: code,
              product: row.product,
              face: row.face,
              item,
            }),
          )
          .then((done) => done && refreshPage())
      }}
    >
      <LineField
        label={t('console.supplier.itemCode')}
        value={item}
        max={160}
        write={setItem}
        fault={attempt.fields['item'] ?? attempt.fault ?? undefined}
        required
      />
      <button type="submit" className="btn edge sm" disabled={attempt.isBusy}>
        {t('console.supplier.map')}
      </button>
    </form>
  )
}

/** What can be done with those that were chosen, with its effect in the button's name. */
function Decisions({
  code,
  shown: { list },
  picked,
  attempt,
  done,
  setDone,
}: {
  readonly code: string
  readonly shown: CatalogueView
  readonly picked: readonly CatalogueRow[]
  readonly attempt: Attempt
  /** How many were decided last. */
  readonly done: number | null
  readonly setDone: (count: number) => void
}) {
  const t = useT()
  const count = picked.length
  const act = (path: string, body: Readonly<Record<string, unknown>>) =>
    void attempt
      .run(() => callConsole<{ count: number }>(path, { supplier: code, ...body }))
      .then((answer) => {
        if (!answer) return
        setDone(answer.count)
        refreshPage()
      })
  const acts = actsOf(list, picked)
  return (
    <div className="foot-l stack-2">
      {list === 'jumps' && <p className="hint">{t('console.supplier.jumpsEffect')}</p>}
      <Fault text={attempt.fault ?? Object.values(attempt.fields)[0] ?? null} />
      <p role="status">
        {done === null || count > 0
          ? t('console.supplier.selected', { count: String(count) })
          : t('console.supplier.doneFor', { count: String(done) })}
      </p>
      <span className="row wrapx">
        {acts.map(({ name, path, body }, at) => (
          <button
            key={name}
            type="button"
            className={at === 0 && name !== 'exclude' ? 'btn solid' : 'btn edge'}
            disabled={attempt.isBusy || count === 0}
            onClick={() => act(path, body)}
          >
            {t(`console.supplier.${name}`)}
          </button>
        ))}
      </span>
    </div>
  )
}

interface ListAct {
  readonly name: 'approve' | 'refuse' | 'confirm' | 'publish' | 'exclude' | 'include'
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

/** What can be done with those of a list that were chosen. */
function actsOf(list: CatalogueView['list'], picked: readonly CatalogueRow[]): readonly ListAct[] {
  const listings = picked.map(({ product, face }) => ({ product, face }))
  const costs = picked.flatMap(({ product, face, held }) =>
    held ? [{ product, face, amount_minor: held.minor, currency: held.currency }] : [],
  )
  const exclude = (is: boolean): ListAct => ({
    name: is ? 'exclude' : 'include',
    path: 'suppliers/listings/exclude',
    body: { listings, is_excluded: is },
  })
  switch (list) {
    case 'jumps':
      return [
        { name: 'approve', path: 'suppliers/jumps/approve', body: { costs } },
        { name: 'refuse', path: 'suppliers/jumps/refuse', body: { costs } },
      ]
    case 'matches': {
      const found = picked.map(({ product, face, item }) => ({ product, face, item }))
      const confirm = { path: 'suppliers/matches/confirm', body: { listings: found } }
      return [{ name: 'confirm', ...confirm }, exclude(true)]
    }
    case 'draft': {
      const body = { items: picked.map(({ item }) => item) }
      return [{ name: 'publish', path: 'suppliers/drafts/publish', body }, exclude(true)]
    }
    case 'excluded':
      return [exclude(false)]
    case 'gone':
      return []
    default:
      return [exclude(true)]
  }
}
