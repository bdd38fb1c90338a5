// Consumes the events of a bus, and inserts a row for each into a SQLite file. Prints the id of a handled event. With a
// third argument, the process kills itself after the commit and before the acknowledgement.
import { openAmqp } from '@sallyport/buses/amqp'
import { openKafka } from '@sallyport/buses/kafka'
import { openNats } from '@sallyport/buses/nats'
import { openRedis } from '@sallyport/buses/redis'
import { openPostgres } from '@sallyport/sql/postgres'
import { openSqlite } from '@sallyport/sql/sqlite'
import type { WebhookEvent } from '@sallyport/webhooks'
import type { Consumer, ConsumerOptions } from '@sallyport/webhooks/consumer'
import { sql } from 'kysely'

const [address = '', path = '', end] = process.argv.slice(2)
const { protocol, pathname } = new URL(address)
const name = pathname.slice(1)
const url = address.slice(0, -pathname.length)

async function createConsumer(options: ConsumerOptions): Promise<Consumer> {
  switch (protocol) {
    case 'amqp:':
      return openAmqp({ url }).consumer({ ...options, exchange: name })
    case 'kafka:':
      return openKafka({ url }).consumer({ ...options, topic: name })
    case 'postgres:':
      return (await openPostgres({ url: address })).consumer(options)
    case 'nats:':
      return openNats({ url }).consumer({ ...options, stream: name })
    case 'redis:':
      return openRedis({ url }).consumer({ ...options, stream: name })
    default:
      throw new TypeError('The bus is unknown')
  }
}

const database = await openSqlite({ path })
await sql`create table if not exists effects (id text)`.execute(database.kysely)
const insert = database.once(
  'one',
  ({ id }: WebhookEvent) =>
    (transaction) =>
      sql`insert into effects values (${id})`.execute(transaction),
)
const consumer = await createConsumer({
  name: 'one',
  handlers: {
    'doorbell/bell.rung': async (event: WebhookEvent, signal: AbortSignal) => {
      await insert(event, signal)
      if (end !== undefined) process.kill(process.pid, 'SIGKILL')
      process.stdout.write(`${event.id}\n`)
    },
  },
})
await consumer.start()
process.stdout.write('ready\n')
