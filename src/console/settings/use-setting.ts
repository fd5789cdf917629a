import { useEffect, useState } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { useAttempt, type Attempt } from '../kit/use-attempt.ts'
import { draftOf, valueOf, type Draft } from './drafts.ts'
import type { FieldData, SettingData, SettingsData } from './shown.ts'

/** A field that is being changed: what is typed, and of which version of its value. */
interface Typed {
  readonly draft: Draft
  /** Nothing is typed: the default is to hold. */
  readonly isStandard: boolean
  readonly version: string
}

/** What the shop says that other values would mean. */
export interface SettingEffect {
  readonly parts: readonly {
    readonly path: string
    readonly before: unknown
    readonly after: unknown
  }[]
  readonly tells_owners: boolean
}

export interface SettingEditing {
  readonly draftOf: (field: FieldData) => Draft
  readonly isChanged: (field: FieldData) => boolean
  /** Somebody else has changed it since. */
  readonly isStale: (field: FieldData) => boolean
  readonly write: (field: FieldData, draft: Draft) => void
  /** Puts a value there, as one that it once had; null for its default. */
  readonly put: (field: FieldData, value: unknown) => void
  readonly takeTheirs: (field: FieldData) => void
  readonly keepMine: (field: FieldData) => void
  readonly undo: () => void
  readonly isDirty: boolean
  readonly effect: SettingEffect | null
  readonly faults: Readonly<Record<string, string>>
  readonly attempt: Attempt
  /** What became of the change: it holds, or waits for a second person. */
  readonly outcome: 'saved' | 'waits' | null
  readonly save: () => Promise<void>
}

const SETTLE_MS = 300

/** The parts of one setting, changed together. */
export function useSetting(
  setting: SettingData,
  currencies: SettingsData['currencies'],
): SettingEditing {
  const attempt = useAttempt()
  const [typed, setTyped] = useState<Readonly<Record<string, Typed>>>({})
  const [outcome, setOutcome] = useState<SettingEditing['outcome']>(null)
  /** What was refused holds until something is typed or chosen. */
  const [isAnswered, setAnswered] = useState(false)
  const places = (code: string) => currencies.find((each) => each.code === code)?.places ?? 2
  const changed = setting.fields.filter(({ path }) => typed[path] !== undefined)
  const parts = changed.map((field) => partOf(field, typed[field.path], places))
  const { effect, faults } = useEffectOf(setting, parts)
  const present = (field: FieldData) => draftOf(field, field.value, places)
  const keep = (field: FieldData, draft: Draft, isStandard: boolean) => {
    setOutcome(null)
    setAnswered(true)
    setTyped((before) => {
      const { [field.path]: own, ...others } = before
      const isSame = isStandard
        ? !field.isSet
        : JSON.stringify(draft) === JSON.stringify(present(field))
      if (isSame && (own === undefined || own.version === field.version)) return others
      return {
        ...others,
        [field.path]: { draft, isStandard, version: own?.version ?? field.version },
      }
    })
  }
  const drop = (field: FieldData) => {
    setAnswered(true)
    setTyped(({ [field.path]: _, ...others }) => others)
  }

  return {
    draftOf: (field) => typed[field.path]?.draft ?? present(field),
    isChanged: ({ path }) => typed[path] !== undefined,
    isStale: ({ path, version }) => typed[path] !== undefined && typed[path].version !== version,
    write: (field, draft) => keep(field, draft, false),
    put: (field, value) => keep(field, draftOf(field, value, places), value === null),
    takeTheirs: drop,
    keepMine: (field) => {
      setAnswered(true)
      setTyped((before) => {
        const own = before[field.path]
        return own ? { ...before, [field.path]: { ...own, version: field.version } } : before
      })
    },
    undo: () => {
      setAnswered(true)
      setTyped({})
    },
    isDirty: changed.length > 0,
    effect,
    faults: { ...faults, ...(isAnswered ? {} : attempt.fields) },
    attempt,
    outcome,
    async save() {
      if (parts.length === 0) return
      setAnswered(false)
      const path = setting.tellsOwners ? 'settings/change_told' : 'settings/change'
      const done = await attempt.run(() =>
        callConsole<{ readonly waits?: string | null }>(path, { key: setting.key, parts }),
      )
      refreshPage()
      if (!done) return
      setTyped({})
      setOutcome(done.waits ? 'waits' : 'saved')
    },
  }
}

/** A change as the shop takes it. */
function partOf(field: FieldData, own: Typed | undefined, places: (code: string) => number) {
  const isStandard = own === undefined || own.isStandard
  const value = isStandard ? null : valueOf(field, own.draft, places)
  return { part: field.part, value, version: own?.version ?? field.version }
}

interface Told {
  readonly effect: SettingEffect | null
  readonly faults: Readonly<Record<string, string>>
}

const NOTHING: Told = { effect: null, faults: {} }

/** What the shop says of what is typed; asked once typing has settled. */
function useEffectOf(
  { key }: SettingData,
  parts: readonly { readonly part: string | null; readonly value: unknown }[],
): Told {
  const [told, setTold] = useState<Told>(NOTHING)
  const wanted = parts.length === 0 ? null : JSON.stringify(parts)
  useEffect(() => {
    setTold(NOTHING)
    if (wanted === null) return
    let isOver = false
    const timer = setTimeout(async () => {
      const body = { key, parts: JSON.parse(wanted) as unknown }
      const outcome = await callConsole<SettingEffect>('settings/preview', body).catch(() => null)
      if (isOver || outcome === null) return
      setTold(
        outcome.isDone
          ? { effect: outcome.data, faults: {} }
          : { effect: null, faults: outcome.fields },
      )
    }, SETTLE_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [key, wanted])
  return told
}
