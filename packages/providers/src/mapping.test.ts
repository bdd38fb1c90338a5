import { hmac, sharedToken } from '@sallyport/webhooks'
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { secret, send } from '../test/send.ts'
import { createDeploy, deploy } from './neutral/deploy.ts'
import { createMessaging } from './neutral/messaging.ts'
import { createPayments } from './neutral/payments.ts'
import { renameHeader } from './rename-header.ts'

const body = JSON.stringify({
  ...{ type: 'deployment.created', id: 'uev_1', createdAt: 1752520920123 },
  payload: { deployment: { id: 'dpl_1' } },
})
const digest = createHmac('sha1', secret).update(body).digest('hex')
const getOutcome = async (provider: typeof deploy, signed: Readonly<Record<string, string>>) =>
  (await send(provider, body, { signed })).outcome

describe('the header of a neutral provider', () => {
  const launchpad = createDeploy({ header: 'X-Launchpad-Signature' })

  it('is the neutral one, or the one of a compatible service, in any case', async () => {
    expect(await getOutcome(deploy, { 'X-Deploy-Signature': digest })).toBe('accepted')
    expect(await getOutcome(launchpad, { 'x-launchpad-signature': digest })).toBe('accepted')
    expect(launchpad.signature.headers).toEqual(['x-launchpad-signature'])
  })

  it('is not the header of the service', async () => {
    for (const header of ['x-vercel-signature', 'x-deploy-signature'])
      expect(await getOutcome(launchpad, { [header]: digest })).toBe('401')
    const both = { 'x-vercel-signature': digest, 'x-launchpad-signature': digest.replace(/^./, 'g') }
    expect(await getOutcome(launchpad, both)).toBe('401')
  })

  it('leaves the other signed headers', () => {
    const application = createMessaging({ header: 'X-Support', webhook: 'application' })
    expect(application.signature.headers).toEqual(['x-support', 'x-front-request-timestamp'])
    expect(createPayments({ header: 'Till-Signature' }).signature.headers).toEqual(['till-signature'])
  })

  it('is a valid name', () => {
    for (const header of ['', 'a b', 'a:'])
      expect(() => createDeploy({ header })).toThrow(`Invalid header name: "${header}"`)
  })

  it('is renamed in every header that the scheme reads', async () => {
    const scheme = sharedToken({ header: 'x-token' })
    const headers = new Headers({ 'x-own': 'a', 'x-token': 'b', 'x-other': 'c' })
    let seen: unknown
    const spy = {
      ...scheme,
      verify: (delivery: { headers: Headers }) => (seen = [...delivery.headers]) as never,
    }
    await renameHeader(spy as never, 'X-Own').verify(
      { method: 'POST', headers, body: new Uint8Array() },
      [],
      0,
    )
    expect(seen).toEqual([
      ['x-other', 'c'],
      ['x-token', 'a'],
    ])
  })

  it('of the service leaves its scheme as it is', () => {
    const scheme = hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-own' })
    expect(renameHeader(scheme, 'X-Own')).toBe(scheme)
  })
})

it('an event without an id of the service has the id of its content', async () => {
  const { events } = await send(deploy, body.replace('"id":"uev_1",', ''))
  expect(events).toMatchObject([
    { id: expect.stringMatching(/^deploy:sha256:[\da-f]{64}:deploy\.created$/) as string },
  ])
})

it('a known event without its entity is quarantined', async () => {
  for (const change of [{ payload: {} }, { payload: { deployment: { id: '' } } }, { payload: null }])
    expect((await send(deploy, { ...(JSON.parse(body) as object), ...change })).outcome).toBe('quarantined')
})
