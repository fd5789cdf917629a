import { formatCount } from '#platform/i18n/format.ts'
import type { ConsoleContext } from '../page.ts'

/** What a tab's number tells at most: nothing is counted further. */
export const COUNTED_MOST = 1_000

/** A number as a tab tells it, "1,000+" where there are more. */
export function countedText(
  { t, language }: Pick<ConsoleContext, 't' | 'language'>,
  count: number,
): string {
  const shown = formatCount(language.code, Math.min(count, COUNTED_MOST))
  return count > COUNTED_MOST ? t('console.orMore', { count: shown }) : shown
}

/** The same of each of a list's tabs. */
export function countedTexts<View extends string>(
  context: Pick<ConsoleContext, 't' | 'language'>,
  counts: Readonly<Record<View, number>>,
): Readonly<Record<View, string>> {
  const texts = Object.entries<number>(counts).map(([view, count]) => [
    view,
    countedText(context, count),
  ])
  return Object.fromEntries(texts) as Record<View, string>
}
