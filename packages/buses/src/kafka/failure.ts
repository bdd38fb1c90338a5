import { isSallyportError } from '@sallyport/errors'
import type { PublishResult } from '@sallyport/webhooks'

export const tooLarge: PublishResult = {
  ...{ ok: false, retryable: false, tooLarge: true },
  error:
    'The event is larger than Kafka accepts: set dataref, or raise max.message.bytes of the topic, and replay the event',
}

/** Converts an error into a retryable failure. */
export function toFailure(error: unknown): PublishResult {
  return { ok: false, retryable: true, error: describeError(error) }
}

/** Whether the brokers refused a message or a batch because of its size. Nothing of the batch is stored then. */
export function isTooLarge(error: unknown): boolean {
  return ['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE'].includes(findApiError(error) ?? '')
}

/** Returns the reason of an error of the library: an error code of Kafka, or the message of the innermost error. */
export function describeError(error: unknown): string {
  if (isSallyportError(error)) return error.message
  return `Kafka: ${findApiError(error) ?? findMessage(error)}`
}

/** Whether a partition has no leader yet, or another leader than before. Nothing of the partition's events is stored then. */
export function isMoved(error: unknown): boolean {
  return ['NOT_LEADER_OR_FOLLOWER', 'LEADER_NOT_AVAILABLE', 'UNKNOWN_TOPIC_OR_PARTITION'].includes(
    findApiError(error) ?? '',
  )
}

interface LibraryError {
  readonly apiId?: unknown
  readonly message?: unknown
  readonly errors?: readonly unknown[]
  readonly cause?: unknown
}

/** Returns the error code of Kafka, such as `MESSAGE_TOO_LARGE`, in an error or its causes. */
export function findApiError(error: unknown): string | undefined {
  const { apiId, errors = [], cause } = Object(error) as LibraryError
  if (typeof apiId === 'string') return apiId
  for (const inner of [...errors, ...(cause === undefined ? [] : [cause])]) {
    const found = findApiError(inner)
    if (found !== undefined) return found
  }
  return undefined
}

function findMessage(error: unknown): string {
  const { message, errors = [], cause } = Object(error) as LibraryError
  const inner = errors.at(-1) ?? cause
  if (inner !== undefined) return findMessage(inner)
  return typeof message === 'string' && message !== '' ? message : 'no reason given'
}
