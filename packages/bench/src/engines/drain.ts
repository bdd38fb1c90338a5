import {
  createDispatcher,
  createMemoryInbox,
  type CompleteInbox,
  type WebhookEvent,
  type Publisher,
} from '@sallyport/webhooks'
import { forEachConcurrently, computeRate, createRecord } from './events.ts'

const body = new Uint8Array(16)

/** A bus that accepts and discards every event. */
export const nowhere: Publisher = {
  publish: (events) => Promise.resolve(events.map(() => ({ ok: true }))),
}

/** Records events as the unclaimed backlog of another process. */
export async function fill(inbox: CompleteInbox, events: readonly WebhookEvent[]): Promise<void> {
  await forEachConcurrently(events, 500, (event) => inbox.record(createRecord(event, body)))
}

/**
 * Publishes a number of events with a dispatcher and returns the events per second.
 *
 * @throws Error with the message of a failed attempt
 */
export async function drain(inbox: CompleteInbox, publisher: Publisher, count: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  let done = 0
  const dispatcher = createDispatcher({
    inbox,
    publisher,
    onAttempt({ outcome }) {
      if (outcome.status === 'retry' || outcome.status === 'dead') reject(new Error(outcome.error))
      else if (outcome.status === 'done' && ++done === count) resolve(undefined)
    },
    onError: reject,
  })
  const startedAt = performance.now()
  dispatcher.start()
  try {
    await promise
    return computeRate(startedAt, count)
  } finally {
    await dispatcher.stop()
  }
}

/** Publishes events with a dispatcher from a memory inbox. */
export async function publishThroughDispatcher(
  publisher: Publisher,
  events: readonly WebhookEvent[],
): Promise<number> {
  const inbox = createMemoryInbox({ keys: events.length })
  await fill(inbox, events)
  return drain(inbox, publisher, events.length)
}
