import { setTimeout as sleep } from 'node:timers/promises'
import { postponedMs } from '@sallyport/internal/postponed'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import { newPath, removeFiles } from '../../test/files.ts'
import { openSqlite, type SqliteDatabase } from './index.ts'

afterAll(removeFiles)
const { signal } = new AbortController()

type Tables = { rings: { id: string } }
type Event = { readonly id: string }

// A busy machine may take long for an honest step.
const handlerTransactionMs = 300
let database: SqliteDatabase
beforeEach(async () => {
  database = await openSqlite({ path: await newPath(), handlerTransactionMs })
  await sql`create table rings (id text)`.execute(database.kysely)
})
afterEach(() => database.close())

const rows = async () => {
  const found = await database.kysely.$extendTables<Tables>().selectFrom('rings').select('id').execute()
  return found.map(({ id }) => id).sort()
}

it('runs the handler of a consumer once per event, and again after a failure', async () => {
  let isBroken = true
  const handler = database.once('rings', (event: Event) => async (transaction) => {
    await transaction.$extendTables<Tables>().insertInto('rings').values({ id: event.id }).execute()
    if (isBroken) throw new Error('broken')
  })
  await expect(handler({ id: 'a' }, signal)).rejects.toThrow('broken')
  expect(await rows()).toEqual([])
  isBroken = false
  await Promise.all([
    handler({ id: 'a' }, signal),
    handler({ id: 'a' }, signal),
    handler({ id: 'b' }, signal),
  ])
  expect(await rows()).toEqual(['a', 'b'])
  const other: string[] = []
  await database.once(
    'other',
    ({ id }: Event) =>
      () =>
        other.push(id),
  )({ id: 'a' }, signal)
  expect(other).toEqual(['a'])
})

it('prepares nothing for an event that it has handled', async () => {
  const prepare = vi.fn(() => () => undefined)
  const handler = database.once('rings', prepare)
  await handler({ id: 'a' }, signal)
  await handler({ id: 'a' }, signal)
  expect(prepare).toHaveBeenCalledOnce()
})

it('refuses a handler that returns no step', async () => {
  const handler = database.once('rings', (() => 'rung') as never)
  await expect(handler({ id: 'a' }, signal)).rejects.toThrow('must return the step')
})

it('commits nothing after the signal has aborted', async () => {
  const controller = new AbortController()
  const handler = database.once('rings', ({ id }: Event) => async (transaction) => {
    await transaction.$extendTables<Tables>().insertInto('rings').values({ id }).execute()
    controller.abort()
  })
  await expect(handler({ id: 'a' }, controller.signal)).rejects.toMatchObject({ name: 'AbortError' })
  expect(await rows()).toEqual([])
})

it('takes the lock from a handler that keeps it', async () => {
  for (const ending of ['a later statement', 'the commit']) {
    const slow = database.once('rings', ({ id }: Event) => async (transaction) => {
      const db = transaction.$extendTables<Tables>()
      await db.insertInto('rings').values({ id }).execute()
      await sleep(2 * handlerTransactionMs)
      if (ending === 'a later statement') await db.insertInto('rings').values({ id }).execute()
    })
    await expect(slow({ id: ending }, signal)).rejects.toMatchObject({
      code: 'TRANSACTION_TOO_LONG',
      message: expect.stringContaining('before you return the step') as string,
    })
  }
  expect(await rows()).toEqual([])
})

it('takes the lock from a handler that never ends, and from one that uses it all the time', async () => {
  const frozen = database.once('rings', () => () => new Promise(() => undefined))
  await expect(frozen({ id: 'frozen' }, signal)).rejects.toMatchObject({ code: 'TRANSACTION_TOO_LONG' })
  const busy = database.once('rings', () => async (transaction) => {
    for (;;) await sql`select 1`.execute(transaction)
  })
  await expect(busy({ id: 'busy' }, signal)).rejects.toMatchObject({ code: 'TRANSACTION_TOO_LONG' })
  const handler = database.once(
    'rings',
    ({ id }: Event) =>
      (transaction) =>
        transaction.$extendTables<Tables>().insertInto('rings').values({ id }).execute(),
  )
  await handler({ id: 'next' }, signal)
  expect(await rows()).toEqual(['next'])
})

it('takes the lock from a handler that blocks its thread', async () => {
  const handler = database.once('rings', () => () => {
    const until = performance.now() + 2 * handlerTransactionMs + 100
    while (performance.now() < until);
  })
  await expect(handler({ id: 'a' }, signal)).rejects.toMatchObject({ code: 'TRANSACTION_TOO_LONG' })
})

it('lets an event that kept the lock wait, and no other', async () => {
  const handler = database.once(
    'rings',
    ({ id }: Event) =>
      () =>
        id === 'frozen' ? new Promise(() => undefined) : undefined,
  )
  for (const id of ['a', 'b', 'c']) {
    await expect(handler({ id: 'frozen' }, signal)).rejects.toMatchObject({
      retryAfterMs: 400 * handlerTransactionMs,
    })
    if (id !== 'c') await handler({ id }, signal)
  }
  await expect(handler({ id: 'c' }, signal)).rejects.toMatchObject({
    [postponedMs]: expect.any(Number) as number,
  })
})

it('pauses a handler that keeps the lock again and again, and no other', async () => {
  const step = vi.fn(() => new Promise(() => undefined))
  const frozen = database.once('frozen', () => step)
  const attempts = await Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map((id) => frozen({ id }, signal)))
  const reasons = attempts.map((attempt) => (attempt as PromiseRejectedResult).reason as unknown)
  expect(reasons[4]).toMatchObject({
    code: 'TRANSACTION_TOO_LONG',
    retryAfterMs: expect.any(Number) as number,
  })
  expect(step).toHaveBeenCalledTimes(3)
  const other = vi.fn()
  await database.once('other', () => other)({ id: 'a' }, signal)
  expect(other).toHaveBeenCalledOnce()
})
