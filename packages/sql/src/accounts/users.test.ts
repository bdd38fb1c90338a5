import { expect, it } from 'vitest'
import { describeAccounts, unassignTasks } from '../../test/account-tables.ts'
import { createRepository } from '../rows/repository.ts'
import { createUsers } from './users.ts'

describeAccounts((database) => {
  it('deletes the rows of a user, and changes rows that name the user', async () => {
    const db = database()
    const accounts = db.$pickTables<'users' | 'invitations'>()
    const users = createUsers(accounts, { onRemoved: unassignTasks })
    const create = (name: string) =>
      users.insert({
        email: `${name}@example.com`,
        name,
        password_hash: 'x',
        role: 'user',
        status: 'active',
        endpoints: null,
      })
    const [gone, stays] = [await create('gone'), await create('stays')]
    const tasks = createRepository(db, 'tasks', { noun: 'task' })
    const own = await tasks.insert({ owner_id: gone.id, assignee_id: null })
    const task = await tasks.insert({ owner_id: stays.id, assignee_id: gone.id })
    await users.remove({ id: gone.id }, () => undefined)
    expect(await tasks.find({ id: own.id })).toBeUndefined()
    expect(await tasks.get({ id: task.id })).toMatchObject({ assignee_id: null, version: 2 })
  })
})
