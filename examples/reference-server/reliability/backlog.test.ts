import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { openSqlite, type SqliteDatabase } from '@sallyport/sql/sqlite'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../test/server-process.ts'

/** Enough for a difference to show; RELIABILITY_BACKLOG=1000000 tries a longer one. */
const backlog = Number(process.env['RELIABILITY_BACKLOG'] ?? 100_000)
const portion = 50_000
const mebibyte = 1024 * 1024

/** Fills the tables with deliveries of one event of about a kilobyte. */
async function fill({ kysely }: SqliteDatabase, from: number, to: number): Promise<void> {
  await kysely.transaction().execute(async (db) => {
    const each = sql`with recursive n (i) as (select ${from} union all select i + 1 from n where i < ${to})`
    await sql`${each} insert into deliveries (sequence, id, provider, received_at, headers, body_bytes)
      select i, printf('00000000-0000-7000-8000-%012d', i), 'doorbell', 1000 + i, '{}', 16 from n`.execute(db)
    await sql`${each} insert into delivery_bodies (delivery, encoding, bytes, body)
      select i, 'identity', 16, randomblob(16) from n`.execute(db)
    await sql`${each} insert into events (sequence, delivery, id, provider, received_at, name, subject, ts, data,
        manual, route, status, attempts, since, due_at)
      select i, i, 'doorbell:bell.rung:' || i, 'doorbell', 1000 + i, 'doorbell/bell.rung', 'front', 1000,
        json_object('note', hex(randomblob(500))), 0, 'direct', 'pending', 0, 1000, 1000 from n`.execute(db)
    await sql`${each} insert into idempotency_keys (scope, key, event, created_at)
      select 'event', 'doorbell:bell.rung:' || i, i, 1000 from n`.execute(db)
  })
}

/** Publishes a backlog of events in a separate process. */
async function drain(count: number): Promise<{ published: number; seconds: number; peakBytes: number }> {
  await using data = await temporaryDirectory()
  const path = join(data.path, 'sallyport.db')
  const database = await openSqlite({ path })
  for (let from = 1; from <= count; from += portion) {
    await fill(database, from, Math.min(count, from + portion - 1))
  }
  await database.close()
  const script = fileURLToPath(new URL('draining-process.ts', import.meta.url))
  // Without a limit, V8 lets garbage lie for as long as the machine has memory.
  const args = ['--conditions=@sallyport/source', '--max-old-space-size=64', '--max-semi-space-size=4']
  const child = spawn(process.execPath, [...args, script, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output, exit] = await Promise.all([text(child.stdout), once(child, 'exit')])
  expect(exit).toEqual([0, null])
  const drained = JSON.parse(output) as Awaited<ReturnType<typeof drain>>
  const { published, seconds, peakBytes } = drained
  process.stdout.write(
    `Published a backlog of ${published} in ${seconds.toFixed(1)} s, with at most ${Math.round(peakBytes / mebibyte)} MiB\n`,
  )
  return drained
}

// A millisecond for each, on a machine that is ten times slower.
it('drains a backlog with memory that does not grow with it', { timeout: 60_000 + backlog }, async () => {
  const small = await drain(Math.ceil(backlog / 10))
  const large = await drain(backlog)
  expect([small.published, large.published]).toEqual([Math.ceil(backlog / 10), backlog])
  // The events alone take a kilobyte each.
  expect(large.peakBytes).toBeLessThan(small.peakBytes + 32 * mebibyte)
})
