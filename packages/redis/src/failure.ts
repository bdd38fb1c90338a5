import { isSallyportError, SallyportError } from '@sallyport/errors'
import type { PublishResult } from '@sallyport/webhooks'

/** What cannot be written today cannot be written tomorrow. */
export const unwritable: PublishResult = {
  ok: false,
  retryable: false,
  error: 'The event cannot be written as JSON',
}

export const noAnswer: PublishResult = { ok: false, retryable: true, error: 'No answer for this event' }

/** What a failed publish means: nothing that Redis says of it is final. */
export function failureOf(error: unknown): PublishResult {
  return { ok: false, retryable: true, error: plainError(error).message }
}

/** The server's words alone: the client's errors carry the command with its arguments, such as a password or an event. */
export function plainError(error: unknown): Error {
  if (isSallyportError(error) || error instanceof TypeError) return error
  const { message = '', code } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
  const reason = message !== '' ? message : (code ?? 'no reason given')
  return new SallyportError('SERVICE_UNAVAILABLE', `Redis: ${reason}`)
}

/** Runs something, and rejects with nothing but plain errors. */
export async function plainly<Value>(operation: () => Promise<Value>): Promise<Value> {
  try {
    return await operation()
  } catch (error) {
    throw plainError(error)
  }
}
