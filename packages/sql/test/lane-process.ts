// Says that it is ready, and works on lanes of a file until no lane is due after the end of its input. It prints the id
// of every event that it handled.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSqlite } from '../src/sqlite/index.ts'

const [path = ''] = process.argv.slice(2)
const database = await openSqlite({ path })
const inbox = database.inbox()
const handled: string[] = []
const done = { status: 'done' } as const
let isEnding = false

async function work(): Promise<void> {
  for (;;) {
    const [lane] = (await inbox.claimLanes?.({ limit: 1, events: 2, leaseMs: 60_000 })) ?? []
    if (lane === undefined) {
      if (isEnding) return
      await sleep(5)
      continue
    }
    const { name, lease, works } = lane
    handled.push(...works.map(({ event }) => event.id))
    const settlements = works.map(({ event: { id } }) => ({ id, lease, outcome: done }))
    const [result] = (await inbox.settleLanes?.([{ name, lease, settlements, releases: true }])) ?? []
    if (result?.isSettled !== true) throw new Error('The lease was lost')
  }
}

process.stdout.write('ready\n')
const ended = once(process.stdin.resume(), 'end').then(() => (isEnding = true))
await Promise.all([work(), work(), work(), ended])
await database.close()
process.stdout.write(JSON.stringify(handled))
