import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { encodeCbor, type Cbor } from './cbor.ts'

/** How an answer is to differ from an honest one. */
export interface Deviation {
  readonly origin?: string
  readonly rpId?: string
  readonly userHandle?: string
  /** Without the person's finger or PIN. */
  readonly isUnverified?: boolean
  readonly counter?: number
  readonly spoilSignature?: boolean
}

const FLAGS = {
  present: 0x01,
  verified: 0x04,
  mayBeBackedUp: 0x08,
  isBackedUp: 0x10,
  hasCredential: 0x40,
}

export type Authenticator = ReturnType<typeof createAuthenticator>

/**
 * One passkey of a software authenticator (ES256), made for a shop's origin. `create` and `get` answer what a browser's
 * `toJSON()` would; verification of their answers is the real one.
 * @param counts whether it keeps a signature counter; passkeys that are copied between devices do not
 */
export function createAuthenticator(origin: string, counts = true) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  const credential = {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key' as const,
  }
  let owner = ''
  let uses = 0

  /** Hash of the relying party's id, flags, counter (WebAuthn §6.1). */
  const head = (rpId: string, flags: number, { isUnverified, counter }: Deviation) => {
    const rest = Buffer.alloc(5)
    rest[0] =
      flags |
      FLAGS.present |
      (isUnverified ? 0 : FLAGS.verified) |
      (counts ? 0 : FLAGS.mayBeBackedUp | FLAGS.isBackedUp)
    rest.writeUInt32BE(counter ?? (counts ? uses : 0), 1)
    return Buffer.concat([sha256(rpId), rest])
  }
  const clientData = (type: string, challenge: string, deviation: Deviation) =>
    Buffer.from(
      JSON.stringify({ type, challenge, origin: deviation.origin ?? origin, crossOrigin: false }),
    )

  return {
    id: credential.id,

    create(
      options: {
        readonly challenge: string
        readonly rp: { readonly id?: string }
        readonly user: { readonly id: string }
      },
      deviation: Deviation = {},
    ) {
      owner = options.user.id
      // COSE (RFC 9053): key type EC2, algorithm ES256, curve P-256.
      const key = new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ])
      const length = Buffer.from([id.length >> 8, id.length & 0xff])
      const authData = Buffer.concat([
        head(deviation.rpId ?? options.rp.id ?? '', FLAGS.hasCredential, deviation),
        Buffer.alloc(16),
        length,
        id,
        encodeCbor(key),
      ])
      return {
        ...credential,
        response: {
          clientDataJSON: clientData('webauthn.create', options.challenge, deviation).toString(
            'base64url',
          ),
          attestationObject: encodeCbor(
            new Map<string, Cbor>([
              ['fmt', 'none'],
              ['attStmt', new Map()],
              ['authData', authData],
            ]),
          ).toString('base64url'),
          transports: ['internal', 'hybrid', 'unheard-of'],
        },
      }
    },

    get(
      options: { readonly challenge: string; readonly rpId?: string },
      deviation: Deviation = {},
    ) {
      uses += 1
      const authData = head(deviation.rpId ?? options.rpId ?? '', 0, deviation)
      const client = clientData('webauthn.get', options.challenge, deviation)
      const signature = createSign('sha256')
        .update(authData)
        .update(sha256(client))
        .sign(privateKey)
      const last = signature.length - 1
      if (deviation.spoilSignature) signature[last] = (signature[last] ?? 0) ^ 1
      return {
        ...credential,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle: deviation.userHandle ?? owner,
        },
      }
    },
  }
}

function sha256(value: string | Buffer): Buffer {
  return createHash('sha256').update(value).digest()
}
