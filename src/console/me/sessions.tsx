import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
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
      <Fault text={attempt.fault} />
      <ul className="units line-t">
        {sessions.map((session) => (
          <li key={session.id}>
            <span>
              <b>
                <bdi>{session.device}</bdi>
              </b>
              <small>
                <bdi>{session.network}</bdi>
              </small>
              <small>{t('console.me.since', { began: session.began, seen: session.seen })}</small>
            </span>
            <span className="s">
              {session.isCurrent && <State look="done" text={t('console.me.thisOne')} />}
            </span>
            <span className="p">
              {!session.isCurrent && (
                <button
                  type="button"
                  className="btn edge sm"
                  disabled={attempt.isBusy}
                  onClick={() => void end(session.id)}
                >
                  {t('console.me.end')}
                </button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <div className="foot-l">
          <button
            type="button"
            className="btn edge sm"
            disabled={attempt.isBusy}
            onClick={() => void end(null)}
          >
            {t('console.me.endOthers')}
          </button>
        </div>
      )}
    </section>
  )
}
