import { isSallyportError, SallyportError } from '@sallyport/errors'
import type { PublishResult } from '@sallyport/webhooks'
import { createPlainErrors } from '../client/failure.ts'

/** @param maximum the limit in bytes */
export const createTooLarge = (maximum: number): PublishResult => ({
  ...{ ok: false, retryable: false, tooLarge: true },
  error: `The event is larger than ${maximum} bytes: set dataref, or raise eventBytes, and replay the event`,
})

export const missingResult: PublishResult = {
  ok: false,
  retryable: true,
  error: 'Redis returned no result for this event',
}

/** Converts an error into a retryable failure. No error of Redis is final for an event. */
export function toFailure(error: unknown): PublishResult {
  return { ok: false, retryable: true, error: toPlainError(error).message }
}

/** Keeps only the message of an error. Errors of ioredis hold the command and its arguments, such as a password. */
export function toPlainError(error: unknown): Error {
  if (isSallyportError(error) || error instanceof TypeError) return error
  const { message = '', code } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
  const reason = message !== '' ? message : (code ?? 'no reason given')
  return new SallyportError('SERVICE_UNAVAILABLE', `Redis: ${reason}`)
}

/** Runs an operation and converts its errors with {@link toPlainError}. */
export const withPlainErrors = createPlainErrors(toPlainError)

/** An error that lasts until the configuration changes or the URL leads to another server. */
export class ServerRefusal extends SallyportError {
  constructor(message: string) {
    super('SERVICE_UNAVAILABLE', message)
  }
}
