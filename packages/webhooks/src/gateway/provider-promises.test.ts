import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bytesOf, doorbell, openGateway, rung, secret } from '../../test/doorbell.ts'
import { hmac, signedTime, type AnyProvider, type Verification } from '../index.ts'

const unhandled: unknown[] = []
const listener = (reason: unknown) => unhandled.push(reason)

beforeEach(() => {
  unhandled.length = 0
  process.on('unhandledRejection', listener)
})
afterEach(() => {
  process.off('unhandledRejection', listener)
})

/** By then, what nobody has handled is known. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('a promise of a provider', () => {
  it.each([
    ['is fulfilled', async () => ({ kind: 'rung', id: '1', door: 'front' })],
    ['is rejected', () => Promise.reject(new Error('later'))],
  ])('for a payload quarantines the delivery when it %s', async (_, parse) => {
    // Such deliveries were once ignored, and a rejection ended the process.
    const { deliver, observed } = openGateway({ providers: [{ ...doorbell, parse }] })
    expect((await deliver()).said).toBe('quarantined')
    expect(observed[0]).toMatchObject({ error: { message: 'TypeError ASYNC_PARSER' } })
    await settled()
    expect(unhandled).toEqual([])
  })

  it('is not what a payload with a member of that name is', async () => {
    const { deliver } = openGateway()
    const body = bytesOf({ kind: 'rung', id: '1', door: 'front', then: 'open' })
    expect((await deliver({ body })).said).toBe('accepted')
  })

  it('for a verification may be of another kind', async () => {
    // A delivery that verified was once 401, and a failure of its address.
    const thenable = {
      then: (resolve: (verification: unknown) => void) => {
        resolve({ verified: true, body: rung() })
      },
    }
    const scheme = { ...doorbell.signature, verify: () => thenable as unknown as Promise<Verification> }
    const { send } = openGateway({ providers: [{ ...doorbell, signature: scheme }] })
    expect((await send()).said).toBe('accepted')
  })

  it('for a verification may be rejected with nothing, and is observed', async () => {
    // What threw was once told from what did not verify by the value alone.
    const rejected = {
      then(_: unknown, reject: () => void) {
        reject()
      },
    } as Promise<Verification>
    const scheme = { ...doorbell.signature, verify: () => rejected }
    const { send, observed } = openGateway({ providers: [{ ...doorbell, signature: scheme }] })
    expect((await send()).said).toBe('INVALID_SIGNATURE')
    expect(observed[0]).toMatchObject({ error: { message: 'Unknown error' } })
  })

  it('for data may be of another kind, and is asked once', async () => {
    // One that begins when it is asked once ran twice, and one that answers once kept its body counted for good.
    let asked = 0
    const validate = (value: unknown) =>
      ({
        then(resolve: (result: unknown) => void) {
          if (asked++ === 0) resolve({ value })
        },
      }) as Promise<{ value: unknown }>
    const { deliver } = openGateway({
      providers: [
        { ...doorbell, events: { 'bell.rung': { '~standard': { version: 1, vendor: 'own', validate } } } },
      ],
      limits: { bytesInFlight: rung().length },
    })
    expect((await deliver()).said).toBe('accepted')
    await settled()
    expect(asked).toBe(1)
    asked = 0
    expect((await deliver()).said).toBe('duplicate')
  })

  it('for a signed time is 503, once the signature holds', async () => {
    const scheme = hmac({
      algorithm: 'sha256',
      encoding: 'hex',
      header: 'x-signature',
      timestamp: signedTime({ fromBody: () => Promise.reject(new Error('later')) }),
    })
    const provider: AnyProvider = { ...doorbell, signature: scheme }
    const { send } = openGateway({ providers: [provider] })
    const request = { method: 'POST', headers: new Headers(), body: rung() }
    const headers = await scheme.sign(request, secret, 0)
    for (let round = 0; round < 30; round++) {
      expect(await send({ headers })).toMatchObject({ status: 503, said: 'PROVIDER_UNAVAILABLE' })
    }
    await settled()
    expect(unhandled).toEqual([])
    expect((await send()).said).toBe('INVALID_SIGNATURE')
  })
})
