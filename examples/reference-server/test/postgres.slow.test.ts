import { describeWith } from '@sallyport/test-support/services'
import { expect, it } from 'vitest'
import { samples } from '@sallyport/providers/codehost/samples'
import { openPostgres } from '@sallyport/sql/postgres'
import { sql } from 'kysely'
import { startApi } from './api.ts'
import { readiness } from './readiness.ts'
import { publishedEvents, sendWorkflowRun } from './server-process.ts'

describeWith('postgres', (postgres) => {
  it('keeps accounts, sessions and resources over restarts', async () => {
    const environment = {
      DATABASE_URL: postgres().url,
      JWT_SECRET: 'a secret that outlives the data directory',
      ADMIN_EMAIL: 'admin@example.com',
      ADMIN_PASSWORD: 'a password of the admin',
    }
    let token: string
    let id: string
    {
      await using api = await startApi(environment)
      token = (await api.user('Ada')).token
      id = (await api.call('POST', '/posts', { token, json: { title: 'One', body: 'Text' } })).data.id
    }
    await using api = await startApi(environment)
    expect((await api.call('GET', '/posts', { token })).list.map(({ id }) => id)).toEqual([id])
  })

  it('publishes deliveries once without a SQLite file', async () => {
    const secret = 'a secret of the code host'
    await using api = await startApi({
      DATABASE_URL: postgres().url,
      WEBHOOK_SECRET_CODEHOST: secret,
      ADMIN_EMAIL: 'admin@example.com',
      ADMIN_PASSWORD: 'a password of the admin',
    })
    const { body } = samples.sample('workflow_run.completed')
    expect((await sendWorkflowRun(api.base, secret, body)).data.status).toBe('accepted')
    expect((await sendWorkflowRun(api.base, secret, body)).data.status).toBe('duplicate')
    await expect.poll(() => publishedEvents(api.base, api.admin.token)).toHaveLength(1)
    expect(await readiness(api.base, api.admin.token)).toEqual({
      status: 'ok',
      dependencies: { inbox: 'ok', database: 'ok' },
      notices: [],
    })
  })
})

describeWith('postgres', (postgres) => {
  // Of two commits, the answer to the first may be lost: the server said 503, and the same request made a second one.
  it('stores a resource and the response for its Idempotency-Key in one transaction', async () => {
    const { url } = postgres()
    await using api = await startApi({ DATABASE_URL: url })
    const { token } = await api.user()
    const create = async (path: string, json: unknown) => {
      return await api.call('POST', path, { token, json, headers: { 'idempotency-key': 'once' } })
    }
    const post = await create('/posts', { title: 'T', body: 'B' })
    const project = await create('/projects', { name: 'N' })
    const comment = await create(`/posts/${post.data.id}/comments`, { body: 'B' })
    const task = await create(`/projects/${project.data.id}/tasks`, { title: 'T' })

    const database = await openPostgres({ url })
    for (const [table, { status, data }] of Object.entries({
      posts: post,
      projects: project,
      comments: comment,
      tasks: task,
    })) {
      expect(status).toBe(201)
      const { rows } = await sql<{ made: string; kept: string }>`
        select made.xmin::text as made, kept.xmin::text as kept
        from ${sql.table(table)} made join idempotency_records kept on kept.response like '%"id\\\\":\\\\"' || made.id || '%'
        where made.id = ${data.id}`.execute(database.kysely)
      expect(rows).toEqual([{ made: rows[0]?.made, kept: rows[0]?.made }])
    }
    await database.close()
  })
})

describeWith('postgres', (postgres) => {
  it('answers a user that another process has just deleted as documented', async () => {
    const environment = {
      DATABASE_URL: postgres().url,
      JWT_SECRET: 'a secret that both of the processes have',
      ADMIN_EMAIL: 'admin@example.com',
      ADMIN_PASSWORD: 'a password of the admin',
    }
    await using one = await startApi(environment)
    await using other = await startApi(environment)
    const { id, token } = await one.user('Eve')
    await other.call('GET', '/users', { token })
    await one.call('DELETE', `/users/${id}`, { token: one.admin.token })
    const [post, project] = [
      await other.call('POST', '/posts', { token, json: { title: 'T', body: 'B' } }),
      await other.call('POST', '/projects', { token, json: { name: 'N' } }),
    ]
    // On a slow machine the other process has heard of it by now, which is as good.
    for (const { status } of [post, project]) expect([401, 409]).toContain(status)
  })
})
