import {
  CreateQueueCommand,
  DeleteQueueCommand,
  PurgeQueueCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { jetstream, jetstreamManager, type JetStreamClient } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { Admin, ProduceAcks, Producer, stringSerializers } from '@platformatic/kafka'
import { openAmqp } from '@sallyport/buses/amqp'
import { createSqsPublisher } from '@sallyport/buses/sqs'
import { openKafka } from '@sallyport/buses/kafka'
import { openNats } from '@sallyport/buses/nats'
import { openRedis } from '@sallyport/buses/redis'
import type { WebhookEvent, Publisher } from '@sallyport/webhooks'
import { connect as connectAmqp } from 'amqplib'
import { CloudEvent, Kafka } from 'cloudevents'
import { Redis } from 'ioredis'
import { randomUUID } from 'node:crypto'
import { forEachConcurrently } from './events.ts'

/** A publisher of the kit, a raw client of the same engine, and their clean-up. */
export interface Engine {
  readonly bus: Publisher
  /** Publishes events with the raw client, with as many unacknowledged events as the dispatcher has. */
  readonly sendAll: (events: readonly WebhookEvent[]) => Promise<unknown>
  /** Removes the published events after each turn, for a server that keeps them in memory. */
  readonly clear?: () => Promise<unknown>
  readonly close: () => Promise<void>
}

/** Unacknowledged messages. */
const inFlight = 400

const sendEach =
  (send: (event: WebhookEvent) => Promise<unknown>): Engine['sendAll'] =>
  (events) =>
    forEachConcurrently(events, inFlight, send)

function divide(events: readonly WebhookEvent[], size: number): readonly (readonly WebhookEvent[])[] {
  const parts: (readonly WebhookEvent[])[] = []
  for (let start = 0; start < events.length; start += size) parts.push(events.slice(start, start + size))
  return parts
}

export async function openJetStream(): Promise<Engine> {
  const url = process.env['BENCH_NATS_URL'] ?? 'nats://127.0.0.1:4222'
  const stream = `BENCH_${randomUUID().slice(0, 8)}`
  const connection = await connect({ servers: url })
  const nats = openNats({ url })
  const bus = nats.bus({ stream })
  await bus.ping()
  const client: JetStreamClient = jetstream(connection)
  return {
    bus,
    sendAll: sendEach((event) =>
      client.publish(`${stream.toLowerCase()}.raw`, JSON.stringify(event), { msgID: event.id }),
    ),
    async close() {
      await nats.close()
      await (await jetstreamManager(connection)).streams.delete(stream)
      await connection.close()
    },
  }
}

export async function openRedisStream(): Promise<Engine> {
  const url = process.env['BENCH_REDIS_URL'] ?? 'redis://127.0.0.1:6379'
  const stream = `bench-${randomUUID()}`
  const client = new Redis(url, { enableAutoPipelining: true })
  const redis = openRedis({ url })
  const bus = redis.bus({ stream, duplicateWindowMs: 60_000 })
  await bus.ping()
  return {
    bus,
    sendAll: sendEach((event) =>
      client.xadd(stream, 'MAXLEN', '~', 1_000_000, '*', 'id', event.id, 'event', JSON.stringify(event)),
    ),
    async close() {
      await redis.close()
      await client.del(stream)
      await client.quit()
    },
  }
}

export async function openRabbitMq(): Promise<Engine> {
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
    sendAll: sendEach(
      (event) =>
        new Promise<void>((resolve, reject) => {
          const settle = (error: Error | null) => {
            if (error) reject(error)
            else resolve()
          }
          const body = Buffer.from(JSON.stringify(event))
          channel.publish(exchange, 'raw', body, { persistent: true, messageId: event.id }, settle)
        }),
    ),
    async close() {
      await amqp.close()
      await channel.deleteQueue(exchange)
      await channel.deleteExchange(exchange)
      await connection.close()
    },
  }
}

/** Encodes an event with the SDK of CloudEvents in binary mode, which the bus also uses. */
function toKafkaMessage({ id, name, subject, ts, data, source }: WebhookEvent) {
  const time = new Date(ts).toISOString()
  const event = new CloudEvent({ id, type: name, source: `/${source.provider}`, subject, time, data })
  const { headers } = Kafka.binary(event)
  return { key: subject, value: JSON.stringify(data), headers: headers as Record<string, string> }
}

export async function openKafkaTopic(): Promise<Engine> {
  const broker = process.env['BENCH_KAFKA_BROKER'] ?? '127.0.0.1:9092'
  const topic = `bench-${randomUUID()}`
  const connection = { clientId: 'bench', bootstrapBrokers: [broker] }
  const kafka = openKafka({ url: `kafka://${broker}` })
  const bus = kafka.bus({ topic })
  await bus.ping()
  const producer = new Producer({ ...connection, idempotent: true, serializers: stringSerializers })
  return {
    bus,
    async sendAll(events) {
      // The client does not number parallel batches.
      for (const part of divide(events, inFlight)) {
        const messages = part.map((event) => ({ topic, ...toKafkaMessage(event) }))
        await producer.send({ messages, acks: ProduceAcks.ALL, compression: 'lz4' })
      }
    },
    async close() {
      await kafka.close()
      await producer.close()
      const admin = new Admin(connection)
      await admin.deleteTopics({ topics: [topic] })
      await admin.close()
    },
  }
}

export async function openSqsQueue(): Promise<Engine> {
  const endpoint = process.env['BENCH_ELASTICMQ_URL'] ?? 'http://127.0.0.1:9324'
  const credentials = { accessKeyId: 'bench', secretAccessKey: 'bench' }
  const client = new SQSClient({ endpoint, region: 'us-east-1', credentials })
  const created = await client.send(new CreateQueueCommand({ QueueName: `bench-${randomUUID()}` }))
  const QueueUrl = String(created.QueueUrl)
  const bus = createSqsPublisher({ queueUrl: QueueUrl, client })
  return {
    bus,
    sendAll: (events) =>
      forEachConcurrently(divide(events, 10), inFlight / 10, (part) =>
        client.send(
          new SendMessageBatchCommand({
            QueueUrl,
            Entries: part.map((event, index) => ({ Id: String(index), MessageBody: JSON.stringify(event) })),
          }),
        ),
      ),
    clear: () => client.send(new PurgeQueueCommand({ QueueUrl })),
    async close() {
      await bus.close()
      await client.send(new DeleteQueueCommand({ QueueUrl }))
      client.destroy()
    },
  }
}
