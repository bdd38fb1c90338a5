/**
 * The cause of 401 `INVALID_TOKEN` for a used refresh token, whose session has ended: the token was probably stolen. For a
 * security log.
 */
export class RefreshTokenReuse extends Error {
  override readonly name = 'RefreshTokenReuse'
  readonly sessionId: string
  readonly userId: string

  constructor({ sessionId, userId }: Pick<RefreshTokenReuse, 'sessionId' | 'userId'>) {
    super('A used refresh token was reused; its session was revoked')
    this.sessionId = sessionId
    this.userId = userId
  }
}
