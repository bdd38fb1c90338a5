import { createMemoryInbox } from '@sallyport/webhooks'
import { createFetchHandler } from '@sallyport/rest/fetch'
import { expect, it } from 'vitest'
import { createDelivery, createTestOperations, settleAll } from '../../test/operations.ts'

interface Page {
  readonly ids: readonly string[]
  readonly links: Readonly<Record<string, string>>
  readonly meta: { readonly nextCursor: string; readonly hasMore: boolean; readonly total: number }
}

function open() {
  const inbox = createMemoryInbox()
  const fetch = createFetchHandler(createTestOperations(inbox))
  let recorded = 0
  return {
    publish: async (provider = 'doorbell', name = 'doorbell/bell.rung') => {
      const { events, ...delivery } = createDelivery(`${provider}:${++recorded}`, { provider })
      const [one] = events
      const event = { ...one!.event, name, source: { ...one!.event.source, provider } }
      await inbox.record({ ...delivery, events: [{ ...one!, event }] })
      await settleAll(inbox, 'done')
      return event.id
    },
    read: async (path: string): Promise<Page> => {
      const headers = { authorization: 'Bearer read' }
      const response = await fetch(new Request(`http://localhost${path}`, { headers }))
      expect(response.status).toBe(200)
      const links = (response.headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)
      const body = (await response.json()) as { data: { id: string }[]; meta: Page['meta'] }
      return {
        ids: body.data.map(({ id }) => id),
        links: Object.fromEntries([...links].map(([, target = '', rel = '']) => [rel, target])),
        meta: body.meta,
      }
    },
  }
}

it('has cursors that lead in both directions, and from the last page to new events', async () => {
  const { publish, read } = open()
  const ids: string[] = []
  for (let number = 0; number < 5; number++) ids.push(await publish())
  const first = await read('/events?limit=2&cursor=')
  expect([first.ids, Object.keys(first.links)]).toEqual([ids.slice(0, 2), ['first', 'next', 'last']])
  const second = await read(first.links['next']!)
  const third = await read(second.links['next']!)
  expect([second.ids, third.ids, third.meta.hasMore]).toEqual([ids.slice(2, 4), ids.slice(4), false])

  const last = await read(first.links['last']!)
  const before = await read(last.links['prev']!)
  expect([last.ids, before.ids]).toEqual([ids.slice(3), ids.slice(1, 3)])
  expect((await read(before.links['prev']!)).ids).toEqual(ids.slice(0, 1))
  const added = await publish()
  expect((await read(`/events?cursor=${last.meta.nextCursor}`)).ids).toEqual([added])
})

it('has pages, oldest first, and the filters provider and name', async () => {
  const { publish, read } = open()
  const [one, two] = [await publish(), await publish()]
  const other = await publish('codehost', 'codehost/package.published')
  for (const [page, id] of [one, two, other].entries())
    expect((await read(`/events?limit=1&page=${page + 1}`)).ids).toEqual([id])
  for (const [query, expected] of [
    ['provider=doorbell', [one, two]],
    ['name=codehost/package.published', [other]],
    ['name=doorbell/bell', []],
  ] as const) {
    const page = await read(`/events?${query}`)
    expect([page.ids, page.meta.total]).toEqual([expected, expected.length])
    expect((await read(`/events?cursor=&${query}`)).ids).toEqual(expected)
  }
})
