import { CodedError, type ErrorCode } from '@sallyport/errors'

// The errors of the gateway, in the order of the pipeline. Each error has its status here, so that the bundle of a worker
// does not need the table of all codes.

const tryAgain = (status: number, code: ErrorCode, seconds: number, message: string, cause?: unknown) =>
  new CodedError(status, code, message, { headers: { 'Retry-After': String(seconds) }, cause })

export function rateLimited(waitMs: number): CodedError {
  const seconds = Math.ceil(waitMs / 1000)
  return tryAgain(429, 'RATE_LIMITED', seconds, 'Too many failed verifications: try again')
}

export function unknownProvider(): CodedError {
  return new CodedError(404, 'UNKNOWN_PROVIDER', 'No provider of this name is registered')
}

export function unknownEndpoint(): CodedError {
  return new CodedError(404, 'UNKNOWN_ENDPOINT', 'The provider has no endpoint of this id')
}

export function endpointDisabled(): CodedError {
  return new CodedError(410, 'GONE', 'The endpoint is disabled')
}

export function endpointsUnavailable(cause: unknown): CodedError {
  return providerUnavailable('The endpoints are unavailable: try again', cause)
}

export function endpointRateLimited(waitMs: number): CodedError {
  const seconds = Math.ceil(waitMs / 1000)
  return tryAgain(429, 'RATE_LIMITED', seconds, 'Too many deliveries to this endpoint: try again')
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
  return tryAgain(503, 'OVERLOADED', 1, 'Too many bodies at the same time: try again')
}

/** Creates the error for a body that exceeds the `timeoutMs` of its sink: 408 `REQUEST_TIMEOUT`. */
export function bodyTimeout(): CodedError {
  return new CodedError(408, 'REQUEST_TIMEOUT', 'The body took too long')
}

/** Creates the error for a body whose sender disconnects: 400 `BAD_REQUEST`. */
export function bodyAborted(): CodedError {
  return badRequest('The body ended early')
}

/** Creates the error for a body that another reader has read: 503 `PROVIDER_UNAVAILABLE`. */
export function bodyTaken(): CodedError {
  return providerUnavailable('The body was read before the gateway: mount the gateway before body parsers')
}

export function badRequest(message: string): CodedError {
  return new CodedError(400, 'BAD_REQUEST', message)
}

/**
 * Creates the error for a fault of this server, such as a wrong secret or configuration. The service sends the delivery
 * again, and the failure limiter does not count the request.
 *
 * @param message describes the expected format of a key, and holds no part of the key
 */
export function providerUnavailable(message: string, cause?: unknown): CodedError {
  return tryAgain(503, 'PROVIDER_UNAVAILABLE', 5, message, cause)
}

export function secretUnavailable(cause: unknown): CodedError {
  return providerUnavailable('The secret of this provider is not available: try again', cause)
}

export function invalidSignature(): CodedError {
  return new CodedError(401, 'INVALID_SIGNATURE', 'The signature of this delivery does not hold')
}

export function invalidJson(message: string): CodedError {
  return new CodedError(400, 'INVALID_JSON', message)
}

export function inboxUnavailable(cause: unknown): CodedError {
  return tryAgain(503, 'INBOX_UNAVAILABLE', 5, 'The inbox is unavailable: try again', cause)
}

export function unfinishedDelivery(): CodedError {
  return new CodedError(
    409,
    'CONFLICT',
    'Events of this delivery have unfinished work: erase the delivery after they are published and notified',
  )
}
