import type { Item } from '../schema/goods.ts'

/** Wording of English names that follow from a row's figures, so that files need not repeat them. */
export function derivedItemName(
  item: Pick<Item, 'kind' | 'units' | 'bonus' | 'days' | 'data_mb'>,
  faceText: string | null,
  unit: string | null,
): string | null {
  if (item.kind === 'pack' && item.units !== undefined && unit !== null) {
    return `${grouped(item.units)}${item.bonus ? ` + ${grouped(item.bonus)}` : ''} ${unit}`
  }
  if (item.kind === 'data' && item.data_mb !== undefined && item.days !== undefined) {
    const size = item.data_mb < 1000 ? `${item.data_mb} MB` : `${item.data_mb / 1000} GB`
    return `${size}, ${item.days} ${item.days === 1 ? 'day' : 'days'}`
  }
  return (item.kind === 'value' || item.kind === 'airtime') && faceText !== null ? faceText : null
}

function grouped(figure: number): string {
  return String(figure).replace(/\B(?=(\d{3})+(?!\d))/g, ',')
}
