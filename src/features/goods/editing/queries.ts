export {
  listGoods,
  STOCK_STATES,
  type GoodsFilter,
  type ListedItem,
} from './read/list.ts'
export {
  listChangeRows,
  listChanges,
  listHistory,
  listHistoryOfProduct,
  listLocks,
  type ListedChange,
  type PastField,
} from './read/history.ts'
export {
  listGoodsChoices,
  type GoodsChoice,
  listItemCounts,
  listItemOffers,
} from './read/beside.ts'
export { findEditedProduct, type EditedGoods, type TranslatedWord } from './read/one.ts'
export { listEntries, TEXTS_MOST } from './read/entries.ts'
export {
  findEditedEntry,
  listBelow,
  listHistoryOf,
  listParents,
  type Below,
} from './read/entry.ts'
export { namesOfGoods } from './read/names.ts'
export { readPasted } from './read/paste.ts'
