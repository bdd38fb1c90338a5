import { beforeAll, expect, it } from 'vitest'
import { getProblems } from './api.ts'
import { describeApi } from './describe-api.ts'

interface Field {
  readonly collection: 'users' | 'posts' | 'comments' | 'projects' | 'tasks'
  readonly field: string
  /** In characters. @default 0 */
  readonly min?: number
  readonly max: number
  /** A value with a number of characters. @default any number */
  readonly of?: (length: number) => string
}

// Of the least length, none is an address; of the most, each is.
const address = (length: number) => `a@${'b.'.repeat(Math.floor((length - 4) / 2))}${length % 2 ? 'c' : ''}de`
const fields: readonly Field[] = [
  { collection: 'users', field: 'email', max: 254, of: address },
  { collection: 'users', field: 'name', min: 2, max: 100 },
  { collection: 'users', field: 'password', min: 8, max: 128 },
  { collection: 'posts', field: 'title', min: 1, max: 200 },
  { collection: 'posts', field: 'body', min: 1, max: 3000 },
  { collection: 'comments', field: 'body', min: 1, max: 2000 },
  { collection: 'projects', field: 'name', min: 1, max: 100 },
  { collection: 'projects', field: 'description', max: 2000 },
  { collection: 'tasks', field: 'title', min: 1, max: 200 },
  { collection: 'tasks', field: 'description', max: 2000 },
]

describeApi((api) => {
  let paths: Readonly<Record<Field['collection'], string>>
  beforeAll(async () => {
    const post = await create('/posts', { title: 'T', body: 'B' })
    const project = await create('/projects', { name: 'P' })
    paths = {
      users: '/users',
      posts: '/posts',
      comments: `/posts/${post}/comments`,
      projects: '/projects',
      tasks: `/projects/${project}/tasks`,
    }
  })

  const send = (method: string, path: string, json: object) =>
    api().call(method, path, { json, token: api().admin.token })
  const create = async (path: string, json: object) => (await send('POST', path, json)).data.id

  let accounts = 0
  const bodies: Readonly<Record<Field['collection'], () => object>> = {
    users: () => ({ email: `b${(accounts += 1)}@example.com`, name: 'Ada', password: 'a password' }),
    posts: () => ({ title: 'T', body: 'B' }),
    comments: () => ({ body: 'B' }),
    projects: () => ({ name: 'P' }),
    tasks: () => ({ title: 'T' }),
  }

  it.each(fields)('$collection have a $field of limited length', async (field) => {
    const { collection, field: name, min = 0, max, of = (length: number) => 'x'.repeat(length) } = field
    const body = (length: number) => ({ ...bodies[collection](), [name]: of(length) })
    const id = await create(paths[collection], bodies[collection]())
    for (const length of field.of === undefined ? [min, max] : [max]) {
      const answer = await send('POST', paths[collection], body(length))
      expect([length, answer.status]).toEqual([length, 201])
    }
    for (const length of [...(min > 0 ? [min - 1] : []), max + 1]) {
      for (const answer of [
        await send('POST', paths[collection], body(length)),
        await send('PUT', `${paths[collection]}/${id}`, body(length)),
        await send('PATCH', `${paths[collection]}/${id}`, { [name]: of(length) }),
      ]) {
        expect([length, answer.status, Object.keys(getProblems(answer))]).toEqual([length, 400, [name]])
      }
    }
  })
})
