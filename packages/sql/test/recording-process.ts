// Records deliveries until the process is killed, and prints the id of each recorded event.
import { writeSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { openSqlite } from '../src/sqlite/index.ts'
import { getDelivery } from './records.ts'

const [path = '', prefix = ''] = process.argv.slice(2)
const database = await openSqlite({ path })
const inbox = database.inbox()
let next = 0

async function record(): Promise<never> {
  for (;;) {
    const id = `${prefix}:${next++}`
    await inbox.record(getDelivery(id), { leaseMs: 1 })
    await print(`${id}\n`)
  }
}

/** At once and whole, unlike a stream: what was printed was acknowledged, what is cut off was not. */
async function print(line: string): Promise<void> {
  for (;;) {
    try {
      writeSync(1, line)
      return
    } catch (error) {
      // The reader of the pipe is slow, as on a busy machine.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
    await turn()
  }
}

await Promise.all(Array.from({ length: 16 }, record))
