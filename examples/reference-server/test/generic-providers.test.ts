import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { startInProcess, startProblems } from './in-process.ts'
import { temporaryDirectory } from './server-process.ts'

const services = [
  {
    name: 'acme',
    scheme: 'hmac',
    header: 'x-acme-signature',
    prefix: 'v1=',
    algorithm: 'sha512',
    encoding: 'base64',
    timestamp: { header: 'x-acme-timestamp' },
    toleranceSeconds: 60,
    content: 'v1:{timestamp}.{body}',
    kind: { header: 'x-acme-event' },
    id: 'data.id',
  },
  { name: 'globex', scheme: 'standard-webhooks', prefix: 'svix', kind: 'event', id: 'id' },
]
const secret = 'c2VjcmV0IG9mIHRoZSBzZXJ2aWNl'

const acme = (body: string, at: number) => {
  const time = String(Math.floor(at / 1000))
  const signature = createHmac('sha512', secret).update(`v1:${time}.${body}`).digest('base64')
  return {
    'x-acme-signature': `v1=${signature}`,
    'x-acme-timestamp': time,
    'x-acme-event': 'order/created',
  }
}
const globex = (body: string, at: number) => {
  const time = String(Math.floor(at / 1000))
  const key = Buffer.from(secret, 'base64')
  const signature = createHmac('sha256', key).update(`msg_1.${time}.${body}`).digest('base64')
  return { 'svix-id': 'msg_1', 'svix-timestamp': time, 'svix-signature': `v1,${signature}` }
}

it('receives from services that only the configuration describes', async () => {
  await using directory = await temporaryDirectory()
  await using server = await startInProcess({
    DATA_DIR: directory.path,
    LOG_LEVEL: 'silent',
    GENERIC_PROVIDERS: JSON.stringify(services),
    PROVIDERS: 'acme,globex',
    WEBHOOK_SECRET_ACME: secret,
    WEBHOOK_SECRET_GLOBEX: `whsec_${secret}`,
  })
  const post = async (name: string, body: string, headers: Readonly<Record<string, string>>) => {
    const response = await fetch(`${server.base}/webhooks/${name}`, { method: 'POST', body, headers })
    const { data } = (await response.json()) as {
      data?: { status: string; events: readonly { name: string }[] }
    }
    return [response.status, data?.status, data?.events[0]?.name]
  }
  const now = Date.now()
  const order = '{"data":{"id":"o-1"}}'
  const user = '{"event":"user.created","id":"u-1"}'
  expect(await post('acme', order, acme(order, now))).toEqual([200, 'accepted', 'acme/order.created'])
  expect(await post('acme', order, acme(order, now + 5000))).toEqual([200, 'duplicate', 'acme/order.created'])
  expect(await post('acme', order, acme(order, now - 120_000))).toEqual([401, undefined, undefined])
  expect(await post('acme', `${order} `, acme(order, now))).toEqual([401, undefined, undefined])
  expect(await post('globex', user, globex(user, now))).toEqual([200, 'accepted', 'globex/user.created'])
  expect(await post('globex', user, globex(user, now))).toEqual([200, 'duplicate', 'globex/user.created'])
})

it('does not start with a name that is taken', async () => {
  const setting = '[{"name":"codehost","scheme":"hmac","header":"x-a","kind":"a"}]'
  expect(await startProblems({ DATA_DIR: '/never', GENERIC_PROVIDERS: setting })).toEqual([
    'GENERIC_PROVIDERS: there is a provider "codehost" already',
  ])
})
