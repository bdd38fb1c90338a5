import { SallyportError } from '@sallyport/errors'
import type { AnyProvider } from './provider.ts'

// Everything that the gateway says no with, in the order of the pipeline.

export function rateLimited(waitMs: number): SallyportError {
  return new SallyportError(
    'RATE_LIMITED',
    'Too many failed verifications from this address: try again later',
    {
      headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
    },
  )
}

export function unknownProvider(): SallyportError {
  return new SallyportError('UNKNOWN_PROVIDER', 'No provider of this name is registered here')
}

/** What a provider's endpoint answers to: deliveries, challenges, and the question itself. */
export function allowedMethods(provider: AnyProvider): readonly string[] {
  return [...new Set(['POST', ...(provider.handshake?.methods ?? []), 'OPTIONS'])]
}

export function methodNotAllowed(allowed: readonly string[]): SallyportError {
  return new SallyportError('METHOD_NOT_ALLOWED', 'Deliveries are sent by POST', {
    headers: { Allow: allowed.join(', ') },
  })
}

export function unsupportedEncoding(): SallyportError {
  return new SallyportError(
    'UNSUPPORTED_MEDIA_TYPE',
    'This provider does not sign compressed bodies: send it without a Content-Encoding',
  )
}

export function payloadTooLarge(limit: number): SallyportError {
  return new SallyportError('PAYLOAD_TOO_LARGE', `The body is larger than ${limit} bytes`)
}

export function overloaded(): SallyportError {
  return new SallyportError('OVERLOADED', 'Too many bodies are being received at once: try again', {
    headers: { 'Retry-After': '1' },
  })
}

/** What a host refuses a body with that took longer than its sink allows: 408 `REQUEST_TIMEOUT`. */
export function bodyTimeout(): SallyportError {
  return new SallyportError('REQUEST_TIMEOUT', 'The body took too long to arrive')
}

/** What a host refuses a body with whose sender went away: 400 `BAD_REQUEST`. */
export function bodyAborted(): SallyportError {
  return new SallyportError('BAD_REQUEST', 'The body ended early')
}

export function challengeTooLarge(): SallyportError {
  return new SallyportError('BAD_REQUEST', 'The challenge is longer than any that this provider sends')
}

export function providerUnavailable(cause: unknown): SallyportError {
  return new SallyportError(
    'PROVIDER_UNAVAILABLE',
    'The secret of this provider cannot be had now: try again',
    {
      headers: { 'Retry-After': '5' },
      cause,
    },
  )
}

export function invalidSignature(): SallyportError {
  return new SallyportError('INVALID_SIGNATURE', 'The signature of this delivery does not hold')
}

export function invalidJson(message: string): SallyportError {
  return new SallyportError('INVALID_JSON', message)
}

export function inboxUnavailable(cause: unknown): SallyportError {
  return new SallyportError('INBOX_UNAVAILABLE', 'The delivery cannot be recorded now: try again', {
    headers: { 'Retry-After': '5' },
    cause,
  })
}

export function unfinishedDelivery(): SallyportError {
  return new SallyportError(
    'CONFLICT',
    'Events of this delivery are still to be published or notified of: erase it when that has ended',
  )
}
