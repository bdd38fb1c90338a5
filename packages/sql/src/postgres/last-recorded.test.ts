import { setTimeout as sleep } from 'node:timers/promises'
import { describeWith } from '@sallyport/test-support/services'
import type { CompleteInbox } from '@sallyport/webhooks'
import { Kysely } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openProcesses } from '../../test/postgres-inbox.ts'
import { getDelivery } from '../../test/records.ts'
import type { InboxTables } from '../internal/tables.ts'
import { SchemaDialect } from './dialect.ts'
import type { InboxTransaction } from './index.ts'
import { createLastRecorded } from './last-recorded.ts'

describeWith('postgres', (postgres) => {
  const database = openProcesses(2, () => ({ ...postgres(), schema: 'Live "tail"' }))
  let pool: pg.Pool
  let inbox: CompleteInbox
  let after = 0
  beforeAll(() => {
    pool = new pg.Pool({ connectionString: postgres().url })
  })
  afterAll(() => pool.end())
  beforeEach(async () => {
    inbox = database().inbox()
    after = await inbox.lastRecorded()
  })

  /** Begins a transaction that records deliveries, and returns the function that ends it. */
  async function beginSlowly(
    ...ids: readonly string[]
  ): Promise<(how: 'commit' | 'rollback') => Promise<void>> {
    const client = await pool.connect()
    await client.query('begin')
    const transaction: InboxTransaction = database().within(client)
    for (const id of ids) await transaction.record(getDelivery(id))
    return async (how) => {
      await client.query(how)
      client.release()
    }
  }

  /** Reads like a stream: the keys of the deliveries after the position, which moves. */
  async function readNext(): Promise<readonly string[]> {
    const keys: string[] = []
    const upTo = await inbox.lastRecorded()
    while (after < upTo) {
      const { deliveries, next } = await inbox.recorded({ after, upTo, limit: 100 })
      for (const { id } of deliveries)
        keys.push(...((await inbox.get(id))?.events ?? []).map(({ event }) => event.id))
      after = next
    }
    return keys
  }

  it('holds a later delivery back until an earlier transaction has committed', async () => {
    const end = await beginSlowly('slow')
    await database(1).inbox().record(getDelivery('fast'))
    expect(await readNext()).toEqual([])
    expect(await readNext()).toEqual([])
    await end('commit')
    expect(await readNext()).toEqual(['slow', 'fast'])
  })

  it('continues after an earlier transaction was rolled back', async () => {
    const end = await beginSlowly('undone')
    await database(1).inbox().record(getDelivery('kept'))
    expect(await readNext()).toEqual([])
    await end('rollback')
    expect(await readNext()).toEqual(['kept'])
  })

  it('ignores open transactions that record nothing', async () => {
    const client = await pool.connect()
    await client.query('begin')
    await client.query('create table other (id text)')
    await inbox.record(getDelivery('alone'))
    expect(await readNext()).toEqual(['alone'])
    await client.query('rollback')
    client.release()
  })

  it('returns each delivery once with slow and fast writers in random order', async () => {
    const recorded: string[] = []
    const seen: string[] = []
    const write = async (name: string, isSlow: boolean) => {
      for (let round = 0; round < 25; round++) {
        const key = `${name}:${round}`
        if (isSlow) {
          const end = await beginSlowly(key)
          await sleep((round * 7) % 23)
          const how = round % 5 === 0 ? 'rollback' : 'commit'
          await end(how)
          if (how === 'commit') recorded.push(key)
        } else {
          await database(round % 2)
            .inbox()
            .record(getDelivery(key))
          recorded.push(key)
        }
      }
    }
    let isWriting = true
    const follow = async () => {
      for (let isLast = false; !isLast;) {
        isLast = !isWriting
        seen.push(...(await readNext()))
      }
    }
    const writers = Promise.all([
      write('slow-a', true),
      write('slow-b', true),
      write('fast-a', false),
      write('fast-b', false),
    ]).finally(() => {
      isWriting = false
    })
    await Promise.all([writers, follow()])
    expect([...seen].sort()).toEqual([...recorded].sort())
  }, 30_000)

  it('rejects the first call while a transaction that records stays open', async () => {
    const kysely = new Kysely<InboxTables>({ dialect: new SchemaDialect(pool, 'Live "tail"') })
    const lastRecorded = createLastRecorded(kysely, 50)
    const end = await beginSlowly('open')
    await expect(lastRecorded()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await end('commit')
    // This pool reads integers of 64 bits as text.
    expect(BigInt(await lastRecorded())).toBeGreaterThan(BigInt(after))
  })
})
