import { useId, useState } from 'react'
import { State } from '../kit/state.tsx'
import { useT } from '../words.tsx'
import type { PeopleData, PersonRow } from './load.ts'
import type { Act } from './page.tsx'

/** Everybody who runs the shop; below each name what can be done about them. */
export function People({
  data,
  isBusy,
  act,
}: {
  readonly data: PeopleData
  readonly isBusy: boolean
  readonly act: Act
}) {
  const t = useT()
  const [opened, open] = useState<string | null>(null)
  const person = data.people.find(({ name }) => name === opened)
  return (
    <>
      <section className="panel flush scrollx">
        <table className="fold">
          <thead>
            <tr>
              <th>{t('console.people.name')}</th>
              <th>{t('console.people.role')}</th>
              <th>{t('console.people.factor')}</th>
              <th className="c2">{t('console.people.seen')}</th>
              <th className="c2 num">{t('console.people.sessions')}</th>
              <th>{t('console.orders.state')}</th>
              {data.mayManage && (
                <th>
                  <span className="sr">{t('console.people.change')}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {data.people.map((one) => (
              <tr key={one.name}>
                <td className="t">
                  <b dir="auto">{one.displayName}</b>{' '}
                  <small>
                    {one.displayName === one.name ? '' : one.name}
                    {one.isMe ? ` ${t('console.people.you')}` : ''}
                  </small>
                </td>
                <td className="m">{one.roleName}</td>
                <td>{factorText(t, one)}</td>
                <td className="c2">{one.seen ?? '–'}</td>
                <td className="c2 num">{one.sessions}</td>
                <td className="s">
                  <PersonState person={one} />
                </td>
                {data.mayManage && (
                  <td className="end">
                    <button
                      type="button"
                      className="btn ghost sm"
                      aria-expanded={opened === one.name}
                      onClick={() => open(opened === one.name ? null : one.name)}
                    >
                      {t('console.people.change')} <span className="sr">{one.name}</span>
                    </button>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {person && <Person key={person.name} person={person} data={data} isBusy={isBusy} act={act} />}
    </>
  )
}

function factorText(t: ReturnType<typeof useT>, { factors }: PersonRow): string {
  if (factors.length === 0) return t('console.people.noFactor')
  return factors
    .map((one) => t(one === 'passkey' ? 'console.people.passkey' : 'console.people.app'))
    .join(', ')
}

function PersonState({ person: { isActive, reset } }: { readonly person: PersonRow }) {
  const t = useT()
  if (!isActive) return <State look="gone" text={t('console.people.disabled')} />
  if (reset === null) return <State look="done" text={t('console.people.active')} />
  return (
    <State
      look="badge warn"
      text={t(`console.people.reset.${reset.state}`, { at: reset.due ?? '' })}
    />
  )
}

/** What can be done about somebody, each with what it means before it is pressed. */
function Person({
  person,
  data,
  isBusy,
  act,
}: {
  readonly person: PersonRow
  readonly data: PeopleData
  readonly isBusy: boolean
  readonly act: Act
}) {
  const t = useT()
  const { name, isActive, isMe, reset } = person
  const press = (path: string) => void act(path, { name })
  return (
    <section className="panel stack" aria-label={name}>
      <h2 dir="auto">{person.displayName}</h2>
      <RoleOf person={person} roles={data.roles} isBusy={isBusy} act={act} />
      {reset !== null && reset.state !== 'reported' && (
        <div className="row wrapx">
          <button
            type="button"
            className="btn edge"
            disabled={isBusy}
            onClick={() => press('team/resets/stop')}
          >
            {t('console.people.stopReset')}
          </button>
        </div>
      )}
      {!isMe && isActive && (reset === null || reset.state === 'reported') && (
        <div className="stack-2">
          <p className="hint">{t('console.people.resetHint')}</p>
          <button
            type="button"
            className="btn edge"
            disabled={isBusy}
            onClick={() => press('team/resets/ask')}
          >
            {t('console.people.resetFactor')}
          </button>
        </div>
      )}
      <div className="stack-2">
        <p className="hint">
          {t(isActive ? 'console.people.suspendHint' : 'console.people.resumeHint')}
        </p>
        <button
          type="button"
          className="btn edge"
          disabled={isBusy}
          onClick={() => press(isActive ? 'team/suspend' : 'team/resume')}
        >
          {t(isActive ? 'console.people.suspend' : 'console.people.resume')}
        </button>
      </div>
    </section>
  )
}

function RoleOf({
  person,
  roles,
  isBusy,
  act,
}: {
  readonly person: PersonRow
  readonly roles: PeopleData['roles']
  readonly isBusy: boolean
  readonly act: Act
}) {
  const t = useT()
  const select = useId()
  const [role, choose] = useState(person.role)
  const { name } = person
  return (
    <form
      className="row wrapx"
      onSubmit={(event) => {
        event.preventDefault()
        void act('team/role', { name, role })
      }}
    >
      <div className="field">
        <label htmlFor={select}>{t('console.people.role')}</label>
        <select
          className="input"
          id={select}
          value={role}
          onChange={(event) => choose(event.target.value)}
        >
          {roles.map((one) => (
            <option key={one.code} value={one.code}>
              {one.name}
            </option>
          ))}
        </select>
      </div>
      <button type="submit" className="btn edge" disabled={isBusy || role === person.role}>
        {t('console.people.giveRole')}
      </button>
    </form>
  )
}
