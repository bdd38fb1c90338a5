import { expect, it } from 'vitest'
import {
  createGateway,
  createSecretKeeper,
  defineService,
  hmac,
  createMemoryInbox,
  signedTime,
  staticSecrets,
} from '../index.ts'
import { createClockWatch } from './clock.ts'

const minute = 60_000
const signature = hmac({
  ...{ algorithm: 'sha256', encoding: 'hex', header: 'x-signature' },
  timestamp: signedTime({ header: 'x-time' }),
  content: ({ timestamp, body }) => [timestamp, '.', body],
})
const patient = hmac({
  ...{ algorithm: 'sha256', encoding: 'hex', header: 'x-signature' },
  timestamp: signedTime({ header: 'x-time', toleranceSeconds: 3600 }),
  content: ({ timestamp, body }) => [timestamp, '.', body],
})
const providers = ['shop', 'till', 'bank', 'post'].map((name) =>
  defineService({ name, signature: name === 'post' ? patient : signature, kind: 'type' }),
)
const now = Date.UTC(2026, 0)

function open() {
  let at = 0
  const secrets = createSecretKeeper(
    staticSecrets(Object.fromEntries(providers.map(({ name }) => [name, ['secret']]))),
  )
  const watch = createClockWatch({ providers, secrets, endpoints: undefined, monotonicNow: () => at })
  const gateway = createGateway({
    ...{ providers, secrets, inbox: createMemoryInbox(), now: () => now },
    onUnprocessed: watch.onUnprocessed,
    observe: watch.observe,
  })
  const send = async (provider: string, differenceMs: number, secret = 'secret') => {
    const body = new TextEncoder().encode(`{"type":"paid","id":${at}}`)
    const unsigned = { method: 'POST', headers: new Headers(), body }
    const headers = new Headers(await signature.sign(unsigned, secret, now - differenceMs))
    const answer = await gateway.handle({
      ...{ method: 'POST', provider, headers },
      readBody: async (sink) => {
        sink.push(body)
      },
    })
    await new Promise((resolve) => setTimeout(resolve, 5))
    at += minute
    return answer.status
  }
  return { watch, send, pass: (ms: number) => (at += ms) }
}

it('says that the clock is wrong when the signed times of several services agree', async () => {
  const { watch, send, pass } = open()
  expect(await send('shop', 10 * minute)).toBe(401)
  expect(watch.describe()).toBe(undefined)
  await send('till', 10 * minute + 5000)
  expect(watch.describe()).toContain('10 minutes ahead of the signed times of shop, till')
  const { signal } = new AbortController()
  expect(await watch.source.find(now, signal)).toMatchObject([{ name: 'clock_wrong', severity: 'error' }])
  pass(15 * minute)
  expect(watch.describe()).toBe(undefined)
})

it('finds the wrong clock while a service accepts larger differences', async () => {
  const { watch, send } = open()
  await send('shop', 10 * minute)
  expect(await send('post', 10 * minute)).toBe(200)
  await send('till', 10 * minute)
  expect(watch.describe()).toContain('signed times of shop, till')
})

it('trusts the clock while as many services agree with it', async () => {
  const { watch, send } = open()
  await send('shop', 10 * minute)
  await send('till', 10 * minute)
  await send('post', 0)
  await send('bank', 0)
  expect(watch.describe()).toBe(undefined)
})

it('ignores forged times, and services that do not agree', async () => {
  const { watch, send } = open()
  await send('shop', 10 * minute, 'forged')
  await send('till', 10 * minute)
  expect(watch.describe()).toBe(undefined)
  await send('shop', -30 * minute)
  expect(watch.describe()).toBe(undefined)
})

it('trusts the clock when a signed time agrees with it', async () => {
  const { watch, send } = open()
  await send('shop', -10 * minute)
  await send('till', -10 * minute)
  expect(watch.describe()).toContain('10 minutes behind')
  expect(await send('shop', 0)).toBe(200)
  expect(watch.describe()).toBe(undefined)
})
