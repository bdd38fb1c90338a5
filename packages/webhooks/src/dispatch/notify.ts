import { runWithTimeout } from '@sallyport/internal/deadline'
import { ignoreRejection } from '@sallyport/internal/promises'
import type { WebhookEvent, Message } from '../ports/event.ts'
import { toFailure } from './outcome.ts'
import type { Notifier, PublishResult } from '../ports/ports.ts'
import type { AnyProvider } from '../provider/provider.ts'
import { createRegistry } from '../provider/registry.ts'
import type { AttemptBatch } from './work-loop.ts'

/** The notifier of published events, and the providers whose notify functions create the messages. */
export interface Notifications {
  readonly notifier: Notifier
  readonly providers: Iterable<AnyProvider>
}

/** Sends the messages of a batch. Each message has a separate timeout, shorter than the timeout of the batch. */
export function notifyEach({ notifier, providers }: Notifications, timeoutMs: number): AttemptBatch {
  const registry = createRegistry(providers)

  async function notifyOne(event: WebhookEvent): Promise<PublishResult> {
    const provider = registry.get(event.source.provider)
    // Another process may have the function, such as during a rollout.
    if (provider?.notify === undefined) return unknownHere
    let message: Message | undefined
    try {
      // The normalizer of this provider created the event, so the type is correct.
      message = provider.notify(event as never)
      if (ignoreRejection(message)) throw new TypeError('A notify function must not return a promise')
    } catch {
      return { ok: false, retryable: false, error: 'The notify function of the provider failed' }
    }
    if (message === undefined) return nothingSent
    const sent = message
    try {
      await runWithTimeout(timeoutMs, (signal) => notifier.notify(sent, event, signal))
      return { ok: true }
    } catch (error) {
      return { ...toFailure(error), retryable: !isFinal(error) }
    }
  }

  return (works) => Promise.all(works.map(({ event }) => notifyOne(event)))
}

/** The notifier took nothing, which does not end its outage. */
const nothingSent: PublishResult = { ok: true, targets: [] }

const unknownHere: PublishResult = {
  ok: false,
  retryable: true,
  targets: [],
  error: 'No notify function is known for the provider',
}

const isFinal = (error: unknown) => (Object(error) as { readonly retryable?: unknown }).retryable === false
