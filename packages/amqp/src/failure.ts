import { isSallyportError, SallyportError } from '@sallyport/errors'
import type { PublishResult } from '@sallyport/webhooks'

/** What a failed publish means: nothing that RabbitMQ says of a whole connection or channel is final for one event. */
export function failureOf(error: unknown): PublishResult {
  return { ok: false, retryable: true, error: plainError(error).message }
}

/** A failure that would come again with the same event. */
export function finalFailure(error: string): PublishResult {
  return { ok: false, retryable: false, error }
}

/** The server's words alone, which hold no password and no data. */
export function plainError(error: unknown): Error {
  if (isSallyportError(error) || error instanceof TypeError) return error
  const { message = '', name = '', code } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
  if (name === 'TimeoutError')
    return new SallyportError('SERVICE_UNAVAILABLE', 'RabbitMQ: no answer came in time')
  const reason = message !== '' ? message : (code ?? 'no reason given')
  return new SallyportError('SERVICE_UNAVAILABLE', `RabbitMQ: ${reason}`)
}

/** Runs something, and rejects with nothing but plain errors. */
export async function plainly<Value>(operation: () => Promise<Value>): Promise<Value> {
  try {
    return await operation()
  } catch (error) {
    throw plainError(error)
  }
}
