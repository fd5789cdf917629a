import type { ProductData } from './load.ts'

/** What the living parts of a product's page need of its data: it stands beside the HTML, so there is no more of it. */
export type BuyData = Pick<
  ProductData,
  | 'asksInvalid'
  | 'brand'
  | 'checksAccount'
  | 'choice'
  | 'chosen'
  | 'code'
  | 'fields'
  | 'items'
  | 'lowest'
  | 'money'
  | 'name'
  | 'path'
  | 'popular'
  | 'region'
> & {
  /** The region stands in the summary; a top-up without a choice of regions does not ask for one. */
  readonly showsRegion: boolean
}

export function buyData(data: ProductData): BuyData {
  const { brand, checksAccount, choice, chosen, code, fields, items, lowest, money, name, path } =
    data
  const { asksInvalid, popular, region } = data
  const showsRegion = fields.length === 0 || data.regions.length > 1
  return {
    asksInvalid,
    brand,
    checksAccount,
    choice,
    chosen,
    code,
    fields,
    items,
    lowest,
    money,
    name,
    path,
    popular,
    region,
    showsRegion,
  }
}
