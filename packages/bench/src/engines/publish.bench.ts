import { jetstream, jetstreamManager, type JetStreamClient } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { openAmqp } from '@sallyport/amqp'
import { openNats } from '@sallyport/nats'
import { openRedis } from '@sallyport/redis'
import type { InternalEvent, Publisher } from '@sallyport/webhooks'
import { connect as connectAmqp } from 'amqplib'
import { Redis } from 'ioredis'
import { randomUUID } from 'node:crypto'
import { defineTrial, fullTurnMs } from '../frame/trial.ts'
import { publishThroughDispatcher } from './drain.ts'
import { eventsOf, inPool, rateSince } from './events.ts'

/** A bus of ours, its raw client, and what takes both away. */
interface Engine {
  readonly bus: Publisher
  readonly send: (event: InternalEvent) => Promise<unknown>
  readonly close: () => Promise<void>
}

/** Messages of the raw client without an answer: as many as the dispatcher has under way. */
const underway = 400
const countFor = (turnMs: number) => Math.round(20_000 * Math.min(1, turnMs / fullTurnMs))

async function openJetStream(): Promise<Engine> {
  const url = process.env['BENCH_NATS_URL'] ?? 'nats://127.0.0.1:4222'
  const stream = `BENCH_${randomUUID().slice(0, 8)}`
  const connection = await connect({ servers: url })
  const nats = openNats({ url })
  const bus = nats.bus({ stream })
  await bus.ping()
  const client: JetStreamClient = jetstream(connection)
  return {
    bus,
    send: (event) =>
      client.publish(`${stream.toLowerCase()}.raw`, JSON.stringify(event), { msgID: event.id }),
    async close() {
      await nats.close()
      await (await jetstreamManager(connection)).streams.delete(stream)
      await connection.close()
    },
  }
}

async function openRedisStream(): Promise<Engine> {
  const url = process.env['BENCH_REDIS_URL'] ?? 'redis://127.0.0.1:6379'
  const stream = `bench-${randomUUID()}`
  const client = new Redis(url, { enableAutoPipelining: true })
  const redis = openRedis({ url })
  const bus = redis.bus({ stream, duplicateWindowMs: 60_000 })
  await bus.ping()
  return {
    bus,
    send: (event) =>
      client.xadd(stream, 'MAXLEN', '~', 1_000_000, '*', 'id', event.id, 'event', JSON.stringify(event)),
    async close() {
      await redis.close()
      await client.del(stream)
      await client.quit()
    },
  }
}

async function openRabbitMq(): Promise<Engine> {
  const url = process.env['BENCH_RABBITMQ_URL'] ?? 'amqp://127.0.0.1:5672'
  const exchange = `bench-${randomUUID()}`
  const connection = await connectAmqp(url)
  const channel = await connection.createConfirmChannel()
  await channel.assertExchange(exchange, 'topic', { durable: true })
  await channel.assertQueue(exchange, { durable: true })
  await channel.bindQueue(exchange, exchange, '#')
  const amqp = openAmqp({ url })
  const bus = amqp.bus({ exchange })
  await bus.ping()
  return {
    bus,
    send: (event) =>
      new Promise<void>((resolve, reject) => {
        const settle = (error: Error | null) => {
          if (error) reject(error)
          else resolve()
        }
        const body = Buffer.from(JSON.stringify(event))
        channel.publish(exchange, 'raw', body, { persistent: true, messageId: event.id }, settle)
      }),
    async close() {
      await amqp.close()
      await channel.deleteQueue(exchange)
      await channel.deleteExchange(exchange)
      await connection.close()
    },
  }
}

function publishing(name: string, engine: string, raw: string, open: () => Promise<Engine>) {
  const through = 'dispatcher'
  return defineTrial<Engine>({
    name,
    what: `20,000 events of a kilobyte to ${engine} on this machine, until all are acknowledged; a tenth or less when quick.`,
    unit: 'events/s',
    base: 'raw client',
    target: { side: through, atLeast: 0.8 },
    prepare: open,
    release: ({ close }) => close(),
    sides: [
      {
        name: 'raw client',
        does: `${raw} ${underway} under way. Tries nothing again, and nobody knows what was sent.`,
        async turn({ send }, turnMs) {
          const events = eventsOf(countFor(turnMs))
          const startedAt = performance.now()
          await inPool(events, underway, send)
          return { value: rateSince(startedAt, events.length) }
        },
      },
      {
        name: through,
        does: 'Claims from a memory inbox that holds all of them, publishes in batches of 100, four at once, and settles each event.',
        turn: async ({ bus }, turnMs) => ({
          value: await publishThroughDispatcher(bus, eventsOf(countFor(turnMs))),
        }),
      },
    ],
  })
}

export default [
  publishing(
    'publish-nats',
    'JetStream',
    'Publishes with Nats-Msg-Id, for which the server waits for nothing else;',
    openJetStream,
  ),
  publishing(
    'publish-redis',
    'a Redis stream',
    'Adds by XADD alone, pipelined; does not ask whether the id is known, which the bus does in a script.',
    openRedisStream,
  ),
  publishing(
    'publish-rabbitmq',
    'RabbitMQ, into one durable queue,',
    'Publishes persistent messages on a channel with confirms, and learns nothing of those that no queue takes;',
    openRabbitMq,
  ),
]
