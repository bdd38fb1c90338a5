import { testService } from '@sallyport/webhooks/testing'
import { createHash, createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { send } from '../../test/send.ts'
import { netlify } from './netlify.ts'
import samples from './netlify.samples.json' with { type: 'json' }

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

function createToken(body: Uint8Array, secret: string, claims: object = {}) {
  const sha256 = createHash('sha256').update(body).digest('hex')
  const content = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ iss: 'netlify', sha256, ...claims })}`
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}

testService(runner, {
  provider: netlify,
  samples,
  sign: ({ body, secret }) => ({ 'x-webhook-signature': createToken(body, secret) }),
})

it('refuses a token of another issuer, and the hash of another body', async () => {
  const body = Buffer.from('{}')
  const verify = async (claims: object) => {
    const headers = new Headers({ 'x-webhook-signature': createToken(body, 'secret', claims) })
    return (await netlify.signature.verify({ method: 'POST', headers, body }, ['secret'], 0)).verified
  }
  expect(await verify({})).toBe(true)
  expect(await verify({ iss: 'example' })).toBe(false)
  expect(await verify({ sha256: createHash('sha256').update('[]').digest('hex') })).toBe(false)
})

it('does not name a deploy with the header of another event', async () => {
  const deploy = { id: 'd1', site_id: 's1', state: 'ready', updated_at: '2026-01-01T10:00:00Z' }
  const read = async (event: string) =>
    (await send(netlify, deploy, { headers: { 'x-netlify-event': event } })).events[0]?.name
  expect(await read('deploy_failed')).toBe('netlify/unknown')
  expect(await read('deploy_created')).toBe('netlify/deploy_created')
})

it('keeps two states of one deploy apart', async () => {
  const ids = ['building', 'ready'].map(async (state) => {
    const deploy = { id: 'd1', site_id: 's1', state, updated_at: '2026-01-01T10:00:00Z' }
    return (await send(netlify, deploy, { headers: { 'x-netlify-event': 'deploy_created' } })).events[0]?.id
  })
  expect(new Set(await Promise.all(ids)).size).toBe(2)
})
