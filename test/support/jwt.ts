import { createHmac, generateKeyPairSync, sign, type JsonWebKey, type KeyObject } from 'node:crypto'

export interface SigningKey {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly jwk: JsonWebKey
}

export function newSigningKey(kid: string): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    kid,
    privateKey,
    jwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' },
  }
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

export function rs256(key: SigningKey, claims: Record<string, unknown>): string {
  const text = `${encode({ alg: 'RS256', kid: key.kid })}.${encode(claims)}`
  return `${text}.${sign('sha256', Buffer.from(text), key.privateKey).toString('base64url')}`
}

export function hs256(secret: string, claims: Record<string, unknown>): string {
  const text = `${encode({ alg: 'HS256' })}.${encode(claims)}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

export function unsigned(claims: Record<string, unknown>): string {
  return `${encode({ alg: 'none' })}.${encode(claims)}.`
}
