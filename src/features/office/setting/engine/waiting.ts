import { z } from 'zod'
import { concealed, type Setting } from '#features/base/setting/rules.ts'
import type { Keys } from '#platform/keys.ts'
import { partOf } from '../rules.ts'

/** Another value for a part of a setting, or for all of one that has no parts. */
export interface PartChange {
  readonly part: string | null
  /** As it would be written; null takes it away, so that its default holds. */
  readonly value: unknown
  /** Of the value that was there when it was begun. */
  readonly version: string
}

/** A part of what waits, as whoever decides reads it: what is secret is hidden. */
export interface WaitingPart {
  readonly part: string | null
  readonly before: unknown
  readonly after: unknown
}

/** What secret values are sealed for while they wait. */
const SEAL = 'setting-change'

const stored = z.object({
  parts: z.array(
    z.object({
      part: z.string().nullable(),
      version: z.string(),
      before: z.unknown(),
      after: z.unknown(),
      /** In place of a value that nobody is shown. */
      sealed: z.string().optional(),
    }),
  ),
})

/** What an act keeps of a change until somebody decides: nothing secret but sealed. */
export function waitingDetails(
  keys: Keys,
  setting: Setting<unknown>,
  { before, after }: { readonly before: unknown; readonly after: unknown },
  changes: readonly PartChange[],
): z.infer<typeof stored> {
  const [was, is] = [concealed(setting, before), concealed(setting, after)]
  return {
    parts: changes.map(({ part, version, value }) => ({
      part,
      version,
      before: partOf(was, part) ?? null,
      after: partOf(is, part) ?? null,
      ...(part !== null && value !== null && setting.secretParts?.includes(part)
        ? { sealed: keys.seal(SEAL, Buffer.from(JSON.stringify(value))).toString('base64') }
        : {}),
    })),
  }
}

/** The change that waits, to be made; null for what cannot be read any more, as under another key of the shop. */
export function waitingChanges(keys: Keys, details: unknown): readonly PartChange[] | null {
  const read = stored.safeParse(details)
  if (!read.success) return null
  try {
    return read.data.parts.map(({ part, version, after, sealed }) => ({
      part,
      version,
      value:
        sealed === undefined
          ? after
          : (JSON.parse(keys.open(SEAL, Buffer.from(sealed, 'base64')).toString()) as unknown),
    }))
  } catch {
    return null
  }
}

/** The same for whoever decides. */
export function waitingParts(details: unknown): readonly WaitingPart[] {
  const read = stored.safeParse(details)
  return read.success ? read.data.parts : []
}
