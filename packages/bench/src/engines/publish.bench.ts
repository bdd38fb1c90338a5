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
import { createEvents, forEachConcurrently, computeRate } from './events.ts'

/** A publisher of the kit, a raw client of the same engine, and their clean-up. */
interface Engine {
  readonly bus: Publisher
  readonly send: (event: InternalEvent) => Promise<unknown>
  readonly close: () => Promise<void>
}

/** Unacknowledged messages of the raw client, as many as the dispatcher has in flight. */
const inFlight = 400
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
    what: `20,000 events of a kilobyte to ${engine} on this machine, until all are acknowledged. A tenth or less with --quick.`,
    unit: 'events/s',
    base: 'raw client',
    target: { side: through, atLeast: 0.8 },
    prepare: open,
    release: ({ close }) => close(),
    sides: [
      {
        name: 'raw client',
        does: `${raw} ${inFlight} in flight. No retries, and no record of what was sent.`,
        async turn({ send }, turnMs) {
          const events = createEvents(countFor(turnMs))
          const startedAt = performance.now()
          await forEachConcurrently(events, inFlight, send)
          return { value: computeRate(startedAt, events.length) }
        },
      },
      {
        name: through,
        does: 'Claims from a memory inbox, publishes four concurrent batches of 100, and settles each event.',
        turn: async ({ bus }, turnMs) => ({
          value: await publishThroughDispatcher(bus, createEvents(countFor(turnMs))),
        }),
      },
    ],
  })
}

export default [
  publishing('publish-nats', 'JetStream', 'Publishes with Nats-Msg-Id;', openJetStream),
  publishing(
    'publish-redis',
    'a Redis stream',
    'Pipelined XADD without deduplication, which the bus does in a script.',
    openRedisStream,
  ),
  publishing(
    'publish-rabbitmq',
    'RabbitMQ, into one durable queue,',
    'Publishes persistent messages on a confirm channel and does not detect unroutable ones;',
    openRabbitMq,
  ),
]
