import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { SessionList } from '../kit/session-list.tsx'
import { State } from '../kit/state.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { MeData } from './load.ts'

/** Where one is signed in; each can be ended, and all others at once. */
export function Sessions({ sessions }: Pick<MeData, 'sessions'>) {
  const t = useT()
  const attempt = useAttempt()
  async function end(id: string | null) {
    const path = id === null ? 'sessions/end_others' : 'sessions/end'
    if (await attempt.run(() => callConsole(path, id === null ? {} : { id }))) refreshPage()
  }
  return (
    <section className="panel flush" aria-labelledby="my-sessions">
      <div className="panel-h">
        <h2 id="my-sessions">{t('console.me.sessions')}</h2>
      </div>
      <div className="line-t">
        <SessionList
          sessions={sessions.map(({ id, device, network, began, seen, isCurrent }) => ({
            id,
            device,
            network,
            told: t('console.me.since', { began, seen }),
            state: isCurrent && <State look="done" text={t('console.me.thisOne')} />,
            mayEnd: !isCurrent,
          }))}
          attempt={attempt}
          end={end}
          endText={t('console.me.end')}
          endAllText={sessions.length > 1 ? t('console.me.endOthers') : null}
        />
      </div>
    </section>
  )
}
