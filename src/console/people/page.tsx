import { useState } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import { Invite } from './invite.tsx'
import { Invitations } from './invitations.tsx'
import type { PeopleData } from './load.ts'
import { People } from './people.tsx'
import { RoleEditor } from './role-editor.tsx'
import { Roles } from './roles.tsx'

/** Makes a call about the team and shows the page anew. @returns whether it was done */
export type Act = (path: string, body: Readonly<Record<string, unknown>>) => Promise<boolean>

type Opened = { readonly is: 'invite' } | { readonly is: 'role'; readonly code: string | null }

/** Who runs the shop, who is invited, and what each role may do. */
export function Page({ data }: { readonly data: PeopleData }) {
  const t = useT()
  const attempt = useAttempt()
  const [opened, open] = useState<Opened | null>(null)
  const [said, say] = useState<string | null>(null)
  const act: Act = async (path, body) => {
    say(null)
    const answer = await attempt.run<{ readonly waits?: string | null }>(() =>
      callConsole(path, body),
    )
    if (!answer) return false
    say(t(answer.waits ? 'console.people.waits' : 'console.people.done'))
    open(null)
    refreshPage()
    return true
  }
  const role = opened?.is === 'role' ? data.roles.find(({ code }) => code === opened.code) : null
  return (
    <>
      <div className="pg">
        <div>
          <h1>{t('console.people.nav')}</h1>
          <p>{t('console.people.lead')}</p>
        </div>
        {data.mayManage && (
          <div className="acts">
            <button type="button" className="btn edge" onClick={() => open({ is: 'invite' })}>
              {t('console.people.invite')}
            </button>
          </div>
        )}
      </div>
      {said !== null && (
        <p className="note ok" role="status">
          {said}
        </p>
      )}
      <Fault text={attempt.fault} />
      {opened?.is === 'invite' && (
        <Invite data={data} attempt={attempt} act={act} onClose={() => open(null)} />
      )}
      <People data={data} isBusy={attempt.isBusy} act={act} />
      <Invitations data={data} isBusy={attempt.isBusy} act={act} />
      {opened?.is === 'role' && (
        <RoleEditor
          key={opened.code}
          data={data}
          role={role ?? null}
          attempt={attempt}
          act={act}
          onClose={() => open(null)}
        />
      )}
      <Roles data={data} onEdit={(code) => open({ is: 'role', code })} />
    </>
  )
}
