import { expect, it } from 'vitest'
import document from '../../test/subscriptions/openapi/gmail.json' with { type: 'json' }
import { createContext, createScriptedFetch, now } from '../../test/subscriptions/scripted.ts'
import { gmail } from './gmail.ts'

const parameters = { mailbox: 'ann@example.com', topic: 'projects/acme-1/topics/gmail', labels: ['INBOX'] }
const week = 7 * 86_400_000

it('watches a mailbox until the expiration, renews the watch, and stops it', async () => {
  const { fetch, requests } = createScriptedFetch(
    ({ url }) =>
      url.pathname.endsWith('/watch') ? { historyId: '99', expiration: String(now + week) } : undefined,
    document,
  )
  const context = createContext(parameters, fetch)
  const created = await gmail.create(context)
  expect(created).toEqual({ id: 'ann@example.com', expiresAt: now + week })
  expect(await gmail.list(context, created)).toEqual([created])
  expect(await gmail.list({ ...context, now: () => now + week }, created)).toEqual([])
  expect(await gmail.renew?.(context, created)).toEqual(created)
  await gmail.remove(context, created)
  expect(requests.map(({ url }) => url.pathname.slice('/gmail/v1/users/'.length))).toEqual([
    ...['ann%40example.com/watch', 'ann%40example.com/watch', 'ann%40example.com/stop'],
  ])
  const selected = { labelIds: ['INBOX'], labelFilterBehavior: 'include' }
  expect(requests[0]?.body).toEqual({ topicName: parameters.topic, ...selected })
})

it('watches all labels by default', async () => {
  const { fetch, requests } = createScriptedFetch(() => ({ expiration: '1' }), document)
  await gmail.create(createContext({ mailbox: parameters.mailbox, topic: parameters.topic }, fetch))
  expect(requests[0]?.body).toEqual({ topicName: parameters.topic })
})

it.each([{ mailbox: '../me' }, { topic: 'gmail' }, { labels: [] }])(
  'refuses the parameters %j',
  async (given) => {
    const result = await gmail.parameters['~standard'].validate({ ...parameters, ...given })
    expect(result.issues).toBeDefined()
  },
)
