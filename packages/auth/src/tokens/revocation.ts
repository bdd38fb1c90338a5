/** The claims that name a token when it is asked whether it was revoked. Never its text: that is a credential. */
export interface RevocableToken {
  readonly sub: string
  readonly iat: number
  readonly exp: number
  readonly jti?: string
  readonly sid?: string
}

/** Says whether a token was revoked, by its own id or its session's. */
export interface RevocationCheck {
  /**
   * Whether the token, whose signature holds, was revoked. Asked on every verification, cached ones included, so an
   * answer that is at hand comes without a promise. One that throws refuses the token with 503.
   */
  isRevoked(token: RevocableToken): boolean | Promise<boolean>
}
