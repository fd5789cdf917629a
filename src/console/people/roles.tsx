import { useId } from 'react'
import { permissionName } from '../kit/permission-name.ts'
import { useConsoleWords } from '../words.tsx'
import type { PeopleData, RoleColumn } from './load.ts'

const CENTS = 100

/** Every role beside every permission; the names of permissions are those of calls and of the audit. */
export function Roles({
  data: { roles, permissions, isOwner },
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
            {permissions.map((permission) => (
              <tr key={permission}>
                <th scope="row">
                  {permissionName(t, permission)}
                  <bdi className="sub mono">{permission}</bdi>
                </th>
                {roles.map((role) => (
                  <td key={role.code}>
                    <Cell role={role} permission={permission} />
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

function Cell({ role, permission }: { readonly role: RoleColumn; readonly permission: string }) {
  const { t, language } = useConsoleWords()
  if (!role.permissions.some((one) => one === permission))
    return (
      <span className="no">
        <span aria-hidden="true">–</span>
        <span className="sr">{t('console.people.no')}</span>
      </span>
    )
  const limit = role.limits[permission]
  if (limit === undefined || limit === null)
    return (
      <span>
        <span aria-hidden="true">✓</span>
        <span className="sr">{t('console.people.yes')}</span>
      </span>
    )
  const amount = new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: 2,
    minimumFractionDigits: 0,
  }).format(Number(limit) / CENTS)
  return <small>{t('console.people.upTo', { amount })}</small>
}
