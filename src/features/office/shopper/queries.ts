export {
  exportShopperNote,
  type ShopperFile,
} from './read/file.ts'
export { countShopperViews, findShoppers, listShoppers, type ListedShopper } from './read/find.ts'
