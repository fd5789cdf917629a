import type { ReactNode } from 'react'
import { Fault } from './fault.tsx'
import type { Attempt } from './use-attempt.ts'

interface ShownSession {
  readonly id: string
  readonly device: string
  readonly network: string
  /** Since when, and when it was seen. */
  readonly told: string
  readonly state: ReactNode
  readonly mayEnd: boolean
}

/** Where somebody is signed in: each can be ended, and several at once. */
export function SessionList({
  sessions,
  attempt,
  end,
  endText,
  endAllText,
}: {
  readonly sessions: readonly ShownSession[]
  readonly attempt: Attempt
  /** Null ends all that may be ended. */
  readonly end: (id: string | null) => Promise<void>
  readonly endText: string
  /** Null where there are not several. */
  readonly endAllText: string | null
}) {
  return (
    <>
      <Fault text={attempt.fault} />
      <ul className="units">
        {sessions.map(({ id, device, network, told, state, mayEnd }) => (
          <li key={id}>
            <span>
              <b>
                <bdi>{device}</bdi>
              </b>
              <small>
                <bdi>{network}</bdi>
              </small>
              <small>{told}</small>
            </span>
            <span className="s">{state}</span>
            <span className="p">
              {mayEnd && (
                <button
                  type="button"
                  className="btn edge sm"
                  disabled={attempt.isBusy}
                  onClick={() => void end(id)}
                >
                  {endText}
                </button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {endAllText !== null && (
        <div className="foot-l">
          <button
            type="button"
            className="btn edge sm"
            disabled={attempt.isBusy}
            onClick={() => void end(null)}
          >
            {endAllText}
          </button>
        </div>
      )}
    </>
  )
}
