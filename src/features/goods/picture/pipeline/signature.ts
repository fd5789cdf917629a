import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secret } from '#platform/secret.ts'
import { addressOf, canonicalPicture, pictureRequest } from '../rules.ts'
import type { PictureOptions, PictureRequest, PictureStyle } from '../rules.ts'

/** 96 bits, as 16 characters of base64url. */
const SIGNATURE_LENGTH = 16

function sign(secret: Secret, request: PictureRequest): string {
  return createHmac('sha256', secret.reveal())
    .update(canonicalPicture(request))
    .digest('base64url')
    .slice(0, SIGNATURE_LENGTH)
}

/** An address that may carry effects. */
export function signedPictureUrl(
  secret: Secret,
  style: PictureStyle,
  code: string,
  options: PictureOptions,
): string {
  const request = pictureRequest(style, code, options)
  return addressOf({ ...request, signature: sign(secret, request) })
}

/**
 * The request as far as it may be honoured: without our signature its effects fall away. There are too many combinations
 * of effects to let anybody ask for all of them.
 */
export function honoured(secret: Secret, request: PictureRequest): PictureRequest {
  if (Object.keys(request.effects).length === 0) return request
  const given = Buffer.from(request.signature ?? '')
  const expected = Buffer.from(sign(secret, request))
  const genuine = given.length === expected.length && timingSafeEqual(given, expected)
  return genuine ? request : { ...request, effects: {} }
}
