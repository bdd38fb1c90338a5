import { createInbox, nanos, type Msg, type NatsConnection } from '@nats-io/transport-node'
import { maxTimerMs } from '@sallyport/internal/deadline'

export interface PullOptions {
  readonly stream: string
  readonly consumer: string
  readonly limit: number
  /** How long the server waits for messages, in milliseconds; 0 returns only available messages. */
  readonly waitMs: number
  /**
   * Timeout of the response after that wait, in milliseconds, and of further messages after the first one, because its lease is
   * running. Messages that arrive later become available again after their lease.
   */
  readonly timeoutMs: number
}

/** Status codes that end a pull: no messages, or request timeout. */
const endCodes = new Set([404, 408])

/**
 * Pulls a batch from a consumer with the JetStream protocol, because the client library waits for at least one second.
 *
 * @see https://docs.nats.io/reference/reference-protocols/nats_api_reference
 */
export async function pull(connection: NatsConnection, options: PullOptions): Promise<readonly Msg[]> {
  const { stream, consumer, limit, waitMs, timeoutMs } = options
  const messages: Msg[] = []
  /** Resolves with whether further messages may arrive. */
  const done = Promise.withResolvers<boolean>()
  const inbox = createInbox()
  let isBatchLate = false
  let isCut = false
  const subscription = connection.subscribe(inbox, {
    callback: (error, message) => {
      const code = message.headers?.code ?? 0
      if (error) done.reject(error)
      else if (code === 0) {
        messages.push(message)
        if (messages.length === limit) done.resolve(false)
        else if (isBatchLate) done.resolve(true)
      } else if (endCodes.has(code)) done.resolve(false)
      else done.reject(new Error(`NATS: ${message.headers?.description ?? 'no reason given'} (${code})`))
    },
  })
  const timer = setTimeout(
    () => {
      done.reject(new Error('NATS: the consumer did not respond in time'))
    },
    Math.min(maxTimerMs, waitMs + timeoutMs),
  )
  // setImmediate lets a process that was paused read its buffered messages first.
  const batchTimer = setTimeout(setImmediate, timeoutMs, () => {
    isBatchLate = true
    if (messages.length > 0) done.resolve(true)
  })
  try {
    const wait = waitMs > 0 ? { expires: nanos(waitMs) } : { no_wait: true }
    const request = JSON.stringify({ batch: limit, ...wait })
    connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`, request, { reply: inbox })
    isCut = await done.promise
  } catch (error) {
    // The messages that have arrived are leased and must not be dropped.
    if (messages.length === 0) throw error
  } finally {
    clearTimeout(timer)
    clearTimeout(batchTimer)
    if (isCut) subscription.unsubscribe()
    // Messages that the server sent before the end still arrive.
    else await subscription.drain().catch(() => undefined)
  }
  return messages
}
