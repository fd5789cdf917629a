export {
  CHANGED_DAYS,
  listGoods,
  STOCK_STATES,
  type GoodsFilter,
  type ListedItem,
  type ListEdge,
} from './read/list.ts'
export {
  listChangeRows,
  listChanges,
  listHistory,
  type ListedChange,
  type PastField,
} from './read/history.ts'
export { namesOfGoods } from './read/names.ts'
export { readPasted } from './read/paste.ts'
