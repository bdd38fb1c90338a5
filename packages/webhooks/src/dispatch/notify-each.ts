import { runWithTimeout } from '@sallyport/internal/deadline'
import { ignoreRejection } from '@sallyport/internal/promises'
import type { InternalEvent, Message } from '../ports/event.ts'
import { failureOf } from './outcome.ts'
import type { Notifier, PublishResult } from '../ports/ports.ts'
import type { AnyProvider } from '../provider/provider.ts'
import { createRegistry } from '../gateway/registry.ts'
import type { AttemptBatch } from './work-loop.ts'

/** Who is told of published events, and the providers whose notify functions write the messages. */
export interface Notifications {
  readonly notifier: Notifier
  readonly providers: Iterable<AnyProvider>
}

/** Each message has a time of its own, shorter than the batch's: one that hangs is not told for the others. */
export function notifyEach({ notifier, providers }: Notifications, timeoutMs: number): AttemptBatch {
  const registry = createRegistry(providers)

  async function notifyOne(event: InternalEvent): Promise<PublishResult> {
    const provider = registry.get(event.source.provider)
    // Whoever recorded it had one: another process may, as while a new version is rolled out.
    if (provider?.notify === undefined) return unknownHere
    let message: Message | undefined
    try {
      // The event came out of this provider's own normalizer, so its notify function can read it.
      message = provider.notify(event as never)
      if (ignoreRejection(message))
        throw new TypeError('A notify function returns its message, and no promise')
    } catch {
      return { ok: false, retryable: false, error: 'The notify function of the provider failed' }
    }
    if (message === undefined) return { ok: true }
    const told = message
    try {
      await runWithTimeout(timeoutMs, (signal) => notifier.notify(told, event, signal))
      return { ok: true }
    } catch (error) {
      return { ...failureOf(error), retryable: !isFinal(error) }
    }
  }

  return (works) => Promise.all(works.map(({ event }) => notifyOne(event)))
}

const unknownHere: PublishResult = {
  ok: false,
  retryable: true,
  error: 'No notify function is known for the provider',
}

const isFinal = (error: unknown) => (Object(error) as { readonly retryable?: unknown }).retryable === false
