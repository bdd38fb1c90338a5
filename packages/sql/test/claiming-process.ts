// Holds a first batch before it says that it is ready, so that processes started together all hold some; after the end of
// its input it claims and publishes until nothing is left, and prints the id of every event that it held.
import { once } from 'node:events'
import { openSqlite } from '../src/sqlite/index.ts'

const [path = ''] = process.argv.slice(2)
const database = await openSqlite({ path })
const inbox = database.inbox()
const held: string[] = []

const claim = (limit: number) => inbox.claim('publish', { limit, leaseMs: 60_000 })

async function publish(claimed: Awaited<ReturnType<typeof claim>>): Promise<void> {
  held.push(...claimed.map(({ event }) => event.id))
  const outcome = { status: 'done' } as const
  await inbox.settle(
    'publish',
    claimed.map(({ event, lease }) => ({ id: event.id, lease, outcome })),
  )
}

async function work(): Promise<void> {
  for (let claimed = await claim(1); claimed.length > 0; claimed = await claim(1)) await publish(claimed)
}

const first = await claim(10)
process.stdout.write('ready\n')
await once(process.stdin.resume(), 'end')
await publish(first)
await Promise.all([work(), work(), work()])
await database.close()
process.stdout.write(JSON.stringify(held))
