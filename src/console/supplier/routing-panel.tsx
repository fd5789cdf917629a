import { useState } from 'react'
import type { RouteCriterion } from '#features/supply/routing/rules.ts'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Icon } from '#ui/icon.tsx'
import { Fault } from '../kit/fault.tsx'
import { Choice, LineField } from '../kit/fields.tsx'
import { Pager } from '../kit/pager.tsx'
import { Thumb } from '../kit/thumb.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { supplierName } from '../kit/supplier-name.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { Criteria } from '../suppliers/criteria.tsx'
import { RuleButtons } from '../suppliers/rule-buttons.tsx'
import { useT } from '../words.tsx'
import { Asked, type Waits } from './asked.tsx'
import { OfferForm } from './offer-form.tsx'
import type { OpenItem, RoutingView } from './routing.ts'

/** What is bought there; an item that is opened shows everybody who sells it, in the order in which they are asked. */
export function RoutingPanel({
  code,
  shown,
}: {
  readonly code: string
  readonly shown: RoutingView
}) {
  const t = useT()
  return (
    <>
      {shown.open && (
        <Item key={shown.open.code} code={code} open={shown.open} mayPrice={shown.mayPrice} />
      )}
      <section className="panel flush" aria-labelledby="offers">
        <div className="panel-h">
          <h2 id="offers">{t('console.supplier.bought')}</h2>
        </div>
        <form className="row wrapx panel-h" action={`${CONSOLE_PATH}/suppliers/${code}`}>
          <input type="hidden" name="view" value="routing" />
          <label className="field grow">
            <span className="sr">{t('console.supplier.itemCode')}</span>
            <input
              className="input"
              name="q"
              type="search"
              defaultValue={shown.search}
              placeholder={t('console.supplier.itemCode')}
              maxLength={160}
            />
          </label>
          <button type="submit" className="btn edge">
            <Icon name="search" />
            {t('console.keys.searchGo')}
          </button>
        </form>
        {shown.rows.length === 0 ? (
          <div className="empty">
            <h3>{t('console.supplier.nothing')}</h3>
            <p>{t('console.supplier.boughtNone')}</p>
          </div>
        ) : (
          <Offers code={code} shown={shown} />
        )}
        <Pager next={shown.nextPage} />
      </section>
      {shown.mayPrice && <OfferForm code={code} currencies={shown.currencies} />}
    </>
  )
}

function Offers({ code, shown }: { readonly code: string; readonly shown: RoutingView }) {
  const t = useT()
  return (
    <div className="scrollx line-t" tabIndex={0}>
      <table className="fold">
        <thead>
          <tr>
            <th>{t('console.supplier.item')}</th>
            <th className="c1">{t('console.suppliers.theirs')}</th>
            <th className="num">{t('console.suppliers.cost')}</th>
            <th className="num">{t('console.supplier.price')}</th>
            <th className="c1 num">{t('console.suppliers.nav')}</th>
            <th>{t('console.orders.state')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.rows.map((row) => (
            <tr key={row.item}>
              <td className="t">
                <a
                  className="go"
                  href={`${CONSOLE_PATH}/suppliers/${code}?view=routing&item=${row.item}`}
                >
                  <span dir="auto">{row.name}</span>
                </a>
                <span className="sub">
                  <bdi className="mono">{row.item}</bdi>
                </span>
              </td>
              <td className="c1">
                <bdi className="mono small">{row.theirs}</bdi>
              </td>
              <td className="num a">
                <bdi className="money">{row.cost}</bdi>
              </td>
              <td className="num m">
                <bdi className="money">{row.price}</bdi>
              </td>
              <td className="c1 num">{row.suppliers}</td>
              <td className="s">
                <span className={row.isOn ? 'st done' : 'st gone'}>
                  {t(row.isOn ? 'console.supplier.offerOn' : 'console.supplier.offerOff')}
                </span>
                {row.hasRule && <span className="badge">{t('console.supplier.ownRule')}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface Route {
  readonly next: 'offer' | 'later' | 'too_dear' | 'none'
  readonly supplier: string | null
  readonly offers: readonly { readonly supplier: string }[]
}

interface TriedRoute {
  readonly before: Route
  readonly after: Route
}

interface Held {
  readonly rule: readonly RouteCriterion[] | null
  readonly loss_basis_points: number | null
}

const nameOf = (code: string | null) => (code === null ? '' : supplierName(code))

function useNextText() {
  const t = useT()
  return ({ next, supplier }: Pick<Route, 'next' | 'supplier'>) =>
    next === 'offer'
      ? nameOf(supplier)
      : t(`console.supplier.next.${next}`, { supplier: nameOf(supplier) })
}

function Item({
  code,
  open,
  mayPrice,
}: {
  readonly code: string
  readonly open: OpenItem
  readonly mayPrice: boolean
}) {
  const t = useT()
  const nextText = useNextText()
  return (
    <div className="g2 half">
      <section className="panel stack" aria-labelledby="route">
        <h2 id="route" className="row">
          <Thumb picture={open.picture} />
          <span dir="auto">{open.name}</span>
        </h2>
        <ol className="pick-l">
          {open.offers.map((offer, place) => (
            <li key={offer.supplier} className="row between">
              <span className="row wrapx">
                <b>
                  {place + 1}. <bdi>{supplierName(offer.supplier)}</bdi>
                </b>
                {offer.not !== null && (
                  <span className="badge warn">{t(`console.supplier.not.${offer.not}`)}</span>
                )}
              </span>
              <span className="row num small">
                <bdi className="money">{offer.cost}</bdi>
                <span className="muted">
                  {t('console.suppliers.p50')} {offer.p50}
                </span>
              </span>
            </li>
          ))}
        </ol>
        <section className="fx">
          <h3>{t('console.supplier.nextUnit')}</h3>
          <ul>
            <li>
              <b>{nextText(open)}</b>
              <small>
                {t('console.supplier.whyRule', {
                  rule: open.rule.map((one) => t(`console.suppliers.criterion.${one}`)).join(' → '),
                })}
              </small>
            </li>
            <li>
              <span>{t('console.supplier.price')}</span>
              <bdi className="money">{open.price}</bdi>
            </li>
          </ul>
        </section>
        {mayPrice && <Withdraw code={code} item={open.code} />}
      </section>
      {mayPrice && <Rule open={open} />}
    </div>
  )
}

/** Changes how one item goes: tried first, with what would be another then, and taken back by one press. */
function Rule({ open }: { readonly open: OpenItem }) {
  const t = useT()
  const attempt = useAttempt()
  const [rule, setRule] = useState<readonly RouteCriterion[]>(open.ownRule ?? [])
  const [loss, setLoss] = useState(open.ownLoss === null ? '' : String(open.ownLoss / 100))
  const [effect, setEffect] = useState<TriedRoute | null>(null)
  const [last, setLast] = useState<Held | null>(null)
  const [isWaiting, setIsWaiting] = useState(false)
  const body = {
    item: open.code,
    rule: rule.length === 0 ? null : rule,
    loss_basis_points: loss.trim() === '' ? null : Math.round(Number(loss.replace(',', '.')) * 100),
  }
  async function set(given: Held): Promise<void> {
    const before = await attempt.run(() =>
      callConsole<Held & Waits>('suppliers/route/set', { item: open.code, ...given }),
    )
    if (!before) return
    const { waits_for_approval: waits, ...held } = before
    setIsWaiting(waits !== null)
    setLast(waits === null ? held : null)
    setEffect(null)
    refreshPage()
  }
  return (
    <form
      className="panel stack"
      onSubmit={(event) => {
        event.preventDefault()
        void (effect
          ? set({ rule: body.rule, loss_basis_points: body.loss_basis_points })
          : attempt
              .run(() => callConsole<TriedRoute>('suppliers/route/preview', body))
              .then(setEffect))
      }}
    >
      <h2>{t('console.supplier.itemRule')}</h2>
      <Criteria
        rule={rule}
        write={(next) => {
          setRule(next)
          setEffect(null)
        }}
      />
      <LineField
        label={t('console.suppliers.loss')}
        hint={t('console.supplier.asShop')}
        value={loss}
        max={6}
        write={(value) => {
          setLoss(value)
          setEffect(null)
        }}
        fault={attempt.fields['loss_basis_points']}
      />
      {open.source !== null && <Source open={open} />}
      {effect && <RouteEffect effect={effect} />}
      {isWaiting && <Asked />}
      <Fault text={attempt.fault ?? attempt.fields['rule'] ?? null} />
      <RuleButtons
        isTried={effect !== null}
        isBusy={attempt.isBusy}
        disabled={false}
        takeBack={last === null ? null : () => void set(last)}
      />
    </form>
  )
}

function RouteEffect({ effect }: { readonly effect: TriedRoute }) {
  const t = useT()
  const nextText = useNextText()
  return (
    <section className="fx" aria-live="polite">
      <h3>
        {t('console.effect')}
        <span>{t('console.acts.notYet')}</span>
      </h3>
      <ul>
        {(['before', 'after'] as const).map((when) => (
          <li key={when}>
            <span>{t(`console.supplier.${when}`)}</span>
            <b>{nextText(effect[when])}</b>
            <small>
              <bdi>
                {effect[when].offers.map(({ supplier }) => supplierName(supplier)).join(' → ')}
              </bdi>
            </small>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Source({ open }: { readonly open: OpenItem }) {
  const t = useT()
  const attempt = useAttempt()
  return (
    <>
      <Choice
        label={t('console.supplier.source')}
        value={open.source ?? 'both'}
        options={(['stock', 'order', 'both'] as const).map((value) => ({
          value,
          text: t(`console.supplier.source.${value}`),
        }))}
        choose={(source) =>
          void attempt
            .run(() => callConsole('suppliers/source', { item: open.code, source }))
            .then((done) => done && refreshPage())
        }
      />
      <Fault text={attempt.fault} />
    </>
  )
}

function Withdraw({ code, item }: { readonly code: string; readonly item: string }) {
  const t = useT()
  const attempt = useAttempt()
  const [isWaiting, setIsWaiting] = useState(false)
  return (
    <details>
      <summary className="link">{t('console.supplier.withdraw')}</summary>
      <div className="stack-2">
        <div className="fx">
          <h3>{t('console.effect')}</h3>
          <p>{t('console.supplier.withdrawText')}</p>
        </div>
        <Fault text={attempt.fault} />
        {isWaiting && <Asked />}
        <button
          type="button"
          className="btn bad"
          disabled={attempt.isBusy}
          onClick={() =>
            void attempt
              .run(() => callConsole<Waits>('suppliers/offers/withdraw', { supplier: code, item }))
              .then((done) => {
                setIsWaiting(done !== null && done.waits_for_approval !== null)
                if (done) refreshPage()
              })
          }
        >
          {t('console.supplier.withdraw')}
        </button>
      </div>
    </details>
  )
}
