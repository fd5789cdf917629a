import { useId } from 'react'
import { moneyText } from '../kit/money-text.ts'
import { shareText } from '../kit/share.ts'
import { permissionName } from '../kit/permission-name.ts'
import { useConsoleWords } from '../words.tsx'
import type { PeopleData, RoleColumn } from './load.ts'

const TOTALS = ['day', 'order'] as const

/** Every role beside every permission; the names of permissions are those of calls and of the audit. */
export function Roles({
  data: { roles, permissions, currency, isOwner },
  onEdit,
}: {
  readonly data: PeopleData
  readonly onEdit: (code: string | null) => void
}) {
  const { t } = useConsoleWords()
  const heading = useId()
  return (
    <section className="panel flush" aria-labelledby={heading}>
      <div className="panel-h">
        <h2 id={heading}>{t('console.people.roles')}</h2>
        <p>{t('console.people.rolesLead')}</p>
        {isOwner && (
          <button type="button" className="btn edge sm" onClick={() => onEdit(null)}>
            {t('console.people.newRole')}
          </button>
        )}
      </div>
      <div className="scrollx line-t" tabIndex={0} role="group" aria-labelledby={heading}>
        <table className="matrix">
          <thead>
            <tr>
              <th scope="col">{t('console.people.permission')}</th>
              {roles.map((role) => (
                <th key={role.code} scope="col">
                  <span dir="auto">{role.name}</span>
                  {isOwner && role.isOwn && (
                    <button
                      type="button"
                      className="btn ghost sm"
                      onClick={() => onEdit(role.code)}
                    >
                      {t('console.people.change')} <span className="sr">{role.name}</span>
                    </button>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Totals roles={roles} currency={currency} />
            {permissions.map((permission) => (
              <tr key={permission}>
                <th scope="row">
                  {permissionName(t, permission)}
                  <bdi className="sub mono">{permission}</bdi>
                </th>
                {roles.map((role) => (
                  <td key={role.code}>
                    <Cell role={role} permission={permission} currency={currency} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** How much a role may give by whatever means. */
function Totals({
  roles,
  currency,
}: {
  readonly roles: readonly RoleColumn[]
  readonly currency: Currency
}) {
  const { t } = useConsoleWords()
  return TOTALS.map((total) => (
    <tr key={total}>
      <th scope="row" className="small">
        {t(`console.people.total.${total}`)}
      </th>
      {roles.map((role) => (
        <td key={role.code}>
          <Most limit={role.totals[total]} currency={currency} />
        </td>
      ))}
    </tr>
  ))
}

type Currency = PeopleData['currency']

/** How much a role may give by whatever means. */
function Most({ limit, currency }: { readonly limit: string | null; readonly currency: Currency }) {
  const { t, language } = useConsoleWords()
  if (limit === null) return <small>{t('console.people.noLimit')}</small>
  const amount = moneyText(language, limit, currency.code, currency.places)
  return <small>{t('console.people.upTo', { amount })}</small>
}

function Cell({
  role,
  permission,
  currency,
}: {
  readonly role: RoleColumn
  readonly permission: string
  readonly currency: Currency
}) {
  const { t, language } = useConsoleWords()
  if (!role.permissions.some((one) => one === permission))
    return (
      <span className="no">
        <span aria-hidden="true">–</span>
        <span className="sr">{t('console.people.no')}</span>
      </span>
    )
  if (permission === 'price.change' && role.priceLimit !== null)
    return (
      <small>
        {t('console.people.upTo', { amount: `± ${shareText(language, role.priceLimit)}` })}
      </small>
    )
  const limit = role.limits[permission]
  if (limit === undefined || limit === null)
    return (
      <span>
        <span aria-hidden="true">✓</span>
        <span className="sr">{t('console.people.yes')}</span>
      </span>
    )
  return <Most limit={limit} currency={currency} />
}
