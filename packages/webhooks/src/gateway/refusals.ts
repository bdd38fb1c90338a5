import { CodedError, type ErrorCode } from '@sallyport/errors'
import type { AnyProvider } from '../provider/provider.ts'

// Everything that the gateway says no with, in the order of the pipeline. Each names its status: what a worker bundles
// then goes without the table of all codes.

const tryAgain = (status: number, code: ErrorCode, seconds: number, message: string, cause?: unknown) =>
  new CodedError(status, code, message, { headers: { 'Retry-After': String(seconds) }, cause })

export function rateLimited(waitMs: number): CodedError {
  const seconds = Math.ceil(waitMs / 1000)
  return tryAgain(429, 'RATE_LIMITED', seconds, 'Too many failed verifications: try again')
}

export function unknownProvider(): CodedError {
  return new CodedError(404, 'UNKNOWN_PROVIDER', 'No provider of this name is registered')
}

/** What a provider's endpoint answers to: deliveries, challenges, and the question itself. */
export function allowedMethods(provider: AnyProvider): readonly string[] {
  return [...new Set(['POST', ...(provider.handshake?.methods ?? []), 'OPTIONS'])]
}

export function methodNotAllowed(allowed: readonly string[]): CodedError {
  const headers = { Allow: allowed.join(', ') }
  return new CodedError(405, 'METHOD_NOT_ALLOWED', 'Deliveries are sent by POST', { headers })
}

export function unsupportedEncoding(): CodedError {
  return new CodedError(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send the body uncompressed')
}

export function payloadTooLarge(limit: number): CodedError {
  return new CodedError(413, 'PAYLOAD_TOO_LARGE', `The body is larger than ${limit} bytes`)
}

export function overloaded(): CodedError {
  return tryAgain(503, 'OVERLOADED', 1, 'Too many bodies at once: try again')
}

/** What a host refuses a body with that took longer than its sink allows: 408 `REQUEST_TIMEOUT`. */
export function bodyTimeout(): CodedError {
  return new CodedError(408, 'REQUEST_TIMEOUT', 'The body took too long')
}

/** What a host refuses a body with whose sender went away: 400 `BAD_REQUEST`. */
export function bodyAborted(): CodedError {
  return badRequest('The body ended early')
}

export function badRequest(message: string): CodedError {
  return new CodedError(400, 'BAD_REQUEST', message)
}

/**
 * What keeps this server from verifying deliveries of a provider: its secret, or its own configuration. The service is
 * to send them again, and nobody is at fault who could be told by a 401 or a limit.
 *
 * The message says what a key has to look like, and nothing of the key.
 */
export function providerUnavailable(message: string, cause?: unknown): CodedError {
  return tryAgain(503, 'PROVIDER_UNAVAILABLE', 5, message, cause)
}

export function secretUnavailable(cause: unknown): CodedError {
  return providerUnavailable('The secret of this provider cannot be had now: try again', cause)
}

export function invalidSignature(): CodedError {
  return new CodedError(401, 'INVALID_SIGNATURE', 'The signature of this delivery does not hold')
}

export function invalidJson(message: string): CodedError {
  return new CodedError(400, 'INVALID_JSON', message)
}

export function inboxUnavailable(cause: unknown): CodedError {
  return tryAgain(503, 'INBOX_UNAVAILABLE', 5, 'The delivery cannot be recorded now: try again', cause)
}

export function unfinishedDelivery(): CodedError {
  return new CodedError(
    409,
    'CONFLICT',
    'Events of this delivery are still to be published or notified of: erase it when that has ended',
  )
}
