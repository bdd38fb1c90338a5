import { amqpBus } from './amqp.ts'
import { eventBridgeBus, snsBus, sqsBus } from './aws.ts'
import {
  findEngine,
  listForms,
  type BusEngine,
  type BusOptions,
  type Engine,
  type OpenedBus,
  type OpenedQueue,
  type QueueEngine,
} from './bus-url.ts'
import { cloudEventsBus, inngestBus } from './http.ts'
import { kafkaBus } from './kafka.ts'
import { natsBus } from './nats.ts'
import { redisBus } from './redis.ts'

/** The buses by the scheme of their URLs. A new bus is a file in this folder and a line here. */
const buses: Readonly<Record<string, BusEngine>> = {
  'nats:': natsBus,
  'redis:': redisBus,
  'rediss:': redisBus,
  'amqp:': amqpBus,
  'amqps:': amqpBus,
  'kafka:': kafkaBus,
  'kafkas:': kafkaBus,
  'sqs+https:': sqsBus,
  'sqs+http:': sqsBus,
  'sns:': snsBus,
  'eventbridge:': eventBridgeBus,
  'inngest+https:': inngestBus,
  'inngest+http:': inngestBus,
  'cloudevents+https:': cloudEventsBus,
  'cloudevents+http:': cloudEventsBus,
}

/** The queues from which a gateway takes deliveries. */
const inboundQueues = { 'sqs+https:': sqsBus, 'sqs+http:': sqsBus }

/** The buses that can be shared queues: they have consumers, and keep every field of an event. */
const queues: Readonly<Record<string, QueueEngine>> = {
  'nats:': natsBus,
  'redis:': redisBus,
  'rediss:': redisBus,
  'amqp:': amqpBus,
  'amqps:': amqpBus,
}

const engines = { bus: buses, queue: queues, deliveries: inboundQueues }

/** What a URL is for: a bus of events, a shared queue of events, or a queue of deliveries for a gateway. */
export type BusUrlPurpose = keyof typeof engines

/**
 * Checks the URL of a bus or a queue, and returns it in canonical form.
 *
 * @throws TypeError for another URL; no message quotes the URL, which may contain a password or a key
 *
 * @example
 * ```ts
 * import { checkBusUrl } from '@sallyport/buses'
 *
 * const url = checkBusUrl('bus', process.env['BUS_URL'] ?? 'nats://127.0.0.1:4222/EVENTS')
 * ```
 */
export const checkBusUrl = (purpose: BusUrlPurpose, url: string): string =>
  findEngine(engines[purpose], url).url

/** Lists an example of a URL of each bus or queue. */
export const listBusUrls = (purpose: BusUrlPurpose): readonly string[] => listForms(engines[purpose])

/**
 * Opens the bus of a URL, such as `nats://host:4222/STREAM`, `redis://host:6379/0`, `amqp://host:5672/VHOST`,
 * `kafka://host:9092/TOPIC`, `sqs+https://…`, `sns:arn:…`, `eventbridge:BUS`, `inngest+https://host/e/KEY` or
 * `cloudevents+https://host/path`. The bus connects in the background; events wait in the inbox until it answers.
 *
 * @throws TypeError for another URL, and `CLIENT_NOT_INSTALLED` when the package of the client is missing
 *
 * @example
 * ```ts
 * import { openBus } from '@sallyport/buses'
 * import { createDispatcher, createMemoryInbox } from '@sallyport/webhooks'
 *
 * const bus = await openBus('nats://127.0.0.1:4222/EVENTS')
 * const dispatcher = createDispatcher({ inbox: createMemoryInbox(), publisher: bus.publisher })
 * dispatcher.start()
 * ```
 */
export const openBus = (url: string, options: BusOptions = {}): Promise<OpenedBus> =>
  openEngine(buses, url, options, false)

/**
 * Opens the shared queue of a URL: `nats://host:4222/STREAM`, `redis://host:6379/0` or `amqp://host:5672/VHOST`. The queue is a
 * separate bus next to the bus of the URL, so that one URL may name both.
 *
 * @throws TypeError for another URL, and `CLIENT_NOT_INSTALLED` when the package of the client is missing
 */
export const openQueue = (url: string, options: BusOptions = {}): Promise<OpenedQueue> =>
  openEngine(queues, url, options, true)

async function openEngine<Opened>(
  known: Readonly<Record<string, Engine<Opened>>>,
  text: string,
  options: BusOptions,
  isQueue: boolean,
): Promise<Opened> {
  const { engine, url } = findEngine(known, text)
  try {
    return await engine.open(url, options, isQueue)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    const message = `A client is missing: npm install ${engine.clients.join(' ')}`
    throw Object.assign(new TypeError(message, { cause: error }), { code: 'CLIENT_NOT_INSTALLED' })
  }
}
