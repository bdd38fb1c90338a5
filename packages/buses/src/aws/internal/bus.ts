import type { Publisher } from '@sallyport/webhooks'

/** A publisher on a service of AWS. */
export interface AwsBus extends Publisher {
  /** Resolves if the service answers for the destination; otherwise rejects with the reason. */
  ping(): Promise<void>
  /** Rejects new calls, resolves when the running calls have ended, and closes a client that the publisher created. */
  close(): Promise<void>
}

interface AwsBusHooks {
  /** Called once when a call fails because of the service, until a call succeeds again. */
  readonly onUnavailable?: (error: unknown) => unknown
  /** Called when a call succeeds for the first time or again. */
  readonly onAvailable?: () => unknown
}

export interface AwsBusOptions extends AwsBusHooks {
  /** Timeout of one call of `publish`, in milliseconds. @default 4,000 */
  readonly timeoutMs?: number
  /** Concurrent requests of one call of `publish`. @default 10; 1 for FIFO */
  readonly concurrency?: number
}
