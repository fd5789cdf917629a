import { useId, type FormEvent } from 'react'
import { minorOf } from '../kit/amount.ts'
import { Labelled } from '../kit/labelled.tsx'
import { pointsOf, shareOf } from '../kit/share.ts'
import type { Attempt } from '../kit/use-attempt.ts'
import { permissionName } from '../kit/permission-name.ts'
import { useT } from '../words.tsx'
import type { PeopleData, RoleColumn } from './load.ts'
import type { Act } from './page.tsx'

const TOTALS = ['day', 'order'] as const

type Currency = PeopleData['currency']

/** A role of the shop's own: its name, what it may do, and how much of what is limited. */
export function RoleEditor({
  data: { permissions, limited, currency },
  role,
  attempt,
  act,
  onClose,
}: {
  readonly data: PeopleData
  /** Null for a new one. */
  readonly role: RoleColumn | null
  readonly attempt: Attempt
  readonly act: Act
  readonly onClose: () => void
}) {
  const t = useT()
  const id = useId()
  const isLimited = (one: string) => limited.some((each) => each === one)
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const chosen = permissions.filter((one) => form.has(one))
    void act('team/roles/save', {
      code: role?.code ?? null,
      version: role?.version ?? 0,
      name: String(form.get('name') ?? ''),
      permissions: chosen,
      ...amountsIn(form, chosen.filter(isLimited), currency),
      price_limit: priceLimitIn(form),
    })
  }
  const fault = attempt.fields['name'] ?? attempt.fields['permissions'] ?? attempt.fields['code']
  return (
    <section className="panel stack" aria-labelledby={`${id}-h`}>
      <h2 id={`${id}-h`}>{role ? role.name : t('console.people.newRole')}</h2>
      <form className="stack" onSubmit={send}>
        <RoleName id={id} role={role} fault={fault} />
        <Totals role={role} currency={currency} />
        <Permissions
          role={role}
          permissions={permissions}
          isLimited={isLimited}
          currency={currency}
        />
        <p className="hint">{t('console.people.limitHint')}</p>
        <div className="row wrapx">
          <button type="submit" className="btn solid" disabled={attempt.isBusy}>
            {t('console.people.saveRole')}
          </button>
          {role && (
            <button
              type="button"
              className="btn edge"
              disabled={attempt.isBusy}
              onClick={() =>
                void act('team/roles/delete', { code: role.code, version: role.version })
              }
            >
              {t('console.people.deleteRole')}
            </button>
          )}
          <button type="button" className="btn ghost" onClick={onClose}>
            {t('console.back')}
          </button>
        </div>
      </form>
    </section>
  )
}

/** Nothing is no limit. */
function priceLimitIn(form: FormData): number | null {
  const typed = String(form.get('price limit') ?? '').trim()
  return typed === '' ? null : (pointsOf(typed) ?? 0)
}

/** Amounts as they were typed. Nothing is no limit of a permission, and a total that follows from those. */
function amountsIn(form: FormData, limited: readonly string[], { code, places }: Currency) {
  const minorIn = (name: string): string | null => {
    const typed = String(form.get(name) ?? '').trim()
    return typed === '' ? null : (minorOf(typed, places) ?? '0')
  }
  return {
    limits: limited.map((one) => ({ permission: one, minor: minorIn(`limit ${one}`) })),
    totals: TOTALS.map((total) => ({ total, minor: minorIn(`total ${total}`) })).filter(
      ({ minor }) => minor !== null,
    ),
    currency: code,
  }
}

function RoleName({
  id,
  role,
  fault,
}: {
  readonly id: string
  readonly role: RoleColumn | null
  readonly fault: string | undefined
}) {
  const t = useT()
  return (
    <Labelled id={id} label={t('console.people.roleName')} fault={fault}>
      <input
        className="input"
        id={id}
        name="name"
        defaultValue={role?.name ?? ''}
        maxLength={60}
        required
        autoFocus
      />
    </Labelled>
  )
}

function Permissions({
  role,
  permissions,
  isLimited,
  currency,
}: {
  readonly role: RoleColumn | null
  readonly permissions: PeopleData['permissions']
  readonly isLimited: (one: string) => boolean
  readonly currency: Currency
}) {
  const t = useT()
  return (
    <fieldset className="stack-2">
      <legend className="label">{t('console.people.permission')}</legend>
      <div className="checks">
        {permissions.map((one) => (
          <div key={one}>
            <label className="check">
              <input
                type="checkbox"
                name={one}
                defaultChecked={role?.permissions.includes(one) === true}
              />
              <span>
                {permissionName(t, one)}
                <bdi className="sub mono">{one}</bdi>
              </span>
            </label>
            {isLimited(one) && (
              <AmountField
                name={`limit ${one}`}
                label={t('console.people.limitIn', { currency: currency.code })}
                minor={role?.limits[one]}
                places={currency.places}
              />
            )}
            {one === 'price.change' && <PriceLimit role={role} />}
          </div>
        ))}
      </div>
    </fieldset>
  )
}

/** What a role that nobody has written a limit for may do. */
const USUAL_SHARE = '10'

/** By how far one person may lower or raise a price within a week. */
function PriceLimit({ role }: { readonly role: RoleColumn | null }) {
  const t = useT()
  const isThere = role?.permissions.includes('price.change') === true
  const limit = role?.priceLimit ?? null
  return (
    <label className="row limit">
      <span className="small">{t('console.people.priceLimitIn')}</span>
      <input
        className="input"
        name="price limit"
        inputMode="decimal"
        pattern="\d{1,4}([.,]\d{1,2})?"
        defaultValue={isThere ? (limit === null ? '' : shareOf(limit)) : USUAL_SHARE}
      />
    </label>
  )
}

/** How much of everything that is limited, by whatever means. */
function Totals({
  role,
  currency,
}: {
  readonly role: RoleColumn | null
  readonly currency: Currency
}) {
  const t = useT()
  return (
    <fieldset className="stack-2">
      <legend className="label">{t('console.people.totals', { currency: currency.code })}</legend>
      {TOTALS.map((total) => (
        <AmountField
          key={total}
          name={`total ${total}`}
          label={t(`console.people.total.${total}`)}
          minor={role?.totals[total]}
          places={currency.places}
        />
      ))}
      <p className="hint">{t('console.people.totalsHint')}</p>
    </fieldset>
  )
}

function AmountField({
  name,
  label,
  minor,
  places,
}: {
  readonly name: string
  readonly label: string
  readonly minor: string | null | undefined
  readonly places: number
}) {
  return (
    <label className="row limit">
      <span className="small">{label}</span>
      <input
        className="input"
        name={name}
        inputMode="decimal"
        pattern={places === 0 ? '\\d{1,12}' : `\\d{1,12}([.,]\\d{1,${places}})?`}
        defaultValue={majorOf(minor, places)}
      />
    </label>
  )
}

/** As it is typed: whole units, and the smaller coins behind a point where there are any. */
function majorOf(minor: string | null | undefined, places: number): string {
  if (minor === null || minor === undefined) return ''
  const digits = minor.padStart(places + 1, '0')
  const coins = places === 0 ? '' : digits.slice(-places)
  const whole = places === 0 ? digits : digits.slice(0, -places)
  return /^0*$/.test(coins) ? whole : `${whole}.${coins}`
}
