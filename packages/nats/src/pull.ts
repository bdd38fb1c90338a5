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
  /** Ends the wait; what had arrived by then is the answer. */
  readonly signal: AbortSignal
}

/** What the server says when it has no more to send: nothing is there, or the time is up. */
const ends = new Set([404, 408])

/**
 * Pulls a batch from a consumer. By JetStream's protocol, as the client library waits for a second at least.
 *
 * @see https://docs.nats.io/reference/reference-protocols/nats_api_reference
 */
export async function pull(connection: NatsConnection, options: PullOptions): Promise<readonly Msg[]> {
  const { stream, consumer, limit, waitMs, timeoutMs, signal } = options
  const messages: Msg[] = []
  const done = Promise.withResolvers<undefined>()
  const inbox = createInbox()
  const subscription = connection.subscribe(inbox, {
    callback: (error, message) => {
      const code = message.headers?.code ?? 0
      if (error) done.reject(error)
      else if (code === 0) {
        messages.push(message)
        if (messages.length === limit) done.resolve(undefined)
      } else if (ends.has(code)) done.resolve(undefined)
      else done.reject(new Error(`NATS: ${message.headers?.description ?? 'no reason given'} (${code})`))
    },
  })
  const timer = setTimeout(
    () => {
      done.reject(new Error('NATS: no answer from the consumer'))
    },
    Math.min(longestTimer, waitMs + timeoutMs),
  )
  const stop = () => {
    done.resolve(undefined)
  }
  signal.addEventListener('abort', stop)
  try {
    const wait = waitMs > 0 ? { expires: nanos(waitMs) } : { no_wait: true }
    const request = JSON.stringify({ batch: limit, ...wait })
    connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`, request, { reply: inbox })
    if (signal.aborted) stop()
    await done.promise
  } catch (error) {
    // What has arrived is leased: it is worth more than the reason why there is no more.
    if (messages.length === 0) throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    // What the server sent before it heard of the end still arrives.
    await subscription.drain().catch(() => undefined)
  }
  return messages
}
