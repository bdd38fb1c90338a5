import { defineTrial, fullTurnMs } from '../frame/trial.ts'
import { publishThroughDispatcher } from './drain.ts'
import { createEvents, computeRate } from './events.ts'
import {
  openJetStream,
  openKafkaTopic,
  openRabbitMq,
  openRedisStream,
  openSqsQueue,
  type Engine,
} from './raw-clients.ts'

const countFor = (turnMs: number) => Math.round(20_000 * Math.min(1, turnMs / fullTurnMs))

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
        does: `${raw} 400 in flight. No retries, and no record of what was sent.`,
        async turn({ sendAll, clear }, turnMs) {
          const events = createEvents(countFor(turnMs))
          const startedAt = performance.now()
          await sendAll(events)
          const value = computeRate(startedAt, events.length)
          await clear?.()
          return { value }
        },
      },
      {
        name: through,
        does: 'Claims from a memory inbox, publishes four concurrent batches of 100, and settles each event.',
        async turn({ bus, clear }, turnMs) {
          const value = await publishThroughDispatcher(bus, createEvents(countFor(turnMs)))
          await clear?.()
          return { value }
        },
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
  publishing(
    'publish-kafka',
    'Kafka',
    'CloudEvents in idempotent batches with acks=all and LZ4, one batch at a time;',
    openKafkaTopic,
  ),
  publishing('publish-sqs', 'SQS (ElasticMQ)', 'Requests with ten messages;', openSqsQueue),
]
