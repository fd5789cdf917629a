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
  listLocks,
  type ListedChange,
  type PastField,
} from './read/history.ts'
export { namesOfGoods } from './read/names.ts'
export { readPasted } from './read/paste.ts'
