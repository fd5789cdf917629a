import { Preferences } from '../shell/preferences.tsx'
import { useT } from '../words.tsx'
import { Factors } from './factors.tsx'
import { Limits } from './limits.tsx'
import type { MeData } from './load.ts'
import { Password } from './password.tsx'
import { Profile } from './profile.tsx'
import { Sessions } from './sessions.tsx'

/** One's own sign-in: factors, where one is signed in, the password, and how the console looks. */
export function Page({ data }: { readonly data: MeData }) {
  const t = useT()
  return (
    <>
      <div className="pg">
        <div>
          <h1>{t('console.me.title')}</h1>
          <p>{t('console.me.lead')}</p>
        </div>
      </div>
      <div className="g2 dp">
        <div className="stack">
          <Limits limits={data.limits} />
          <Factors data={data} />
          <Sessions sessions={data.sessions} />
        </div>
        <div className="stack">
          <Profile data={data} />
          <section className="panel stack-2">
            <h2>{t('console.me.looks')}</h2>
            <Preferences theme={data.theme} />
          </section>
          <Password name={data.name} />
        </div>
      </div>
    </>
  )
}
