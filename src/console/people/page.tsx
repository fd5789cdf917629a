import { State } from '../kit/state.tsx'
import { useT } from '../words.tsx'
import type { PeopleData } from './load.ts'

/** Who runs the shop. */
export function Page({ data: { people } }: { readonly data: PeopleData }) {
  const t = useT()
  return (
    <>
      <div className="pg">
        <h1>{t('console.people.nav')}</h1>
      </div>
      <section className="panel flush scrollx">
        <table className="fold">
          <thead>
            <tr>
              <th>{t('console.people.name')}</th>
              <th>{t('console.people.role')}</th>
              <th className="c2">{t('console.people.since')}</th>
              <th className="num">{t('console.people.tokens')}</th>
              <th>{t('console.orders.state')}</th>
            </tr>
          </thead>
          <tbody>
            {people.map((person) => (
              <tr key={person.name}>
                <td className="t">
                  <b dir="auto">{person.name}</b>
                </td>
                <td className="m">{person.role}</td>
                <td className="c2">{person.since}</td>
                <td className="num a">{person.tokens}</td>
                <td className="s">
                  <State
                    look={person.isActive ? 'done' : 'gone'}
                    text={t(person.isActive ? 'console.people.active' : 'console.people.disabled')}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}
