import { Buffer } from 'node:buffer'
import type { ChannelModel } from 'amqplib'
import type { InternalEvent, Publisher, PublishResult } from '@sallyport/webhooks'
import type { Connection } from './connection.ts'
import { ensureExchange } from './exchange.ts'
import { failureOf, finalFailure, plainly } from './failure.ts'
import { messageOf, shortTextBytes, type Message } from './message.ts'
import { Operations } from './operations.ts'
import { requireIntegers } from './options.ts'
import { openOutbox, type Outbox } from './outbox.ts'
import { untilAborted } from './until-aborted.ts'
import { withDeadline } from './with-deadline.ts'

export interface AmqpBusOptions {
  /**
   * The exchange that events are published to; made when it is missing, durable and for topics, and never changed.
   *
   * @default sallyport
   */
  readonly exchange?: string
  /**
   * Whether an event that no queue takes is a failure that is tried again; otherwise the server drops it, and it counts
   * as published.
   *
   * @default true
   */
  readonly mandatory?: boolean
  /** How large an event may be as JSON, in bytes; a larger one is never published. @default 16,777,216 (16 MiB) */
  readonly eventBytes?: number
}

/** A bus on an exchange. */
export interface AmqpBus extends Publisher {
  /** Resolves when the exchange is there; rejects with the reason when it is not. */
  ping(): Promise<void>
  /** Finishes what is under way, and refuses everything from then on. */
  close(): Promise<void>
}

/** How the server says that a message is too large, whereupon it closes the channel. */
const serverLimit = /message size \d+ is larger than .*max size (\d+)/

export function createBus(connection: Connection, timeoutMs: number, options: AmqpBusOptions): AmqpBus {
  const { exchange = 'sallyport', mandatory = true, eventBytes = 16_777_216 } = options
  if (exchange === '' || Buffer.byteLength(exchange) > shortTextBytes)
    throw new TypeError(`The name of an exchange has 1 to ${shortTextBytes} bytes`)
  requireIntegers({ eventBytes })
  const operations = new Operations('bus')
  const limits = new WeakMap<ChannelModel, number>()
  let opening: { readonly by: ChannelModel; readonly outbox: Promise<Outbox> } | undefined

  function openOn(by: ChannelModel): Promise<Outbox> {
    const mine = {
      by,
      outbox: ensureExchange(by, exchange).then(() =>
        openOutbox(by, { ...{ exchange, mandatory }, onClosed }),
      ),
    }
    const drop = () => {
      if (opening === mine) opening = undefined
    }
    function onClosed({ message }: Error): void {
      const [, limit] = serverLimit.exec(message) ?? []
      if (limit !== undefined) limits.set(by, Number(limit))
      drop()
    }
    opening = mine
    mine.outbox.catch(drop)
    return mine.outbox
  }

  async function open(): Promise<{ readonly outbox: Outbox; readonly maximum: number }> {
    const by = await connection.current()
    const outbox = await (opening?.by === by ? opening.outbox : openOn(by))
    return { outbox, maximum: Math.min(eventBytes, limits.get(by) ?? eventBytes) }
  }

  async function publishAll(
    events: readonly InternalEvent[],
    stop: AbortSignal,
  ): Promise<readonly PublishResult[]> {
    const tooLate = new Promise<PublishResult>((resolve) => {
      stop.addEventListener('abort', () => {
        resolve(failureOf(stop.reason))
      })
    })
    const { outbox, maximum } = await untilAborted(open(), stop)
    const answers: Promise<PublishResult>[] = []
    for (const event of events) {
      const room = outbox.room()
      if (room) await Promise.race([room, tooLate])
      answers.push(stop.aborted ? tooLate : Promise.race([publishOne(event, outbox, maximum), tooLate]))
    }
    return Promise.all(answers)
  }

  return {
    publish: (events, signal) =>
      operations.run(async () => {
        signal.throwIfAborted()
        if (events.length === 0) return []
        const publishing = withDeadline(timeoutMs, signal, (stop) => publishAll(events, stop))
        return untilAborted(
          publishing.catch((error: unknown) => events.map(() => failureOf(error))),
          signal,
        )
      }),
    ping: () =>
      operations.run(() =>
        plainly(async () => {
          const by = connection.current().then((current) => ensureExchange(current, exchange))
          await untilAborted(by, AbortSignal.timeout(timeoutMs))
        }),
      ),
    async close() {
      await operations.close()
      const closing = opening?.outbox.then((outbox) => outbox.close()) ?? Promise.resolve()
      await untilAborted(closing, AbortSignal.timeout(timeoutMs)).catch(() => undefined)
    },
  }
}

async function publishOne(event: InternalEvent, outbox: Outbox, maximum: number): Promise<PublishResult> {
  // Whatever is refused for what it is would close the channel, and be a failure of everything that is on its way.
  const message = jsonMessageOf(event)
  if (message === undefined) return finalFailure('The event cannot be written as JSON')
  // A part of the name that is empty is an underscore in the key.
  if (Math.max(Buffer.byteLength(event.name), message.routingKey.length) > shortTextBytes)
    return finalFailure(`The event's name is longer than the ${shortTextBytes} bytes of a routing key`)
  if (message.body.length > maximum)
    return finalFailure(
      `The event is larger than the ${maximum} bytes of the bus: raise eventBytes, and max_message_size of the server, and replay it`,
    )
  return outbox.send(message)
}

function jsonMessageOf(event: InternalEvent): Message | undefined {
  try {
    return messageOf(event)
  } catch {
    return undefined
  }
}
