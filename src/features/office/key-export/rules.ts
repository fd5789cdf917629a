export const KEY_EXPORT_STATES = [
  'waiting',
  'making',
  'ready',
  'taken',
  'refused',
  'failed',
  'ended',
] as const
export type KeyExportState = (typeof KEY_EXPORT_STATES)[number]

/** Files that one operator may ask for within a day. */
export const KEY_EXPORTS_A_DAY = 10
/** What the audit calls one. */
export const KEY_EXPORT_ASKED = 'key_export_asked'
/** Keys of one file. */
export const KEY_EXPORT_MAX = 50_000
/** A file that nobody takes is gone after this. */
export const KEY_EXPORT_KEPT_MS = 3_600_000
/** What is asked for and comes to nothing ends after the time in which it can be approved; what is being made, much sooner. */
export const KEY_EXPORT_STUCK_MS = 49 * 3_600_000
/** It is kept so long what became of one. */
export const KEY_EXPORT_DAYS = 90
export const KEY_EXPORT_SWEEP = 'key_exports'
