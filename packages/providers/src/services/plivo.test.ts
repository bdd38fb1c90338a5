import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { getUrl, secret, send } from '../../test/send.ts'
import { plivo } from './plivo.ts'
import samples from './plivo.samples.json' with { type: 'json' }

const nonce = '12345'
const sign = (content: string, secret: string) => ({
  'x-plivo-signature-v3': createHmac('sha256', secret).update(`${content}.${nonce}`).digest('base64'),
  'x-plivo-signature-v3-nonce': nonce,
})

testService(runner, {
  provider: plivo,
  samples,
  sign: ({ text, url, secret }) => {
    const fields = [...new URLSearchParams(text)].sort(([one], [two]) => (one < two ? -1 : 1))
    return sign(`${url}?${fields.map((pair) => pair.join('')).join('')}`, secret)
  },
})

it.each([
  // The example of the documentation.
  [
    'https://example.com/abcd?foo=bar',
    'From=%2B15551111111&To=%2B15555555555&CallUuid=4vbcpem8-0u46-x1ha-9af1-438vc92bf374&Digits=1234',
    'https://example.com/abcd?foo=bar.CallUuid4vbcpem8-0u46-x1ha-9af1-438vc92bf374Digits1234From+15551111111To+15555555555',
  ],
  ['https://example.com/a/?b=2&a=1', '', 'https://example.com/a/?a=1&b=2'],
  ['https://example.com/a', '', 'https://example.com/a'],
])('signs %s with the fields %j as %s', async (url, text, content) => {
  const headers = new Headers(sign(content, 'token'))
  const delivery = { method: 'POST', url, headers, body: Buffer.from(text) }
  expect(await plivo.signature.verify(delivery, ['token'], 0)).toMatchObject({ verified: true })
})

it('signs the sorted query of a delivery by GET', async () => {
  const query = 'To=%2B15555555555&CallUUID=c-1&From=a+b'
  const url = `https://example.com/a?${query}`
  const headers = new Headers(sign('https://example.com/a?CallUUID=c-1&From=a b&To=+15555555555', 'token'))
  const delivery = { method: 'GET', url, headers, body: Buffer.from(query) }
  expect(await plivo.signature.verify(delivery, ['token'], 0)).toMatchObject({ verified: true })
  const forged = { ...delivery, url: `${url}&CallStatus=completed` }
  expect(await plivo.signature.verify(forged, ['token'], 0)).toMatchObject({ verified: false })
})

// Regression: the end of the last field moved into the nonce, which made another event.
it('rejects a nonce that contains the end of a field', async () => {
  const content = 'https://example.com/a?MessageUUIDm1TextTotal 5.99'
  const headers = new Headers(sign(content, 'token'))
  const url = 'https://example.com/a'
  const genuine = { method: 'POST', url, headers, body: Buffer.from('MessageUUID=m1&Text=Total 5.99') }
  expect(await plivo.signature.verify(genuine, ['token'], 0)).toMatchObject({ verified: true })
  const moved = new Headers({ ...Object.fromEntries(headers), 'x-plivo-signature-v3-nonce': `99.${nonce}` })
  const copy = { ...genuine, headers: moved, body: Buffer.from('MessageUUID=m1&Text=Total 5') }
  expect(await plivo.signature.verify(copy, ['token'], 0)).toMatchObject({ verified: false })
})

it('identifies a delivery without its nonce', async () => {
  const identify = async (own: string) => {
    const content = `https://example.com/a?MessageUUIDm1.${own}`
    const signature = createHmac('sha256', 'token').update(content).digest('base64')
    const headers = new Headers({ 'x-plivo-signature-v3': signature, 'x-plivo-signature-v3-nonce': own })
    const delivery = {
      method: 'POST',
      url: 'https://example.com/a',
      headers,
      body: Buffer.from('MessageUUID=m1'),
    }
    const verification = await plivo.signature.verify(delivery, ['token'], 0)
    return verification.verified && verification.headers?.get('sallyport-signed-content')
  }
  expect(await identify('1')).toMatch(/^[0-9a-f]{64}$/)
  expect(await identify('2')).toBe(await identify('1'))
})

// Regression: the second answer with the same digits was a duplicate, and thus lost.
it('tells callbacks with equal fields apart by their nonce', async () => {
  const readId = async (own: string) => {
    const content = `${getUrl(plivo)}?CallUUIDc-1Digits1.${own}`
    const signature = createHmac('sha256', secret).update(content).digest('base64')
    const signed = { 'x-plivo-signature-v3': signature, 'x-plivo-signature-v3-nonce': own }
    return (await send(plivo, 'CallUUID=c-1&Digits=1', { signed })).events[0]?.id
  }
  expect(await readId('1')).toBe(await readId('1'))
  expect(await readId('2')).not.toBe(await readId('1'))
})

it('accepts one valid signature of a list', async () => {
  const signed = sign('https://example.com/a', 'token')
  const header = `${Buffer.alloc(32).toString('base64')},${signed['x-plivo-signature-v3']}`
  const headers = new Headers({ ...signed, 'x-plivo-signature-v3': header })
  const delivery = { method: 'POST', url: 'https://example.com/a', headers, body: Buffer.from('') }
  expect(await plivo.signature.verify(delivery, ['token'], 0)).toMatchObject({ verified: true })
})
