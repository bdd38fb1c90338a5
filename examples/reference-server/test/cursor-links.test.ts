import examples from '@octokit/webhooks-examples' with { type: 'json' }
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getProblems, startApi, type Answer, type TestApi } from './api.ts'
import { sendWorkflowRun } from './server-process.ts'

const secret = 'a secret of the code host'
let api: TestApi
beforeAll(async () => {
  api = await startApi({ WEBHOOK_SECRET_CODEHOST: secret })
})
afterAll(() => api[Symbol.asyncDispose]())

interface WorkflowRunPayload {
  readonly action: string
  readonly workflow_run: { readonly id: number }
}

// The package's types describe a module without a default export, which is what JSON gives.
const sample = (examples as unknown as { name: string; examples: WorkflowRunPayload[] }[])
  .find(({ name }) => name === 'workflow_run')!
  .examples.find(({ action }) => action === 'completed')!

/** The targets of a `Link` header, by relation. */
function getLinks({ headers }: Answer): Readonly<Record<string, string>> {
  const links = [...(headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)]
  return Object.fromEntries(links.map(([, target = '', rel = '']) => [rel, target.replace('/api/v1', '')]))
}

const get = (path: string) => api.call('GET', path, { token: api.admin.token })

/** The pages from an address on, as far as links of one relation lead. */
async function follow(path: string, rel: 'next' | 'prev') {
  const pages: (readonly string[])[] = []
  for (let next: string | undefined = path; next !== undefined;) {
    const answer: Answer = await get(next)
    expect(answer.status).toBe(200)
    expect(answer.meta['hasMore']).toBe('next' in getLinks(answer))
    pages.push(answer.list.map(({ id }) => id))
    next = getLinks(answer)[rel]
  }
  return pages
}

describe('the links of a cursor list', () => {
  it('lead to existing pages in both directions', async () => {
    const { token } = await api.user()
    const ids: string[] = []
    for (const title of ['b', 'a', 'b', 'c', 'a', 'b', 'd']) {
      ids.push((await api.call('POST', '/posts', { token, json: { title, body: 'B' } })).data.id)
    }
    const whole = await get('/posts?sort=title,-created_at&limit=100')
    const sorted = whole.list.map(({ id }) => id)
    expect(new Set(sorted)).toEqual(new Set(ids))

    const list = '/posts?sort=title,-created_at&limit=3'
    const first = await get(`${list}&cursor=`)
    expect(Object.keys(getLinks(first))).toEqual(['first', 'next', 'last'])
    expect(await follow(getLinks(first)['first']!, 'next')).toEqual([
      sorted.slice(0, 3),
      sorted.slice(3, 6),
      sorted.slice(6),
    ])
    expect(await follow(getLinks(first)['last']!, 'prev')).toEqual([
      sorted.slice(-3),
      sorted.slice(1, 4),
      sorted.slice(0, 1),
    ])
    const middle = await get(getLinks(first)['next']!)
    expect(Object.keys(getLinks(middle))).toEqual(['first', 'prev', 'next', 'last'])
    expect((await get(getLinks(middle)['prev']!)).list).toEqual(first.list)
    const last = await get(getLinks(first)['last']!)
    expect(Object.keys(getLinks(last))).toEqual(['first', 'prev', 'last'])
  })

  it('are correct for an empty list', async () => {
    const answer = await get('/projects?cursor=')
    expect(answer.meta).toMatchObject({ hasMore: false, nextCursor: expect.any(String) as string })
    expect(Object.keys(getLinks(answer))).toEqual(['first', 'last'])
    const last = await get(getLinks(answer)['last']!)
    expect(last).toMatchObject({ status: 200, list: [] })
    const { id } = (await api.call('POST', '/projects', { token: api.admin.token, json: { name: 'One' } }))
      .data
    expect((await get(`/projects?cursor=${last.meta.nextCursor}`)).list).toMatchObject([{ id }])
  })

  it('of events lead backward, and the last one leads to new events', async () => {
    const send = async (number: number) => {
      const run = { ...sample, workflow_run: { ...sample.workflow_run, id: number } }
      const { data } = await sendWorkflowRun(api.base, secret, run)
      expect(data.status).toBe('accepted')
    }
    const all = async () => (await get('/events?limit=100&cursor=')).list.map(({ id }) => id)
    for (let number = 1; number <= 5; number++) {
      await send(number)
      await expect.poll(async () => (await all()).length).toBe(number)
    }
    const ids = await all()
    const first = await get('/events?limit=2&cursor=')
    expect(Object.keys(getLinks(first))).toEqual(['first', 'next', 'last'])
    expect(await follow('/events?limit=2&cursor=', 'next')).toEqual([
      ids.slice(0, 2),
      ids.slice(2, 4),
      ids.slice(4),
    ])
    const { last = '' } = getLinks(first)
    expect(await follow(last, 'prev')).toEqual([ids.slice(3), ids.slice(1, 3), ids.slice(0, 1)])

    const { meta } = await get(last)
    await send(6)
    await expect.poll(async () => (await get(`/events?cursor=${meta.nextCursor}`)).list.length).toBe(1)
    expect((await get(`/events?cursor=${meta.nextCursor}`)).list[0]!.id).toBe((await all())[5])
  })

  it('reject a cursor of another list', async () => {
    const { last = '' } = getLinks(await get('/posts?cursor='))
    const cursor = new URL(last, api.base).searchParams.get('cursor')!
    for (const path of [
      `/users?cursor=${cursor}`,
      `/posts?sort=title&cursor=${cursor}`,
      '/posts?cursor=WyJlbmQiXQ',
    ]) {
      const answer = await get(path)
      expect([answer.status, Object.keys(getProblems(answer))]).toEqual([400, ['cursor']])
    }
  })
})
