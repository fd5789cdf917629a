/** Whoever did something, as colleagues call them: operators without what says that they are one. */
export const actorName = (actor: string): string => actor.replace(/^operator:/, '')
