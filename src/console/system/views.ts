/** What the page of the machine shows, one at a time. */
export const SYSTEM_VIEWS = ['health', 'jobs', 'mails', 'in', 'out'] as const
export type SystemView = (typeof SYSTEM_VIEWS)[number]

export const isSystemView = (name: string | null): name is SystemView =>
  SYSTEM_VIEWS.some((view) => view === name)
