import { useId } from 'react'
import { State } from '../kit/state.tsx'
import { useT } from '../words.tsx'
import type { PeopleData } from './load.ts'
import type { Act } from './page.tsx'

/** Who was invited and has not come yet. */
export function Invitations({
  data: { invitations, mayManage },
  isBusy,
  act,
}: {
  readonly data: PeopleData
  readonly isBusy: boolean
  readonly act: Act
}) {
  const t = useT()
  const heading = useId()
  if (invitations.length === 0) return null
  return (
    <section className="panel flush scrollx" aria-labelledby={heading}>
      <div className="panel-h">
        <h2 id={heading}>{t('console.people.invitations')}</h2>
      </div>
      <table className="fold line-t">
        <thead>
          <tr>
            <th>{t('console.people.email')}</th>
            <th>{t('console.people.role')}</th>
            <th>{t('console.orders.state')}</th>
            {mayManage && (
              <th>
                <span className="sr">{t('console.people.change')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {invitations.map((one) => (
            <Row key={one.id} one={one} mayManage={mayManage} isBusy={isBusy} act={act} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Row({
  one,
  mayManage,
  isBusy,
  act,
}: {
  readonly one: PeopleData['invitations'][number]
  readonly mayManage: boolean
  readonly isBusy: boolean
  readonly act: Act
}) {
  const t = useT()
  return (
    <tr>
      <td className="t">
        <bdi>{one.email}</bdi> <small dir="auto">{one.name}</small>
      </td>
      <td className="m">{one.roleName}</td>
      <td className="s">
        {one.waits ? (
          <State look="badge warn" text={t('console.people.inviteWaits')} />
        ) : (
          <State
            look={one.isOver ? 'gone' : 'way'}
            text={t(one.isOver ? 'console.people.inviteOver' : 'console.people.inviteEnds', {
              at: one.ends,
            })}
          />
        )}
      </td>
      {mayManage && (
        <td className="end">
          {!one.waits && (
            <button
              type="button"
              className="btn ghost sm"
              disabled={isBusy}
              onClick={() => void act('team/invitations/again', { id: one.id })}
            >
              {t('console.people.again')} <span className="sr">{one.email}</span>
            </button>
          )}
          <button
            type="button"
            className="btn ghost sm"
            disabled={isBusy}
            onClick={() => void act('team/invitations/withdraw', { id: one.id })}
          >
            {t('console.people.withdraw')} <span className="sr">{one.email}</span>
          </button>
        </td>
      )}
    </tr>
  )
}
