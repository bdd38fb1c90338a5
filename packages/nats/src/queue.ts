import type { Msg } from '@nats-io/transport-node'
import { SallyportError } from '@sallyport/errors'
import type { Queue, ReceivedEvent, ReceiveOptions } from '@sallyport/webhooks'
import type { Connection } from './connection.ts'
import { failureOf, isSubjectTaken } from './failure.ts'
import { heldEvent } from './held.ts'
import { Operations } from './operations.ts'
import { requirePrefix, requireStream, requireTimers } from './options.ts'
import { Portions } from './portions.ts'
import { publishAll } from './publish.ts'
import { pull } from './pull.ts'
import { consumer, prepareQueue, queueSettings } from './queue-stream.ts'
import { ensureStream } from './stream.ts'
import { digestOf } from './subject.ts'
import { tell } from './tell.ts'

export interface NatsQueueOptions {
  /** The stream that is the queue; made when it is missing, and never changed. @default SALLYPORT_QUEUE */
  readonly stream?: string
  /**
   * What subjects begin with: tokens with dots between them, without white space, `*` and `>`.
   *
   * @default what the only subject of an existing stream begins with, else the stream's name in lower case
   */
  readonly prefix?: string
  /** How long a received event is the receiver's, in milliseconds. @default 15,000 */
  readonly leaseMs?: number
  /** Events that the stream holds, when it has to be made; past it, `enqueue` answers with a retryable failure. @default 1,000,000 */
  readonly events?: number
  /** How many servers keep a copy, 5 at most, when the stream has to be made. @default 1 */
  readonly replicas?: number
  /** Told of a message that is no event, and was taken out of the queue. */
  readonly onError?: (error: unknown) => unknown
  /** A clock that only goes forward, in milliseconds. @default performance.now */
  readonly now?: () => number
}

/** A shared queue on a stream. */
export interface NatsQueue extends Queue {
  /** Resolves when stream and consumer are there; rejects with the reason when they are not. */
  ping(): Promise<void>
}

export function createQueue(connection: Connection, timeoutMs: number, options: NatsQueueOptions): NatsQueue {
  const {
    stream: name = 'SALLYPORT_QUEUE',
    prefix,
    leaseMs = 15_000,
    events = 1_000_000,
    replicas = 1,
  } = options
  const { onError, now = () => performance.now() } = options
  requireTimers({ leaseMs })
  requireStream({ events, replicas })
  requirePrefix(prefix)
  // The server waits longer than the receiver holds: once for what was waited for, which is leased when it comes and not
  // when it was asked for, and once for what an acknowledgement may be under way.
  const slackMs = Math.ceil(Math.min(500, leaseMs / 20))
  const ackWaitMs = leaseMs + 2 * slackMs
  const stream = ensureStream(connection, {
    ...{ name, prefix, timeoutMs },
    settings: queueSettings(events, replicas),
    prepare: (by, config) => prepareQueue(by, config, { leaseMs, ackWaitMs, timeoutMs }),
  })
  const operations = new Operations('queue')
  /** Messages that one pull asks for at most: as many as came in time where not all did, and twice that once all do. */
  let most = Infinity

  /** Looks at the stream again after a failure: it may be gone. */
  const run = <Value>(operation: () => Promise<Value>) =>
    operations.run(() =>
      operation().catch((error: unknown) => {
        stream.doubt()
        throw error
      }),
    )

  async function receiveFrom(options: Required<ReceiveOptions>): Promise<ReceivedEvent[]> {
    const { waitMs, signal, ...asked } = options
    const ended = AbortSignal.any([signal, operations.closing])
    const { connection: by } = await stream.open()
    const portions = new Portions({ ...asked, messageBytes: by.info?.max_payload ?? Infinity })
    const taken: ReceivedEvent[] = []
    let heldSince: number | undefined

    /** Whether there were as many. */
    const take = async (wanted: number, forMs: number) => {
      if (ended.aborted) return false
      const some = Math.min(wanted, most)
      const askedAt = now()
      const { messages, isCut } = await pull(by, {
        ...{ stream: name, consumer, limit: some, waitMs: forMs, timeoutMs },
        patienceMs: Math.ceil(slackMs + leaseMs / 3),
        // What does not wait ends by itself.
        signal: forMs > 0 ? ended : new AbortController().signal,
      })
      if (isCut) most = messages.length
      else if (messages.length === some) most *= 2
      // The server leased them at some time since: they may have waited long for a process that stood still.
      const receivedAt = now()
      const endsAt = Math.min(receivedAt, askedAt + slackMs) + leaseMs
      // Somebody else may have them by now; if not, they come again.
      if (receivedAt >= endsAt) return false
      if (messages.length > 0) heldSince ??= endsAt - leaseMs
      const lease = { current: () => connection.current(), timeoutMs, holds: () => now() < endsAt }
      portions.took(messages)
      taken.push(...messages.flatMap((message) => readEvent(message, lease)))
      return messages.length === some
    }
    const takePresent = async () => {
      let some = portions.next()
      // Most of its lease is for whoever is given the first.
      const isEarly = () => now() - (heldSince ?? Infinity) < leaseMs / 3
      while (some > 0 && (await take(some, 0)) && isEarly()) some = portions.next()
    }
    // What was leased is not lost because another pull failed.
    const unlessTaken = (error: unknown) => {
      if (taken.length === 0) throw error
    }

    await takePresent().catch(unlessTaken)
    if (taken.length > 0 || waitMs <= 0) return taken
    const until = performance.now() + waitMs
    let leftMs = waitMs
    while (leftMs > 0 && taken.length === 0 && !ended.aborted) {
      await take(1, Math.ceil(Math.min(leftMs, slackMs)))
      leftMs = until - performance.now()
    }
    if (taken.length > 0) await takePresent().catch(unlessTaken)
    return taken
  }

  function readEvent(message: Msg, lease: Parameters<typeof heldEvent>[1]): ReceivedEvent[] {
    try {
      return [heldEvent(message, lease)]
    } catch (cause) {
      message.respond('+TERM')
      const what = `A message in ${name} is no event: it was taken out`
      tell(() => onError?.(new SallyportError('BAD_REQUEST', what, { cause })))
      return []
    }
  }

  return {
    leaseMs,
    enqueue: (incoming, signal) =>
      run(() =>
        stream.send(incoming, signal, (opened) => {
          const messages = incoming.map((event) => ({
            event,
            subject: `${opened.prefix}.${digestOf(event.id)}`,
            options: { expect: { streamName: name } },
          }))
          return publishAll(opened.connection, messages, timeoutMs, (error) => {
            if (isSubjectTaken(error)) return { ok: true, duplicate: true }
            stream.doubt()
            return failureOf(error)
          })
        }),
      ),
    receive: ({ limit, maxBytes = Infinity, waitMs = 0, signal }) =>
      run(async () => {
        if (!Number.isInteger(limit) || limit < 1) throw new TypeError('The limit is a whole number above 0')
        return signal.aborted ? [] : receiveFrom({ limit, maxBytes, waitMs, signal })
      }),
    ping: () =>
      run(async () => {
        stream.doubt()
        await stream.open()
      }),
    close: () => operations.close(),
  }
}
