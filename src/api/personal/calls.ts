import { userChangePasskeys, userChangeSecondFactor, userPasskeyOptions, userPasskeys, userSecondFactor } from '../calls/user-factor.ts'
import { userGetUserInfo, userLogout } from '../calls/user-info.ts'

/** Every call that depends on who makes it, or changes something. */
export const PERSONAL_CALLS = [userGetUserInfo, userLogout, userPasskeyOptions, userPasskeys, userChangePasskeys, userSecondFactor, userChangeSecondFactor] as const
