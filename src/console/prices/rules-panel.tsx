import { useId, useState } from 'react'
import type { PriceChange } from '#features/office/pricing/schema.ts'
import { State } from '../kit/state.tsx'
import { useT } from '../words.tsx'
import type { RuleRow, RulesView } from './load.ts'
import { Trying, useTrying, type Places } from './trying.tsx'
import { TypedField } from './typed-field.tsx'
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
                <ScopeText names={rule.names} />
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

function ScopeText({ names }: { readonly names: RuleRow['names'] }) {
  const t = useT()
  const named = SCOPES.filter((one) => names[one] !== null)
  if (named.length === 0) return <b>{t('console.prices.everything')}</b>
  return named.map((one, index) => (
    <span key={one}>
      {index > 0 && ' · '}
      {t(SCOPE_NAMES[one])} <bdi>{names[one]}</bdi>
    </span>
  ))
}

type Typed = Readonly<Record<Scope | 'percent' | 'from', string>>

function typedOf(rule: RuleRow | null): Typed {
  return {
    brand: rule?.scope.brand ?? '',
    supplier: rule?.scope.supplier ?? '',
    region: rule?.scope.region ?? '',
    currency: rule?.scope.currency ?? '',
    percent: rule ? shareOf(rule.points) : '',
    from: '',
  }
}

/** What is typed as a change; null while the share is none. */
function changeOf(typed: Typed, rule: RuleRow | null): PriceChange | null {
  const points = pointsOf(typed.percent)
  if (points === null) return null
  return {
    path: 'rule',
    brand: typed.brand || null,
    supplier: typed.supplier || null,
    region: typed.region || null,
    currency: typed.currency || null,
    basis_points: points,
    valid_from: typed.from === '' ? null : new Date(typed.from).toISOString(),
    replaces: rule?.id ?? null,
  }
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
  const heading = useId()
  const [typed, setTyped] = useState(typedOf(rule))
  const change = changeOf(typed, rule)
  const trying = useTrying(change)
  const { fields } = trying.attempt
  const faultOf = (name: string) => fields[name] ?? fields[`change.${name}`]
  const isBad = typed.percent !== '' && change === null
  const of = (name: keyof Typed) => ({
    value: typed[name],
    write: (value: string) => setTyped({ ...typed, [name]: value }),
  })
  return (
    <section className="panel stack" aria-labelledby={heading}>
      <h2 id={heading}>{t(rule ? 'console.people.change' : 'console.prices.newRule')}</h2>
      <div className="row wrapx">
        <TypedField
          {...of('percent')}
          label={t('console.prices.percent')}
          fault={
            isBad ? t('console.prices.fault.percent', { most: '1000' }) : faultOf('basis_points')
          }
        />
        {SCOPES.map((one) => (
          <TypedField
            {...of(one)}
            key={one}
            kind="code"
            label={t(SCOPE_NAMES[one])}
            known={shown.known[one]}
            placeholder={t('console.orders.view.all')}
            disabled={rule !== null}
            fault={faultOf(one)}
          />
        ))}
        <TypedField
          {...of('from')}
          kind="moment"
          label={t('console.exports.from')}
          hint={t('console.prices.fromHint')}
          fault={faultOf('valid_from')}
        />
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
        {t('console.prices.end')} <ScopeText names={rule.names} />
      </h2>
      <Trying change={change} places={places} trying={trying} />
    </section>
  )
}
