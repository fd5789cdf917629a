import { useId, type FormEvent } from 'react'
import { Labelled } from '../kit/labelled.tsx'
import type { Attempt } from '../kit/use-attempt.ts'
import { permissionName } from '../kit/permission-name.ts'
import { useT } from '../words.tsx'
import type { PeopleData, RoleColumn } from './load.ts'
import type { Act } from './page.tsx'

const CENTS = 100

/** A role of the shop's own: its name, what it may do, and how much of what is limited. */
export function RoleEditor({
  data: { permissions, limited },
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
      limits: chosen.filter(isLimited).map((one) => ({
        permission: one,
        usd_minor: centsOf(String(form.get(`limit ${one}`) ?? '')),
      })),
    })
  }
  const fault = attempt.fields['name'] ?? attempt.fields['permissions'] ?? attempt.fields['code']
  return (
    <section className="panel stack" aria-labelledby={`${id}-h`}>
      <h2 id={`${id}-h`}>{role ? role.name : t('console.people.newRole')}</h2>
      <form className="stack" onSubmit={send}>
        <RoleName id={id} role={role} fault={fault} />
        <Permissions role={role} permissions={permissions} isLimited={isLimited} />
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
}: {
  readonly role: RoleColumn | null
  readonly permissions: PeopleData['permissions']
  readonly isLimited: (one: string) => boolean
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
              <label className="row limit">
                <span className="small">{t('console.people.limit')}</span>
                <input
                  className="input"
                  name={`limit ${one}`}
                  inputMode="decimal"
                  pattern="\d{1,9}([.,]\d{1,2})?"
                  defaultValue={dollarsOf(role?.limits[one])}
                />
              </label>
            )}
          </div>
        ))}
      </div>
    </fieldset>
  )
}

const dollarsOf = (cents: string | null | undefined): string =>
  cents === null || cents === undefined ? '' : String(Number(cents) / CENTS)

/** Empty is no limit. */
function centsOf(typed: string): string | null {
  const text = typed.trim().replace(',', '.')
  return text === '' ? null : String(Math.round(Number(text) * CENTS))
}
