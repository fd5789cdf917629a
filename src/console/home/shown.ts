/** The figures of home, each with a chart of its own. */
export const SHOWN = ['sales', 'margin', 'orders', 'paid', 'time', 'refunds'] as const
export type Shown = (typeof SHOWN)[number]

export const isShown = (text: string | null): text is Shown => SHOWN.some((shown) => shown === text)
