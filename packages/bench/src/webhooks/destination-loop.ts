import { openPostgres } from '@sallyport/sql/postgres'
import { sql } from 'kysely'
import { createHmac } from 'node:crypto'
import { concurrency, createDelivery, destinationSecret, type DestinationStage } from './destination-stage.ts'

interface Row {
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer<ArrayBuffer>
}

const key = Buffer.from(destinationSecret.slice('whsec_'.length), 'base64')

/** Opens a table of deliveries, and loops that send them one by one after `start`. */
export async function openLoop({ databaseUrl, receiverUrl }: DestinationStage, count: number) {
  const { kysely, close } = await openPostgres({ url: await databaseUrl() })
  await sql`create table outbox (id bigserial primary key, headers jsonb not null, body bytea not null,
    state text not null default 'pending')`.execute(kysely)
  await sql`create index on outbox (id) where state = 'pending'`.execute(kysely)
  const deliveries = Array.from({ length: count }, (_, number) => createDelivery(number))
  await sql`insert into outbox (headers, body) select * from unnest(
    ${deliveries.map(({ headers }) => JSON.stringify(headers))}::jsonb[],
    ${deliveries.map(({ body }) => body)}::bytea[])`.execute(kysely)

  async function sendNext(): Promise<boolean> {
    const { rows } = await sql<Row>`update outbox set state = 'running' where id = (
      select id from outbox where state = 'pending' order by id limit 1 for update skip locked)
      returning id, headers, body`.execute(kysely)
    const [row] = rows
    if (row === undefined) return false
    const response = await fetch(receiverUrl, { method: 'POST', headers: sign(row), body: row.body })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`The receiver answered with ${response.status}`)
    await sql`update outbox set state = 'done' where id = ${row.id}`.execute(kysely)
    return true
  }

  async function run(): Promise<void> {
    while (await sendNext());
  }

  let running: Promise<unknown> = Promise.resolve()
  return {
    start() {
      running = Promise.all(Array.from({ length: concurrency }, run))
    },
    async close() {
      await running
      await close()
    },
  }
}

function sign({ id, headers, body }: Row): Readonly<Record<string, string>> {
  const at = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', key).update(`${id}.${at}.`).update(body).digest('base64')
  return {
    ...headers,
    ...{ 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` },
  }
}
