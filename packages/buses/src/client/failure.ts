import { SallyportError } from '@sallyport/errors'
import { createOperationTracker, type OperationTracker } from '@sallyport/internal/operation-tracker'
import type { PublishResult } from '@sallyport/webhooks'

/** The result for an event that cannot be serialized. A retry would fail again. */
export const notSerializable: PublishResult = {
  ok: false,
  retryable: false,
  error: 'The event cannot be written as JSON',
}

/** Tracks the calls of a bus, which rejects them after `close`. */
export const createBusTracker = (): OperationTracker =>
  createOperationTracker(() => new SallyportError('SERVICE_UNAVAILABLE', 'The bus is closed: open another'))

/** Returns the function that runs an operation and converts its errors. */
export const createPlainErrors =
  (toPlainError: (error: unknown) => Error) =>
  async <Value>(operation: () => Promise<Value>): Promise<Value> => {
    try {
      return await operation()
    } catch (error) {
      throw toPlainError(error)
    }
  }
