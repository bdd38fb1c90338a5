import { SallyportError } from '@sallyport/errors'
import { bearerChallenge, type ChallengeOptions } from './challenge.ts'

/** 401 `TOKEN_MISSING`: the request carries no bearer token. Its challenge has no error attribute. */
export function tokenMissing({ realm, ...options }: ChallengeOptions = {}): SallyportError {
  return new SallyportError(
    'TOKEN_MISSING',
    'Send an access token in the header "Authorization: Bearer <token>"',
    {
      ...options,
      headers: { 'WWW-Authenticate': bearerChallenge(realm === undefined ? {} : { realm }) },
    },
  )
}

/**
 * 401 `INVALID_TOKEN`: whatever is wrong with an access token, in one text, so that a caller learns nothing from
 * trying. The reason is the `cause`, for the log.
 */
export function invalidToken({ realm, ...options }: ChallengeOptions = {}): SallyportError {
  return refused('The access token is not valid; get a new one', realm, options)
}

/** 401 `INVALID_TOKEN` for whatever is wrong with a refresh token, in one text. */
export function invalidRefreshToken({ realm, ...options }: ChallengeOptions = {}): SallyportError {
  return refused('The refresh token is not valid; log in again', realm, options)
}

function refused(message: string, realm: string | undefined, options: ErrorOptions): SallyportError {
  const challenge = bearerChallenge({ error: 'invalid_token', ...(realm !== undefined && { realm }) })
  return new SallyportError('INVALID_TOKEN', message, {
    ...options,
    headers: { 'WWW-Authenticate': challenge },
  })
}
