import { describeWith } from '@sallyport/test-support/services'
import { openPostgres, type PostgresDatabase } from '../postgres/index.ts'
import { createKyselySessionStore } from '../sessions/session-store.ts'
import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRepository } from '../rows/repository.ts'
import { accountMigrations, unassignTasks, type Tables } from '../../test/account-tables.ts'
import type { UserRow } from './tables.ts'
import { createAccess } from './access.ts'
import { createUsers, type OnUserRemoved } from './users.ts'
import { createUserTransactions } from './transactions.ts'

describeWith('postgres', (postgres) => {
  let database: PostgresDatabase
  let db: Kysely<Tables>
  beforeAll(async () => {
    // However slow the machine is, what holds the others back outlasts them.
    const patience = { lockTimeoutMs: 300_000, idleInTransactionTimeoutMs: 300_000 }
    database = await openPostgres({ ...postgres(), ...patience, statementTimeoutMs: 300_000 })
    await database.migrate()
    await database.migrate({ ...accountMigrations }, { table: 'test_migrations' })
    db = database.kysely.$extendTables<Tables>()
  })
  afterAll(() => database.close())

  function setUp() {
    const pauses: number[] = []
    const contention = { pause: (forMs: number) => Promise.resolve(pauses.push(forMs)) }
    const access = createAccess({
      store: createKyselySessionStore(db),
      secrets: ['s'.repeat(32)],
      ...{ issuer: 'test', audience: 'test' },
    })
    const onRemoved = unassignTasks as OnUserRemoved
    const accounts = db.$pickTables<'users' | 'invitations'>()
    const transactions = createUserTransactions(accounts, access, { ...contention, onRemoved })
    const tasks = createRepository(db, 'tasks', { noun: 'task', ...contention })
    const remove = (id: string) => transactions(({ users }) => users.remove({ id }, () => undefined))
    return { pauses, tasks, transactions, remove }
  }

  let made = 0
  function newUser(): Promise<UserRow> {
    made += 1
    const email = `user${made}@example.com`
    return createUsers(db.$pickTables<'users' | 'invitations'>()).insert({
      email,
      name: 'U',
      password_hash: 'x',
      role: 'user',
      status: 'active',
      endpoints: null,
    })
  }

  function newTask(owner: UserRow, assignee: UserRow | null = null) {
    const task = { owner_id: owner.id, assignee_id: assignee?.id ?? null }
    return createRepository(db, 'tasks', { noun: 'task' }).insert(task)
  }

  /** Locks rows as an update does, until that is released, or the test has ended. */
  async function hold(table: 'users' | 'tasks', ...rows: readonly { id: string }[]) {
    const transaction = await db.startTransaction().execute()
    const ids = rows.map(({ id }) => id)
    await transaction.selectFrom(table).select('id').where('id', 'in', ids).forNoKeyUpdate().execute()
    const release = async () => {
      if (!transaction.isCommitted) await transaction.commit().execute()
    }
    return { release, [Symbol.asyncDispose]: release }
  }

  async function untilWaiting(count: number): Promise<void> {
    await expect
      .poll(async () => {
        const { rows } = await sql`select pid from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
        return rows.length
      })
      .toBe(count)
  }

  it('deletes two users with mutual tasks concurrently, without a deadlock', async () => {
    const { pauses, remove } = setUp()
    const [one, other] = [await newUser(), await newUser()]
    await newTask(one, other)
    await newTask(other, one)
    await using held = await hold('users', one, other)
    const removals = [remove(one.id), remove(other.id)]
    await untilWaiting(2)
    await held.release()
    await Promise.all(removals)
    expect(pauses).toEqual([])
    expect(
      await createUsers(db.$pickTables<'users' | 'invitations'>()).find({ id: other.id }),
    ).toBeUndefined()
  })

  it('completes a deletion and a change after their deadlock', async () => {
    const { pauses, tasks, remove } = setUp()
    const [gone, stays] = [await newUser(), await newUser()]
    const [own, elsewhere] = [await newTask(gone), await newTask(stays, gone)]
    await using held = await hold('tasks', elsewhere)
    const removal = remove(gone.id)
    await untilWaiting(1)
    const change = tasks
      .change({ id: own.id }, () => ({ assignee_id: gone.id }))
      .catch((error: unknown) => error)
    await untilWaiting(2)
    await held.release()
    await removal
    // Changed before it was deleted, or not: that is for the database to choose.
    const changed = await change
    if (changed instanceof Error) expect(changed).toMatchObject({ code: 'NOT_FOUND' })
    expect(pauses.length).toBeGreaterThan(0)
    expect(await tasks.find({ id: own.id })).toBeUndefined()
    expect(await tasks.get({ id: elsewhere.id })).toMatchObject({ assignee_id: null, version: 2 })
  })

  it('also gives a concurrently assigned task a new version', async () => {
    const { tasks, remove } = setUp()
    const [gone, stays] = [await newUser(), await newUser()]
    const { id } = await newTask(stays)
    await using held = await hold('users', gone)
    const removal = remove(gone.id)
    await untilWaiting(1)
    expect(await tasks.change({ id }, () => ({ assignee_id: gone.id }))).toMatchObject({ version: 2 })
    await held.release()
    await removal
    expect(await tasks.get({ id })).toMatchObject({ assignee_id: null, version: 3 })
  })

  it('refuses to assign a task to a user that is being deleted', async () => {
    const { pauses, tasks, remove } = setUp()
    const [gone, stays] = [await newUser(), await newUser()]
    const [task, other] = [await newTask(stays, gone), await newTask(stays)]
    await using held = await hold('tasks', task)
    const removal = remove(gone.id)
    await untilWaiting(1)
    const refusal = expect(
      tasks.change({ id: other.id }, () => ({ assignee_id: gone.id })),
    ).rejects.toMatchObject({ code: 'CONFLICT' })
    await untilWaiting(2)
    await held.release()
    await Promise.all([removal, refusal])
    expect(await tasks.get({ id: other.id })).toEqual(other)
    expect(pauses).toEqual([])
  })
})
