import { userAddress, userSaveAddress } from '../calls/address.ts'
import { collectAdd, collectIndex, collectRemove } from '../calls/collect.ts'
import { noticeIndex, noticeRead, noticeReadAll } from '../calls/notice.ts'
import { userChangePasskeys, userChangeSecondFactor, userPasskeyOptions, userPasskeys, userSecondFactor } from '../calls/user-factor.ts'
import { userAuthorize, userCallback, userLink, userLinks, userServices, userUnlink } from '../calls/user-identity.ts'
import { userGetUserInfo, userLogout } from '../calls/user-info.ts'

/** Every call that depends on who makes it, or changes something. */
export const PERSONAL_CALLS = [
  userGetUserInfo, userLogout, userPasskeyOptions, userPasskeys, userChangePasskeys, userSecondFactor, userChangeSecondFactor,
  userAddress, userSaveAddress, collectIndex, collectAdd, collectRemove, noticeIndex, noticeRead, noticeReadAll,
  userServices, userAuthorize, userCallback, userLinks, userLink, userUnlink,
] as const
