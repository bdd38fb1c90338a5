import { SallyportError } from '@sallyport/errors'

/**
 * What is wrong with this server's own configuration, found when a delivery came: 503, so that the service sends it
 * again. It is never taken for a failed verification: nobody is at fault who could be told by a 401 or a limit.
 *
 * The message says what a key has to look like, and nothing of the key.
 */
export function misconfigured(message: string, cause?: unknown): SallyportError {
  return new SallyportError('PROVIDER_UNAVAILABLE', message, {
    headers: { 'Retry-After': '5' },
    ...(cause !== undefined && { cause }),
  })
}
