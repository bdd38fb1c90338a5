import { createRepository } from '@sallyport/sql/rows'
import { expect, it } from 'vitest'
import { createUsers } from '../src/users/repository.ts'
import { describeDatabases } from './databases.ts'

describeDatabases((database) => {
  it('deletes the resources of a user, and unassigns tasks of others', async () => {
    const db = database()
    const users = createUsers(db)
    const create = (name: string) =>
      users.insert({ email: `${name}@example.com`, name, password_hash: 'x', role: 'user', status: 'active' })
    const [gone, stays] = [await create('gone'), await create('stays')]
    const posts = createRepository(db, 'posts', { noun: 'post' })
    const projects = createRepository(db, 'projects', { noun: 'project' })
    const tasks = createRepository(db, 'tasks', { noun: 'task' })
    const post = await posts.insert({ author_id: gone.id, title: 'T', body: 'B', status: 'published' })
    const project = await projects.insert({
      owner_id: stays.id,
      name: 'P',
      description: null,
      status: 'active',
    })
    const task = await tasks.insert({
      project_id: project.id,
      title: 'T',
      description: null,
      assignee_id: gone.id,
      due_on: '2028-02-29',
      status: 'open',
    })
    await users.remove({ id: gone.id }, () => undefined)
    expect(await posts.find({ id: post.id })).toBeUndefined()
    expect(await tasks.get({ id: task.id })).toMatchObject({ assignee_id: null, version: 2 })
  })
})
