import { useState } from 'react'
import { refreshPage } from '../browser/navigation.ts'
import type { ShownSetting } from '#features/office/service-settings/engine/settings.ts'
import { useAttempt, type Attempt } from '../kit/use-attempt.ts'
import { payment, supplier } from './entering-calls.ts'

/** Whose account, as the service tells. */
export interface Account {
  readonly id: string
  readonly name: string | null
}

/** A service as far as its settings are entered. */
export interface EnteredService {
  readonly code: string
  readonly version: number
  readonly settings: readonly ShownSetting[]
  /** Something was entered that can be taken away. */
  readonly isEntered: boolean
}

/** What is paid with, or what is bought from. */
export type EnteredOf = 'payment' | 'supplier'

/** What the shop says that new settings would mean. */
export interface Effect {
  /** What a supplier holds for the account. */
  readonly balances?: readonly string[]
  readonly answer: 'good' | 'refused' | 'unknown'
  readonly why: string | null
  readonly account: Account | null
  readonly account_before: Account | null
  readonly may_be_other: boolean
  readonly changed: readonly string[]
  readonly mode_before: 'live' | 'test' | null
  readonly mode: 'live' | 'test' | null
  readonly open: number
  readonly open_sums: readonly { readonly text: string }[]
  readonly needs_second_person: boolean
}

type Outcome = 'saved' | 'waits'
export interface Waits {
  readonly waits_for_approval: string | null
}

export interface Entering {
  readonly values: Readonly<Record<string, string>>
  readonly write: (name: string, value: string) => void
  readonly effect: Effect | null
  readonly isAlthough: boolean
  readonly setAlthough: (is: boolean) => void
  readonly isAlthoughOpen: boolean
  readonly setAlthoughOpen: (is: boolean) => void
  readonly outcome: Outcome | null
  readonly attempt: Attempt
  /** Somebody else changed the settings since typing began. */
  readonly isStale: boolean
  readonly goOn: () => void
  readonly tryOut: () => Promise<void>
  readonly save: () => Promise<void>
  readonly remove: () => Promise<void>
}

/** Settings that are typed, tried and kept. What was tried and typed otherwise since is tried again first. */
export function useEntering(
  { code, version }: Pick<EnteredService, 'code' | 'version'>,
  of: EnteredOf,
): Entering {
  const attempt = useAttempt()
  const calls = of === 'payment' ? payment : supplier
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [held, setHeld] = useState<number | null>(null)
  const [effect, setEffect] = useState<Effect | null>(null)
  const [isAlthough, setAlthough] = useState(false)
  const [isAlthoughOpen, setAlthoughOpen] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const entered = { code, version: held ?? version, values }

  function done(saved: Waits | null): void {
    if (!saved) return
    setOutcome(saved.waits_for_approval === null ? 'saved' : 'waits')
    setValues({})
    setHeld(null)
    setEffect(null)
    setAlthough(false)
    setAlthoughOpen(false)
    refreshPage()
  }

  return {
    values,
    write(name, value) {
      setValues({ ...values, [name]: value })
      setHeld(held ?? version)
      setEffect(null)
      setAlthough(false)
      setAlthoughOpen(false)
      setOutcome(null)
    },
    effect,
    isAlthough,
    setAlthough,
    isAlthoughOpen,
    setAlthoughOpen,
    outcome,
    attempt,
    isStale: held !== null && held !== version,
    goOn: () => setHeld(version),
    async tryOut() {
      setOutcome(null)
      setEffect(await attempt.run(() => calls.tryOut(entered)))
    },
    save: async () =>
      done(
        await attempt.run(() =>
          calls.save(entered, {
            isAlthough,
            isAlthoughOpen,
            account: effect?.account?.id ?? null,
          }),
        ),
      ),
    remove: async () =>
      done(await attempt.run(() => calls.remove({ code, version }, isAlthoughOpen))),
  }
}
