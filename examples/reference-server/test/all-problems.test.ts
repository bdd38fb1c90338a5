import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getProblems, startApi, unknownId, type TestApi, type TestUser } from './api.ts'

let api: TestApi
let user: TestUser
beforeAll(async () => {
  api = await startApi()
  user = await api.user()
})
afterAll(() => api[Symbol.asyncDispose]())

const create = async (path: string, json: unknown) =>
  (await api.call('POST', path, { token: user.token, json })).data.id

async function problems(method: string, path: string, json: unknown, { token }: { token: string } = user) {
  const answer = await api.call(method, path, { token, json })
  expect([answer.status, answer.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  return getProblems(answer)
}

const fixed = 'Cannot be changed'

describe('the problems of a change', () => {
  it.each(['PUT', 'PATCH'])(
    'of %s: those of the schema, and fields that may not be changed',
    async (method) => {
      const post = await create('/posts', { title: 'T', body: 'B' })
      const told = await problems(method, `/posts/${post}`, {
        id: unknownId,
        author_id: unknownId,
        created_at: '2026-01-01T00:00:00.000Z',
        title: '',
        body: 7,
        colour: 'red',
      })
      expect(told).toMatchObject({
        id: fixed,
        author_id: fixed,
        created_at: fixed,
        colour: 'Unknown field',
      })
      expect(Object.keys(told).sort()).toEqual(['author_id', 'body', 'colour', 'created_at', 'id', 'title'])
    },
  )

  it('include references to missing resources', async () => {
    const project = await create('/projects', { name: 'P' })
    const wrong = { title: '', assignee_id: unknownId }
    const assignee = 'There is no such user'
    expect(await problems('POST', `/projects/${project}/tasks`, wrong)).toMatchObject({
      assignee_id: assignee,
    })
    const task = await create(`/projects/${project}/tasks`, { title: 'T' })
    const told = await problems('PATCH', `/projects/${project}/tasks/${task}`, {
      ...wrong,
      project_id: unknownId,
    })
    expect(told).toMatchObject({ project_id: fixed, assignee_id: assignee })
    expect(Object.keys(told)).toHaveLength(3)
  })

  it('include each field once', async () => {
    const comments = `/posts/${await create('/posts', { title: 'T', body: 'B' })}/comments`
    const comment = await create(comments, { body: 'B' })
    const answer = await api.call('PATCH', `${comments}/${comment}`, {
      token: user.token,
      json: { id: 'x', post_id: unknownId, author_id: user.id.toUpperCase(), body: '' },
    })
    expect(answer.error.details!.map(({ field }) => field).sort()).toEqual(['body', 'id', 'post_id'])
  })

  it('are reported for users and projects, but not for a body that is not an object', async () => {
    const project = await create('/projects', { name: 'P' })
    expect(await problems('PUT', `/projects/${project}`, { owner_id: unknownId })).toMatchObject({
      owner_id: fixed,
    })
    expect(
      await problems('PATCH', `/users/${user.id}`, { id: unknownId, name: 'x', email: 3 }),
    ).toMatchObject({
      id: fixed,
    })
    for (const body of [[], 'text', 7, null, {}]) {
      expect(Object.keys(await problems('PATCH', `/projects/${project}`, body))).toEqual([''])
    }
    const odd = JSON.parse('{"__proto__": 1, "constructor": 2, "toString": 3}') as unknown
    expect(Object.keys(await problems('PATCH', `/projects/${project}`, odd))).toEqual(
      expect.arrayContaining(['__proto__', 'constructor', 'toString']),
    )
  })

  it('include an unknown field only once', async () => {
    // Earlier, a second detail without a field reported an empty change.
    const post = `/posts/${await create('/posts', { title: 'T', body: 'B' })}`
    const comment = `${post}/comments/${await create(`${post}/comments`, { body: 'B' })}`
    const project = `/projects/${await create('/projects', { name: 'P' })}`
    const task = `${project}/tasks/${await create(`${project}/tasks`, { title: 'T' })}`
    for (const path of [`/users/${user.id}`, post, comment, project, task]) {
      const patch = (json: unknown) => api.call('PATCH', path, { token: user.token, json })
      const [unknown, empty] = await Promise.all([patch({ nick: 'x', nack: 1 }), patch({})])
      expect([unknown.status, unknown.error.code, unknown.error.details]).toEqual([
        400,
        'VALIDATION_ERROR',
        ['nick', 'nack'].map((field) => ({ code: 'UNKNOWN', field, in: 'body', message: 'Unknown field' })),
      ])
      expect([empty.status, getProblems(empty)]).toEqual([400, { '': 'Name at least one field to change' }])
    }
  })

  // The key was once looked at when all the rest was valid, and the filter when each of its parts was.
  it('include the Idempotency-Key, missing fields and invalid fields', async () => {
    const { token } = api.admin
    const headers = { 'idempotency-key': 'a b' }
    const [post, replay] = await Promise.all([
      api.call('POST', '/posts', { token, json: {}, headers }),
      api.call('POST', '/replays', { token, json: { cursor: 123, statuss: 'x' }, headers }),
    ])
    expect([post.status, Object.keys(getProblems(post))]).toEqual([400, ['title', 'body', 'Idempotency-Key']])
    expect([replay.status, Object.keys(getProblems(replay)).sort()]).toEqual([
      400,
      ['Idempotency-Key', 'all', 'cursor', 'statuss'],
    ])
    expect(Object.keys(await problems('POST', '/replays', { status: 'x', colour: 1 }, { token }))).toEqual([
      'status',
      'colour',
    ])
    for (const json of [[], 'text', null]) {
      expect(Object.keys(await problems('POST', '/replays', json, { token }))).toEqual([''])
    }
  })

  it('include only those of the schema for a missing resource', async () => {
    expect(await problems('PATCH', `/posts/${unknownId}`, { id: user.id, title: '' })).toEqual({
      title: expect.any(String) as string,
    })
  })

  it('are not reported to callers without permission', async () => {
    const post = await create('/posts', { title: 'T', body: 'B' })
    const stranger = await api.user()
    const json = { author_id: stranger.id }
    expect((await api.call('PATCH', `/posts/${post}`, { token: stranger.token, json })).status).toBe(403)
  })
})
