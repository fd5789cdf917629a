/** Names of the fields of a product's form, which the cart's page reads where no script does. */

/** Address of the product, without language prefix. */
export const PRODUCT_FIELD = 'product'
/** Before the key of a field of the account to be credited. */
export const ACCOUNT_FIELD = 'field.'
