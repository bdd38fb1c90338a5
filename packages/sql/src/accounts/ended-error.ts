import { formatBearerChallenge } from '@sallyport/auth'
import { SallyportError } from '@sallyport/errors'

/** Creates the error of a request whose session has ended since its token was checked. */
export function createEndedError(): SallyportError {
  return new SallyportError('INVALID_TOKEN', 'The session has ended; log in again', {
    headers: { 'WWW-Authenticate': formatBearerChallenge({ error: 'invalid_token' }) },
  })
}
