import { createHmac } from 'node:crypto'
import samples from '@sallyport/providers/github/samples' with { type: 'json' }
import { afterAll, expect, it, vi } from 'vitest'
import { createMyWebhooks, pushMigrations } from '../src/webhooks.ts'
import { openTestDatabase } from './database.ts'

const secret = 'the secret of the webhook'
const database = await openTestDatabase(pushMigrations)
const webhooks = createMyWebhooks(database, secret)
webhooks.start()
afterAll(() => webhooks.stop())

const body = JSON.stringify(samples.find(({ kind }) => kind === 'push')?.body)
const sign = (key: string) => `sha256=${createHmac('sha256', key).update(body).digest('hex')}`

function deliver(signature: string) {
  const headers = {
    'content-type': 'application/json',
    'x-github-event': 'push',
    'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    'x-hub-signature-256': signature,
  }
  return webhooks.fetch(new Request('http://localhost/webhooks/github', { method: 'POST', headers, body }))
}

it('stores a signed push once', async () => {
  expect((await deliver(sign(secret))).status).toBe(200)
  expect((await deliver(sign(secret))).status).toBe(200)
  const pushes = database.kysely.$extendTables<{ pushes: { repository: string } }>().selectFrom('pushes')
  await vi.waitFor(async () => {
    expect(await pushes.select('repository').execute()).toEqual([{ repository: 'Codertocat/Hello-World' }])
  })
})

it('refuses a delivery with a wrong signature', async () => {
  expect((await deliver(sign('another secret'))).status).toBe(401)
})
