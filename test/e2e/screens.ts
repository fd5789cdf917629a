/**
 * Journeys that the short run of `npm test` makes on one screen, as what they do is the same on both: the calls are, and whether their pages
 * fit either is seen by `routes`, `pages`, `console/frame` and `console/looks`, which are made on both. The long run makes all of them twice.
 */
export const ON_DESKTOP: readonly RegExp[] = [
  /e2e\/console-[a-z-]+\.spec\.ts$/,
  /e2e\/console\/(?!frame|looks)[a-z-]+\.spec\.ts$/,
  /e2e\/(?:arriving|calls|html|languages|mailbox|odd-screens|reach)\.spec\.ts$/,
  /e2e\/buying\/(?:afterwards|payments)\.spec\.ts$/,
  /e2e\/people\/(?:extras|guarded|scriptless|signing-out)\.spec\.ts$/,
]
export const ON_PHONE: readonly RegExp[] = [
  /e2e\/offline\.spec\.ts$/,
  /e2e\/buying\/(?:lost-answer|scriptless)\.spec\.ts$/,
]
