import { describe, expect, it } from 'vitest'
import { hmac, querySignature, queryToken, signDelivery } from '../index.ts'

const address = 'https://hooks.example/webhooks/bell?room=1'
const createDelivery = (url?: string) => ({
  method: 'POST',
  headers: new Headers(),
  body: new TextEncoder().encode('{}'),
  ...(url !== undefined && { url }),
})

const signature = hmac({ algorithm: 'sha256', encoding: 'hex', header: querySignature('signature') })
const token = queryToken('token')

describe.each([
  ['querySignature', signature, 'signature'],
  ['queryToken', token, 'token'],
] as const)('%s', (_, scheme, name) => {
  const verify = async (url: string | undefined, secrets = ['old', 'secret']) =>
    scheme.verify(createDelivery(url), secrets, 0)

  it('verifies the address that it signs, whose other parameters remain', async () => {
    const { url = '', headers } = await signDelivery(scheme, createDelivery(address), 'secret', 0)
    expect([headers, new URL(url).searchParams.get('room')]).toEqual([{}, '1'])
    expect(await verify(url)).toMatchObject({ verified: true })
    expect(await verify(url, ['old', ''])).toEqual({ verified: false, reason: 'mismatch' })
  })

  it('refuses a missing, an empty and a repeated parameter', async () => {
    const { url = '' } = await signDelivery(scheme, createDelivery(address), 'secret', 0)
    const value = new URL(url).searchParams.get(name) ?? ''
    expect(await verify(address)).toEqual({ verified: false, reason: 'missing' })
    expect(await verify(`${address}&${name}=`)).toEqual({ verified: false, reason: 'missing' })
    expect(await verify(`${url}&${name}=${value}`)).toEqual({ verified: false, reason: 'malformed' })
    expect(await verify(`${address}&${name}=${value.slice(1)}`)).toMatchObject({ verified: false })
  })

  it('needs the public address, and a secret that is not empty', async () => {
    await expect(verify(undefined)).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' })
    await expect(signDelivery(scheme, createDelivery(), 'secret', 0)).rejects.toThrow(TypeError)
    await expect(signDelivery(scheme, createDelivery(address), '', 0)).rejects.toThrow(TypeError)
  })
})

it('covers the body with a signature, and nothing with a token', () => {
  expect([signature.covers, token.covers]).toEqual([undefined, []])
})
