/** A service that tells the shop who somebody is: OpenID Connect, or OAuth 2 with an address that answers about the person. */
export interface IdentityProvider {
  /** Name in addresses and calls: "google", "demo". */
  readonly platform: string
  /** What people read on the button: "Google". */
  readonly name: string
  /** Where the browser is sent to: a source of the content security policy's form-action. */
  readonly origin: string
  readonly authorizationUrl: (request: AuthorizationRequest) => Promise<URL>
  /**
   * Redeems what the provider sent back. Everything in the answer was checked against what was asked for.
   * Throws identity_failed with `data: {reason}`: `refused` (the person said no), `unavailable` (no usable answer from the
   * provider, worth another try) or `invalid` (the answer proves nothing).
   */
  readonly exchange: (answer: AuthorizationAnswer) => Promise<ProviderIdentity>
  /** Throws where the service does not answer, or does not know the shop by its id and secret. */
  readonly check: (redirectUri: string) => Promise<void>
}

export interface AuthorizationRequest {
  readonly state: string
  readonly nonce: string
  /** S256 of the code verifier (RFC 7636). */
  readonly codeChallenge: string
  readonly redirectUri: string
  /** Of the shopper, so that the provider's pages may be in the same one. */
  readonly language: string
}

export interface AuthorizationAnswer {
  /** As the provider sent them: code, state, iss, error … */
  readonly parameters: Readonly<Record<string, string>>
  /** What was asked for. */
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  readonly redirectUri: string
}

export interface ProviderIdentity {
  readonly issuer: string
  /** Never changes and is never given to somebody else, within the issuer. */
  readonly subject: string
  /** In lower case; empty when the provider told none. */
  readonly email: string
  readonly emailVerified: boolean
  readonly displayName: string
}

export type IdentityFailure = 'refused' | 'unavailable' | 'invalid'
