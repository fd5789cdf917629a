import { agentConfirm } from '../calls/agent.ts'
import { accountValidate } from '../calls/account.ts'
import { accountForget, accountSave, accountSaved } from '../calls/saved-account.ts'
import { cartAdd, cartCheck, cartIndex, cartMerge, cartRemove, cartUpdate } from '../calls/cart.ts'
import {
  cardpwdExport,
  cardpwdIndex,
  cardpwdReport,
  cardpwdReveal,
  cardpwdUsed,
} from '../calls/cardpwd.ts'
import { goodsPrices, goodsTilePrices } from '../calls/goods-prices.ts'
import { rechargeDetect } from '../calls/recharge-detect.ts'
import { rechargeHistory } from '../calls/recharge-history.ts'
import { orderCorrect } from '../calls/order-correct.ts'
import { orderCreate } from '../calls/order-create.ts'
import { uploadImage } from '../calls/upload.ts'
import { payMethods, payStart, payStatus } from '../calls/pay.ts'
import {
  orderCancel,
  orderCheck,
  orderDetail,
  orderIndex,
  orderInvoice,
  orderReceipt,
  orderRefundRequest,
  orderWithdrawRequest,
} from '../calls/order.ts'
import { reviewCreate } from '../calls/review-create.ts'
import { userAddress, userSaveAddress } from '../calls/address.ts'
import { collectAdd, collectIndex, collectRemove } from '../calls/collect.ts'
import { noticeIndex, noticeRead, noticeReadAll } from '../calls/notice.ts'
import {
  userEmail,
  userEndSessions,
  userPassword,
  userProfile,
  userProve,
  userSaveProfile,
  userSessions,
} from '../calls/user-account.ts'
import {
  userCancel,
  userExport,
  userExportWithProof,
  userUndoCancel,
} from '../calls/user-closure.ts'
import {
  userChangePasskeys,
  userChangeSecondFactor,
  userPasskeyOptions,
  userPasskeys,
  userSecondFactor,
} from '../calls/user-factor.ts'
import {
  userAuthorize,
  userCallback,
  userLink,
  userLinks,
  userServices,
  userUnlink,
} from '../calls/user-identity.ts'
import { userGetUserInfo, userLogout } from '../calls/user-info.ts'
import { userPhone } from '../calls/user-phone.ts'
import { userLogin, userRegister, userReset, userSendCode, userUnfreeze } from '../calls/user.ts'

/** Every call that depends on who makes it, or changes something. */
export const PERSONAL_CALLS = [
  userSendCode,
  userRegister,
  userLogin,
  userReset,
  userUnfreeze,
  userProfile,
  userSaveProfile,
  userPassword,
  userEmail,
  userProve,
  userSessions,
  userEndSessions,
  userGetUserInfo,
  userLogout,
  userPasskeyOptions,
  userPasskeys,
  userChangePasskeys,
  userSecondFactor,
  userChangeSecondFactor,
  userAddress,
  userSaveAddress,
  collectIndex,
  collectAdd,
  collectRemove,
  noticeIndex,
  noticeRead,
  noticeReadAll,
  userPhone,
  userCancel,
  userUndoCancel,
  userExport,
  userExportWithProof,
  uploadImage,
  userServices,
  userAuthorize,
  userCallback,
  userLinks,
  userLink,
  userUnlink,
  accountValidate,
  accountSaved,
  accountSave,
  accountForget,
  cartIndex,
  cartAdd,
  cartCheck,
  cartUpdate,
  cartRemove,
  cartMerge,
  goodsPrices,
  goodsTilePrices,
  rechargeDetect,
  rechargeHistory,
  orderCreate,
  payMethods,
  payStart,
  payStatus,
  orderIndex,
  orderDetail,
  orderCancel,
  orderRefundRequest,
  orderWithdrawRequest,
  orderCorrect,
  orderCheck,
  orderInvoice,
  orderReceipt,
  reviewCreate,
  cardpwdIndex,
  cardpwdReveal,
  cardpwdUsed,
  cardpwdReport,
  cardpwdExport,
  agentConfirm,
] as const
