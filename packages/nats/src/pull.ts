import { createInbox, nanos, type Msg, type NatsConnection } from '@nats-io/transport-node'
import { longestTimer } from './options.ts'

export interface PullOptions {
  readonly stream: string
  readonly consumer: string
  readonly limit: number
  /** How long the server waits for the messages, in milliseconds; 0 for those that are there. */
  readonly waitMs: number
  /** How long to wait for the server's answer beyond that, in milliseconds. */
  readonly timeoutMs: number
  /** How long to wait for more than one message, in milliseconds: the lease of the first runs meanwhile. */
  readonly patienceMs: number
  /** Ends the wait; what had arrived by then is the answer. */
  readonly signal: AbortSignal
}

interface Pulled {
  readonly messages: readonly Msg[]
  /** Whether it lost its patience: more may be under way, and is left to its lease. */
  readonly isCut: boolean
}

/** What the server says when it has no more to send: nothing is there, or the time is up. */
const ends = new Set([404, 408])

/**
 * Pulls a batch from a consumer. By JetStream's protocol, as the client library waits for a second at least.
 *
 * @see https://docs.nats.io/reference/reference-protocols/nats_api_reference
 */
export async function pull(connection: NatsConnection, options: PullOptions): Promise<Pulled> {
  const { stream, consumer, limit, waitMs, timeoutMs, patienceMs, signal } = options
  const messages: Msg[] = []
  /** With whether it was cut. */
  const done = Promise.withResolvers<boolean>()
  const inbox = createInbox()
  let isImpatient = false
  let isCut = false
  const subscription = connection.subscribe(inbox, {
    callback: (error, message) => {
      const code = message.headers?.code ?? 0
      if (error) done.reject(error)
      else if (code === 0) {
        messages.push(message)
        if (messages.length === limit) done.resolve(false)
        else if (isImpatient) done.resolve(true)
      } else if (ends.has(code)) done.resolve(false)
      else done.reject(new Error(`NATS: ${message.headers?.description ?? 'no reason given'} (${code})`))
    },
  })
  const timer = setTimeout(
    () => {
      done.reject(new Error('NATS: no answer from the consumer'))
    },
    Math.min(longestTimer, waitMs + timeoutMs),
  )
  // What waits to be read by a process that stood still is read first.
  const patience = setTimeout(setImmediate, patienceMs, () => {
    isImpatient = true
    if (messages.length > 0) done.resolve(true)
  })
  const stop = () => {
    done.resolve(false)
  }
  signal.addEventListener('abort', stop)
  try {
    const wait = waitMs > 0 ? { expires: nanos(waitMs) } : { no_wait: true }
    const request = JSON.stringify({ batch: limit, ...wait })
    connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`, request, { reply: inbox })
    if (signal.aborted) stop()
    isCut = await done.promise
  } catch (error) {
    // What has arrived is leased: it is worth more than the reason why there is no more.
    if (messages.length === 0) throw error
  } finally {
    clearTimeout(timer)
    clearTimeout(patience)
    signal.removeEventListener('abort', stop)
    if (isCut) subscription.unsubscribe()
    // What the server sent before it heard of the end still arrives.
    else await subscription.drain().catch(() => undefined)
  }
  return { messages, isCut }
}
