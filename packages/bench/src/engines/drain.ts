import {
  createDispatcher,
  memoryInbox,
  type Inbox,
  type InternalEvent,
  type Publisher,
} from '@sallyport/webhooks'
import { inPool, rateSince, recordOf } from './events.ts'

const body = new Uint8Array(16)

/** Takes everything and keeps nothing. */
export const nowhere: Publisher = {
  publish: (events) => Promise.resolve(events.map(() => ({ ok: true }))),
}

/** Records events as the backlog of another process, which nobody holds. */
export async function fill(inbox: Inbox, events: readonly InternalEvent[]): Promise<void> {
  await inPool(events, 500, (event) => inbox.record(recordOf(event, body)))
}

/**
 * Has a dispatcher publish so many events, and tells how many a second that were.
 *
 * @throws Error with what a failed attempt said
 */
export async function drain(inbox: Inbox, publisher: Publisher, count: number): Promise<number> {
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
    return rateSince(startedAt, count)
  } finally {
    await dispatcher.stop()
  }
}

/** Publishes events through a dispatcher, from a memory inbox that holds all of them. */
export async function publishThroughDispatcher(
  publisher: Publisher,
  events: readonly InternalEvent[],
): Promise<number> {
  const inbox = memoryInbox({ keys: events.length })
  await fill(inbox, events)
  return drain(inbox, publisher, events.length)
}
