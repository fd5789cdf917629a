/* Generated from locales/en by scripts/message-keys.ts: do not edit. */
/** One file of locales/<lang>: the texts of one part of the shop. */
export type MessageArea = 'errors' | 'goods'

export type MessageKey =
  | 'error.not_found'
  | 'error.unauthorised'
  | 'error.invalid_input'
  | 'error.method_not_allowed'
  | 'error.too_many_requests'
  | 'error.internal'
  | 'goods.topUpName'
  | 'goods.pack'
  | 'goods.data'
  | 'goods.dataMegabytes'
  | 'goods.typeGames'
  | 'goods.typeCards'
  | 'goods.typeTopUps'
