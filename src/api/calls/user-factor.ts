import { z } from 'zod'
import { takeAccountChange } from '#features/base/limit/commands.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  removePasskey,
  removeSecondFactor,
  renamePasskey,
  renewRecoveryCodes,
} from '#features/people/factor/commands.ts'
import { addPasskey, askForNewPasskey, askForPasskey } from '#features/people/factor/flows.ts'
import { listPasskeys, readSecondFactor } from '#features/people/factor/queries.ts'
import { arePasskeysPossible, type Site } from '#features/base/authenticator/rules.ts'
import { newCredential, passkeyName } from '#features/base/authenticator/schema.ts'
import { isFresh } from '#features/people/session/rules.ts'
import { AppError } from '#kernel/error.ts'
import { PUBLIC_ID } from '#kernel/public-id.ts'
import { formatDate } from '#platform/i18n/format.ts'
import { deviceOf } from '#platform/http/device-name.ts'
import { personalCall, type Caller, type SignedInCaller } from '../personal/call.ts'

/** The shop as passkeys know it. */
export function siteOf({ shop, services }: Pick<Caller, 'shop' | 'services'>): Site {
  return { publicUrl: services.publicUrl, shopName: shop.settings.name }
}

const publicId = z.string().regex(PUBLIC_ID)

export const userPasskeyOptions = personalCall({
  path: 'user/passkey_options',
  method: 'POST',
  summary: 'What to ask a passkey for',
  description:
    'For `PublicKeyCredential.parseCreationOptionsFromJSON` (`add`) or `parseRequestOptionsFromJSON` (`sign_in`, `proof`). Good for one ' +
    'answer, within five minutes. `add` and `proof` need somebody signed in, `add` a fresh proof too. No account is ever named.',
  access: 'anyone',
  limit: 'sign-in',
  body: z.strictObject({ for: z.enum(['sign_in', 'add', 'proof']) }),
  data: z
    .object({
      possible: z.boolean().meta({
        description: 'False where the shop has no host name of its own; `options` is null then',
      }),
      options: z
        .looseObject({
          challenge: z.string().meta({ examples: ['j3kqTt0Yb1nq4p8T2cVx9sKd3LwAj3kqTt0Yb1nq4p8'] }),
        })
        .nullable(),
    })
    .meta({ id: 'PasskeyOptions' }),
  example: { for: 'sign_in' },
  isSecretAnswer: true,
  async answer(caller, body) {
    const { ctx, person, services } = caller
    if (!person && body.for !== 'sign_in') throw new AppError('unauthorised')
    if (!arePasskeysPossible(services.publicUrl)) return { possible: false, options: null }
    if (!person || body.for === 'sign_in')
      return {
        possible: true,
        options: { ...(await askForPasskey(ctx, siteOf(caller), 'sign_in', null)) },
      }
    if (body.for === 'proof')
      return {
        possible: true,
        options: { ...(await askForPasskey(ctx, siteOf(caller), 'proof', person.accountId)) },
      }
    // Asked for here already, so that no device makes a passkey that is refused afterwards.
    if (!isFresh(person, ctx.now())) throw new AppError('proof_needed')
    return {
      possible: true,
      options: { ...(await askForNewPasskey(ctx, person.accountId, siteOf(caller))) },
    }
  },
})

const passkeysShape = z
  .object({
    possible: z.boolean().meta({ description: 'Whether passkeys can be added here' }),
    list: z.array(
      z
        .object({
          id: z.string().meta({ examples: ['0Yb1nq4p8T2cVx9sKd3LwA'] }),
          name: z.string().meta({ examples: ['Firefox · Windows'] }),
          backed_up: z.boolean().meta({
            description: "Copied to the person's other devices by the service that keeps it",
          }),
          added_text: z
            .string()
            .meta({ description: 'In the language of the call', examples: ['20 November 2026'] }),
          used_text: z
            .string()
            .meta({ description: 'Empty until it is used', examples: ['21 November 2026'] }),
        })
        .meta({ id: 'Passkey' }),
    ),
  })
  .meta({ id: 'Passkeys' })

async function passkeysOf({
  ctx,
  language,
  services,
  person,
}: SignedInCaller): Promise<z.input<typeof passkeysShape>> {
  const date = (at: Date) => formatDate(language.code, at, services.timeZone)
  const passkeys = await listPasskeys(ctx.db, person.accountId)
  return {
    possible: arePasskeysPossible(services.publicUrl),
    list: passkeys.map(({ id, name, isBackedUp, createdAt, usedAt }) => ({
      id,
      name,
      backed_up: isBackedUp,
      added_text: date(createdAt),
      used_text: usedAt ? date(usedAt) : '',
    })),
  }
}

export const userPasskeys = personalCall({
  path: 'user/passkeys',
  method: 'GET',
  summary: "The person's passkeys",
  access: 'signed-in',
  limit: 'read',
  body: z.object({}),
  data: passkeysShape,
  example: {},
  answer: passkeysOf,
})

export const userChangePasskeys = personalCall({
  path: 'user/passkeys',
  method: 'POST',
  summary: 'Add, rename or remove a passkey',
  description:
    'One of `add` (what the browser made, with a `name` or the device as its name), `rename` (an id, with the `name`) and `remove` (an id; ' +
    'never the last way to sign in; every other session ends). Answers the list.',
  access: 'fresh',
  limit: 'write',
  body: z
    .strictObject({
      add: newCredential.optional(),
      rename: publicId.optional(),
      remove: publicId.optional(),
      name: passkeyName.optional(),
    })
    .refine((body) => isOne([body.add, body.rename, body.remove])),
  data: passkeysShape,
  example: { rename: '0Yb1nq4p8T2cVx9sKd3LwA', name: 'My phone' },
  async answer(caller, { add, rename, remove, name }) {
    const { ctx, person, visitor } = caller
    await takeAccountChange(ctx, person.accountId)
    if (add)
      await addPasskey(
        ctx,
        person.accountId,
        siteOf(caller),
        add,
        name ?? deviceName(visitor.userAgent),
      )
    else if (rename !== undefined)
      await renamePasskey(ctx, person.accountId, rename, assertName(name))
    else if (remove !== undefined) await removePasskey(ctx, person, remove)
    return passkeysOf(caller)
  },
})

function assertName(name: string | undefined): string {
  if (name === undefined)
    throw new AppError('invalid_input', {}, { fields: [{ field: 'name', reason: 'required' }] })
  return name
}

/** "Firefox · Windows" */
function deviceName(userAgent: string): string {
  const { browser, system } = deviceOf(userAgent)
  return [browser, system].filter((part) => part !== '').join(' · ') || 'Passkey'
}

const secondFactorShape = z
  .object({
    on: z.boolean().meta({ description: 'Whether signing in with a password asks for a code too' }),
    since_text: z.string().meta({
      description: 'In the language of the call; empty while off',
      examples: ['20 November 2026'],
    }),
    recovery_codes_left: z.int().meta({ examples: [10] }),
  })
  .meta({ id: 'SecondFactor' })

async function secondFactorOf({
  ctx,
  language,
  services,
  person,
}: SignedInCaller): Promise<z.input<typeof secondFactorShape>> {
  const { isOn, confirmedAt, recoveryCodesLeft } = await readSecondFactor(ctx.db, person.accountId)
  return {
    on: isOn,
    since_text: confirmedAt ? formatDate(language.code, confirmedAt, services.timeZone) : '',
    recovery_codes_left: recoveryCodesLeft,
  }
}

export const userSecondFactor = personalCall({
  path: 'user/second_factor',
  method: 'GET',
  summary: 'Whether signing in asks for a code of an authenticator app',
  access: 'signed-in',
  limit: 'read',
  body: z.object({}),
  data: secondFactorShape,
  example: {},
  answer: secondFactorOf,
})

export const userChangeSecondFactor = personalCall({
  path: 'user/second_factor',
  method: 'POST',
  summary: 'Turn codes of an authenticator app on or off',
  description:
    'One of `begin` (answers what the app is told, once), `confirm` (its first code; answers ten recovery codes, once), `renew_recovery` (ten new ones, the old are void) and `remove`. Turning codes on or off ends every other session.',
  access: 'fresh',
  limit: 'write',
  body: z
    .strictObject({
      begin: z.literal(true).optional(),
      confirm: z.string().max(40).optional(),
      renew_recovery: z.literal(true).optional(),
      remove: z.literal(true).optional(),
    })
    .refine((body) => isOne([body.begin, body.confirm, body.renew_recovery, body.remove])),
  data: z
    .object({
      ...secondFactorShape.shape,
      invitation: z
        .object({
          uri: z.string().meta({
            examples: [
              'otpauth://totp/Corner%20Shop:rizky99?issuer=Corner%20Shop&secret=GEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30',
            ],
          }),
          seed: z
            .string()
            .meta({ description: 'To type where no camera is', examples: ['GEZD GNBV GY3T QOJQ'] }),
          qr: z.string().meta({
            description:
              'The address as a QR code: SVG of its dark modules, in the colour of the text around it',
            examples: ['<svg …'],
          }),
        })
        .nullable(),
      recovery_codes: z
        .array(z.string())
        .meta({ description: 'Shown this once', examples: [['4T7QX-0ZK9M']] }),
    })
    .meta({ id: 'SecondFactorChange' }),
  example: { begin: true },
  isSecretAnswer: true,
  async answer(caller, body) {
    const { ctx, person, shop } = caller
    await takeAccountChange(ctx, person.accountId)
    const invitation = body.begin
      ? await beginSecondFactor(ctx, person.accountId, shop.settings.name)
      : null
    const codes =
      body.confirm !== undefined
        ? await confirmSecondFactor(ctx, person, body.confirm)
        : body.renew_recovery
          ? await renewRecoveryCodes(ctx, person.accountId)
          : []
    if (body.remove) await removeSecondFactor(ctx, person)
    return { ...(await secondFactorOf(caller)), invitation, recovery_codes: [...codes] }
  },
})

function isOne(given: readonly unknown[]): boolean {
  return given.filter((value) => value !== undefined).length === 1
}
