export {
  exportShopperNote,
  type ShopperFile,
} from './read/file.ts'
export { findShoppers, listShoppers, type ListedShopper } from './read/find.ts'
