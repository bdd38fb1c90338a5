// Publishes all pending events of a database. Prints the number of events, the duration and the memory of the process.
import { setTimeout as sleep } from 'node:timers/promises'
import { openSqlite } from '@sallyport/sql/sqlite'
import { createDispatcher } from '@sallyport/webhooks'

const [path = ''] = process.argv.slice(2)
const database = await openSqlite({ path })
const inbox = database.inbox()
const bus = database.bus()
const startedAt = performance.now()
let peakBytes = 0
let published = 0
const dispatcher = createDispatcher({
  inbox,
  publisher: bus,
  onAttempt: ({ outcome }) => {
    if (outcome.status === 'done') published++
  },
})
dispatcher.start()
do {
  await sleep(50)
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
} while ((await inbox.stats({ countUpTo: 1 })).events.pending > 0)
await dispatcher.stop()
const seconds = (performance.now() - startedAt) / 1000
await database.close()
process.stdout.write(JSON.stringify({ published, seconds, peakBytes }))
