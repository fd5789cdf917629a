const HOUR_MS = 3_600_000
/** Without a third person a reset takes so long, in which everybody has been told and any owner may stop it. */
export const RESET_ALONE_MS = 24 * HOUR_MS
/** The same from the shop's machine, where there is nobody else who could ask. */
export const RESET_FROM_SHELL_MS = HOUR_MS
/** Whoever says again and again that a factor is lost is heard once in so long. */
export const LOST_QUIET_MS = 24 * HOUR_MS

/** How often it is looked whether a reset is due. */
export const RESETS_EVERY_SECONDS = 30
