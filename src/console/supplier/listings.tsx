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
        current={shown.list}
        address={(list) => `/suppliers/${code}?view=catalogue&list=${list}`}
      />
      {shown.rows.length === 0 ? (
        <div className="empty">
          <h3>{t('console.supplier.nothing')}</h3>
        </div>
      ) : (
        <div className="scrollx line-t" tabIndex={0}>
          <table className="fold">
            <thead>
              <tr>
                <th className="sel">
                  <input
                    type="checkbox"
                    aria-label={t('console.supplier.selectAll')}
                    checked={picked.length === shown.rows.length}
                    onChange={(event) =>
                      setChosen(new Set(event.target.checked ? shown.rows.map(keyOf) : []))
                    }
                  />
                </th>
                <th>{t('console.suppliers.theirs')}</th>
                <th>{t('console.suppliers.ours')}</th>
                {shown.list === 'jumps' && <JumpHeads />}
                {shown.list !== 'jumps' && (
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
                  choose={(is) => {
                    const next = new Set(chosen)
                    if (is) next.add(keyOf(row))
                    else next.delete(keyOf(row))
                    setChosen(next)
                  }}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {isDeciding && shown.rows.length > 0 && (
        <Decisions code={code} shown={shown} picked={picked} attempt={attempt} />
      )}
      <Pager next={shown.nextPage} />
    </section>
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
        {row.itemName === null ? (
          shown.mayProduct && shown.list === 'unmatched' ? (
            <MapForm code={code} row={row} />
          ) : (
            '–'
          )
        ) : (
          <span className="row">
            <Thumb picture={row.picture} />
            <span dir="auto">
              {row.itemName}
              {row.score !== null && (
                <small className="sub">
                  {t('console.money.score', { score: String(row.score) })}
                </small>
              )}
            </span>
          </span>
        )}
      </td>
      {shown.list === 'jumps' ? (
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
        max={100}
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
}: {
  readonly code: string
  readonly shown: CatalogueView
  readonly picked: readonly CatalogueRow[]
  readonly attempt: Attempt
}) {
  const t = useT()
  const [done, setDone] = useState<number | null>(null)
  const count = picked.length
  const act = (path: string, body: Readonly<Record<string, unknown>>) =>
    void attempt
      .run(() => callConsole<{ count: number }>(path, { supplier: code, ...body }))
      .then((answer) => {
        if (!answer) return
        setDone(answer.count)
        refreshPage()
      })
  const listings = picked.map(({ product, face }) => ({ product, face }))
  const costs = picked.flatMap(({ product, face, held }) =>
    held ? [{ product, face, amount_minor: held.minor, currency: held.currency }] : [],
  )
  const button = (text: string, press: () => void, kind: 'solid' | 'edge') => (
    <button
      type="button"
      className={`btn ${kind}`}
      disabled={attempt.isBusy || count === 0}
      onClick={press}
    >
      {text}
    </button>
  )
  return (
    <div className="foot-l stack-2">
      {list === 'jumps' && <p className="hint">{t('console.supplier.jumpsEffect')}</p>}
      <Fault text={attempt.fault ?? Object.values(attempt.fields)[0] ?? null} />
      <p role="status">
        {done === null
          ? t('console.supplier.selected', { count: String(count) })
          : t('console.supplier.doneFor', { count: String(done) })}
      </p>
      <span className="row wrapx">
        {list === 'jumps' && (
          <>
            {button(
              t('console.supplier.approve'),
              () => act('suppliers/jumps/approve', { costs }),
              'solid',
            )}
            {button(
              t('console.supplier.refuse'),
              () => act('suppliers/jumps/refuse', { costs }),
              'edge',
            )}
          </>
        )}
        {list === 'matches' &&
          button(
            t('console.supplier.confirm'),
            () =>
              act('suppliers/matches/confirm', {
                listings: picked.map(({ product, face, item }) => ({ product, face, item })),
              }),
            'solid',
          )}
        {list === 'draft' &&
          button(
            t('console.supplier.publish'),
            () => act('suppliers/drafts/publish', { items: picked.map(({ item }) => item) }),
            'solid',
          )}
        {list !== 'gone' &&
          list !== 'jumps' &&
          button(
            t(list === 'excluded' ? 'console.supplier.include' : 'console.supplier.exclude'),
            () => act('suppliers/listings/exclude', { listings, is_excluded: list !== 'excluded' }),
            'edge',
          )}
      </span>
    </div>
  )
}
