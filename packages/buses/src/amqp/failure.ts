import { isSallyportError, SallyportError } from '@sallyport/errors'
import type { PublishResult } from '@sallyport/webhooks'
import { createPlainErrors } from '../client/failure.ts'

/** Converts an error into a retryable failure. No error of a connection or channel is final for an event. */
export function toFailure(error: unknown): PublishResult {
  return { ok: false, retryable: true, error: toPlainError(error).message }
}

/** Creates a failure that a retry would repeat. */
export function finalFailure(error: string): PublishResult {
  return { ok: false, retryable: false, error }
}

/** @param maximum the limit in bytes */
export const createTooLarge = (maximum: number): PublishResult => ({
  ...{ ok: false, retryable: false, tooLarge: true },
  error: `The event is larger than ${maximum} bytes: set dataref, or raise eventBytes and max_message_size of the server, and replay the event`,
})

/** Keeps only the message of an error, which holds no password and no data. */
export function toPlainError(error: unknown): Error {
  if (isSallyportError(error) || error instanceof TypeError) return error
  const { message = '', name = '', code } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
  if (name === 'TimeoutError')
    return new SallyportError('SERVICE_UNAVAILABLE', 'RabbitMQ: the response timed out')
  const reason = message !== '' ? message : (code ?? 'no reason given')
  return new SallyportError('SERVICE_UNAVAILABLE', `RabbitMQ: ${reason}`)
}

/** Runs an operation and converts its errors with {@link toPlainError}. */
export const withPlainErrors = createPlainErrors(toPlainError)
