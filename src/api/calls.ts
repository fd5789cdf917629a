import { gameDetailCall, gameIndex } from './calls/game.ts'
import { goodsDetailCall, goodsIndex, goodsSearch } from './calls/goods.ts'
import { newsCategory, newsDetail, newsIndex } from './calls/news.ts'
import { rechargeCountriesCall, rechargeOperators, rechargePlans } from './calls/recharge.ts'
import { reviewIndex } from './calls/review.ts'
import { searchIndex } from './calls/search.ts'
import {
  commonFooter,
  commonInit,
  goodsCategoryIndex,
  indexCountry,
  indexRegions,
} from './calls/shop.ts'

/** Every call answered from the snapshot. */
export const READING_CALLS = [
  goodsCategoryIndex,
  commonFooter,
  commonInit,
  indexRegions,
  indexCountry,
  goodsSearch,
  searchIndex,
  goodsIndex,
  goodsDetailCall,
  gameIndex,
  gameDetailCall,
  newsIndex,
  newsDetail,
  newsCategory,
  reviewIndex,
  rechargeCountriesCall,
  rechargeOperators,
  rechargePlans,
] as const
