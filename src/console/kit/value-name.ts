import { listBrandNames } from '#features/office/figure/queries.ts'
import type { Dimension } from '#features/office/figure/rules.ts'
import type { ConsoleContext } from '../page.ts'
import { methodNames } from './method-name.ts'
import { supplierName } from './supplier-name.ts'

/** What a value of a dimension is called. */
export async function valueNames(
  context: ConsoleContext,
  dimension: Dimension,
  values: readonly string[],
): Promise<(value: string) => string> {
  const { ctx, language, t } = context
  switch (dimension) {
    case 'currency':
      return (value) => value
    case 'method': {
      const nameOf = await methodNames(context)
      return (value) => (value === '' ? t('console.home.unknown') : nameOf(value))
    }
    case 'country': {
      const names = new Intl.DisplayNames(language.intl, { type: 'region' })
      return (value) => (value === '' ? t('console.home.unknown') : (names.of(value) ?? value))
    }
    case 'brand': {
      const names = await listBrandNames(ctx.db, values, language.code)
      return (value) => (value === '' ? t('console.home.unknown') : (names.get(value) ?? value))
    }
    case 'supplier':
      return (value) => (value === '' ? t('console.home.ownGoods') : supplierName(value))
  }
}
