// Sends the events of a destination until none waits or the process is killed, and prints the id of each. Another destination is down.
import { createWebhooks } from '@sallyport/webhooks/node'
import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPostgres } from '../src/postgres/index.ts'
import { openSqlite } from '../src/sqlite/index.ts'

const [place = ''] = process.argv.slice(2)
const database = place.startsWith('postgres:')
  ? await openPostgres({ url: place })
  : await openSqlite({ path: place })
const webhooks = createWebhooks({
  database,
  providers: [],
  secrets: {},
  dispatcher: { leaseMs: 2000, pollMs: 50 },
  destinations: [
    {
      ...{ name: 'up', mode: 'event', order: 'subject' },
      async send({ events: [event] }) {
        writeSync(1, `${event?.id ?? ''}\n`)
        await sleep(2)
        return { outcome: 'done', durationMs: 2 }
      },
    },
    {
      ...{ name: 'down', mode: 'event', order: 'subject' },
      send: () => Promise.resolve({ outcome: 'retry', error: 'HTTP 503', unavailable: true, durationMs: 1 }),
    },
  ],
})
webhooks.start()
const waits = async () =>
  (await webhooks.operations.destinations?.list())?.some(({ name, events }) => name === 'up' && events > 0)
while (await waits()) await sleep(50)
await webhooks.stop()
await database.close()
