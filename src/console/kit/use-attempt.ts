import { useState } from 'react'
import type { CallOutcome } from '../browser/call.ts'
import { useT } from '../words.tsx'

export interface Attempt {
  readonly isBusy: boolean
  /** What was wrong as a whole; null when nothing was, or where it stands at a field. */
  readonly fault: string | null
  readonly fields: Readonly<Record<string, string>>
  /** Makes a call once at a time. @returns its data; null when it was refused, which is shown */
  readonly run: <Data>(call: () => Promise<CallOutcome<Data>>) => Promise<Data | null>
}

/** One press at a time: what was typed stays, and what was wrong is said. */
export function useAttempt(): Attempt {
  const t = useT()
  const [state, setState] = useState<Omit<Attempt, 'run'>>(IDLE)
  return {
    ...state,
    async run(call) {
      setState({ ...IDLE, isBusy: true })
      try {
        const outcome = await call()
        if (outcome.isDone) {
          setState(IDLE)
          return outcome.data
        }
        const { fields, message } = outcome
        const isAtField = Object.keys(fields).length > 0
        setState({ isBusy: false, fields, fault: isAtField ? null : message })
      } catch {
        setState({ ...IDLE, fault: t('console.unreachable') })
      }
      return null
    },
  }
}

const IDLE = { isBusy: false, fault: null, fields: {} }
