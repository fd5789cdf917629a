import { useId, useState } from 'react'
import type { PriceChange } from '#features/office/pricing/schema.ts'
import { Labelled } from '../kit/labelled.tsx'
import { State } from '../kit/state.tsx'
import { useT } from '../words.tsx'
import type { RuleRow, RulesView } from './load.ts'
import { Trying, useTrying, type Places } from './trying.tsx'
import { pointsOf, shareOf } from '../kit/share.ts'

const SCOPES = ['brand', 'supplier', 'region', 'currency'] as const
type Scope = (typeof SCOPES)[number]
const SCOPE_NAMES = {
  brand: 'console.home.by.brand',
  supplier: 'console.home.by.supplier',
  region: 'console.prices.region',
  currency: 'console.method.currency',
} as const
const RULE_STATES = {
  in_force: 'console.tax.state.now',
  to_come: 'console.prices.toCome',
  over: 'console.orders.view.ended',
} as const
const LOOKS = { in_force: 'done', to_come: 'pay', over: 'gone' } as const

interface Props {
  readonly shown: RulesView
  readonly places: Places
  readonly mayChange: boolean
}

/** Margin rules in the order in which they win. */
export function Rules({ shown, places, mayChange }: Props) {
  const t = useT()
  const heading = useId()
  const [edited, setEdited] = useState<RuleRow | 'new' | null>(null)
  const [ended, setEnded] = useState<RuleRow | null>(null)
  return (
    <>
      <section className="panel flush" aria-labelledby={heading}>
        <div className="panel-h">
          <h2 id={heading}>{t('console.prices.view.rules')}</h2>
          <p>{t('console.prices.rulesLead')}</p>
          {mayChange && (
            <button
              type="button"
              className="btn edge sm"
              onClick={() => {
                setEnded(null)
                setEdited('new')
              }}
            >
              {t('console.prices.newRule')}
            </button>
          )}
        </div>
        {shown.rules.length === 0 ? (
          <div className="empty">
            <p>{t('console.prices.noRules')}</p>
          </div>
        ) : (
          <Table
            shown={shown}
            mayChange={mayChange}
            onEdit={(rule) => {
              setEnded(null)
              setEdited(rule)
            }}
            onEnd={(rule) => {
              setEdited(null)
              setEnded(rule)
            }}
            label={heading}
          />
        )}
      </section>
      {edited !== null && (
        <RuleForm
          key={edited === 'new' ? 'new' : edited.id}
          shown={shown}
          places={places}
          rule={edited === 'new' ? null : edited}
        />
      )}
      {ended !== null && <End key={ended.id} rule={ended} places={places} />}
    </>
  )
}

function Table({
  shown,
  mayChange,
  onEdit,
  onEnd,
  label,
}: {
  readonly shown: RulesView
  readonly mayChange: boolean
  readonly onEdit: (rule: RuleRow) => void
  readonly onEnd: (rule: RuleRow) => void
  readonly label: string
}) {
  const t = useT()
  return (
    <div className="scrollx line-t" tabIndex={0} role="group" aria-labelledby={label}>
      <table className="fold">
        <thead>
          <tr>
            <th scope="col">{t('console.prices.for')}</th>
            <th scope="col" className="num">
              {t('console.home.show.margin')}
            </th>
            <th scope="col">{t('console.money.since')}</th>
            <th scope="col">{t('console.prices.by')}</th>
            <th scope="col">{t('console.orders.state')}</th>
            <th scope="col">
              <span className="sr">{t('console.system.acts')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.rules.map((rule) => (
            <tr key={rule.id} id={`rule-${rule.id}`}>
              <td className="t">
                <ScopeText scope={rule.scope} />
              </td>
              <td className="num a">
                <bdi>{rule.margin}</bdi>
              </td>
              <td className="m">
                {rule.from}
                {rule.until !== null && ` – ${rule.until}`}
              </td>
              <td className="m">
                <bdi>{rule.by}</bdi>
              </td>
              <td className="s">
                <State look={LOOKS[rule.state]} text={t(RULE_STATES[rule.state])} />
              </td>
              <td className="end">
                {mayChange && rule.state !== 'over' && rule.until === null && (
                  <span className="row">
                    <button type="button" className="btn ghost sm" onClick={() => onEdit(rule)}>
                      {t('console.people.change')}
                    </button>
                    <button type="button" className="btn ghost sm" onClick={() => onEnd(rule)}>
                      {t('console.prices.end')}
                    </button>
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function ScopeText({ scope }: { readonly scope: RuleRow['scope'] }) {
  const t = useT()
  const named = SCOPES.filter((one) => scope[one] !== null)
  if (named.length === 0) return <b>{t('console.prices.everything')}</b>
  return named.map((one, index) => (
    <span key={one}>
      {index > 0 && ' · '}
      {t(SCOPE_NAMES[one])} <bdi className="mono">{scope[one]}</bdi>
    </span>
  ))
}

/** Makes a rule, or puts another in the place of one. */
function RuleForm({
  shown,
  places,
  rule,
}: {
  readonly shown: RulesView
  readonly places: Places
  /** Null for a new one. */
  readonly rule: RuleRow | null
}) {
  const t = useT()
  const id = useId()
  const [scope, setScope] = useState<Readonly<Record<Scope, string>>>({
    brand: rule?.scope.brand ?? '',
    supplier: rule?.scope.supplier ?? '',
    region: rule?.scope.region ?? '',
    currency: rule?.scope.currency ?? '',
  })
  const [percent, setPercent] = useState(rule ? shareOf(rule.points) : '')
  const [from, setFrom] = useState('')
  const points = pointsOf(percent)
  const change: PriceChange | null =
    points === null
      ? null
      : {
          path: 'rule',
          brand: scope.brand || null,
          supplier: scope.supplier || null,
          region: scope.region || null,
          currency: scope.currency || null,
          basis_points: points,
          valid_from: from === '' ? null : new Date(from).toISOString(),
          replaces: rule?.id ?? null,
        }
  const trying = useTrying(change)
  const { fields } = trying.attempt
  return (
    <section className="panel stack" aria-labelledby={`${id}-h`}>
      <h2 id={`${id}-h`}>{t(rule ? 'console.people.change' : 'console.prices.newRule')}</h2>
      <div className="row wrapx">
        <Labelled
          id={`${id}-points`}
          label={t('console.prices.percent')}
          fault={
            percent !== '' && points === null
              ? t('console.prices.fault.percent', { most: '1000' })
              : (fields['basis_points'] ?? fields['change.basis_points'])
          }
        >
          <input
            className="input num"
            id={`${id}-points`}
            dir="ltr"
            inputMode="decimal"
            maxLength={8}
            value={percent}
            onChange={(event) => setPercent(event.target.value)}
          />
        </Labelled>
        {SCOPES.map((one) => (
          <Labelled
            key={one}
            id={`${id}-${one}`}
            label={t(SCOPE_NAMES[one])}
            fault={fields[one] ?? fields[`change.${one}`]}
          >
            <input
              className="input mono"
              id={`${id}-${one}`}
              dir="ltr"
              list={`${id}-${one}-known`}
              maxLength={160}
              placeholder={t('console.orders.view.all')}
              disabled={rule !== null}
              value={scope[one]}
              onChange={(event) => setScope({ ...scope, [one]: event.target.value.trim() })}
            />
            <datalist id={`${id}-${one}-known`}>
              {shown.known[one].map((code) => (
                <option key={code} value={code} />
              ))}
            </datalist>
          </Labelled>
        ))}
        <Labelled
          id={`${id}-from`}
          label={t('console.exports.from')}
          hint={t('console.prices.fromHint')}
          fault={fields['valid_from'] ?? fields['change.valid_from']}
        >
          <input
            className="input"
            id={`${id}-from`}
            type="datetime-local"
            value={from}
            onChange={(event) => setFrom(event.target.value)}
          />
        </Labelled>
      </div>
      <Trying change={change} places={places} trying={trying} />
    </section>
  )
}

function End({ rule, places }: { readonly rule: RuleRow; readonly places: Places }) {
  const t = useT()
  const heading = useId()
  const change = { path: 'rule_end', id: rule.id } as const
  const trying = useTrying(change)
  return (
    <section className="panel stack" aria-labelledby={heading}>
      <h2 id={heading}>
        {t('console.prices.end')} <ScopeText scope={rule.scope} />
      </h2>
      <Trying change={change} places={places} trying={trying} />
    </section>
  )
}
