import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { encodeBody, doorbell, openGateway, rung, secret } from '../../test/doorbell.ts'
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

/** Waits until Node.js reports unhandled rejections. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('promise of a provider', () => {
  it.each([
    ['is fulfilled', async () => ({ kind: 'rung', id: '1', door: 'front' })],
    ['is rejected', () => Promise.reject(new Error('later'))],
  ])('for a payload quarantines the delivery when it %s', async (_, parse) => {
    // Regression: the delivery was ignored, and a rejection ended the process.
    const { deliver, observed } = openGateway({ providers: [{ ...doorbell, parse }] })
    expect((await deliver()).said).toBe('quarantined')
    expect(observed[0]).toMatchObject({ error: { message: 'TypeError ASYNC_PARSER' } })
    await settled()
    expect(unhandled).toEqual([])
  })

  it('is not a payload with a member `then`', async () => {
    const { deliver } = openGateway()
    const body = encodeBody({ kind: 'rung', id: '1', door: 'front', then: 'open' })
    expect((await deliver({ body })).said).toBe('accepted')
  })

  it('for a verification can be another thenable', async () => {
    // Regression: a valid delivery was answered 401.
    const thenable = {
      then: (resolve: (verification: unknown) => void) => {
        resolve({ verified: true, body: rung() })
      },
    }
    const scheme = { ...doorbell.signature, verify: () => thenable as unknown as Promise<Verification> }
    const { send } = openGateway({ providers: [{ ...doorbell, signature: scheme }] })
    expect((await send()).said).toBe('accepted')
  })

  it('for a verification can reject with undefined and is reported', async () => {
    // Regression: a rejection with undefined was not an error.
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

  it('for data can be another thenable and is awaited once', async () => {
    // Regression: `then` was called twice, and the body was never released.
    let awaited = 0
    const validate = (value: unknown) =>
      ({
        then(resolve: (result: unknown) => void) {
          if (awaited++ === 0) resolve({ value })
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
    expect(awaited).toBe(1)
    awaited = 0
    expect((await deliver()).said).toBe('duplicate')
  })

  it('for a signed time is answered 503 after a valid signature', async () => {
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
