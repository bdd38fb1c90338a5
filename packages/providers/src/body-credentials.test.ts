import { expect, it } from 'vitest'
import { builtInProviders } from './index.ts'

const secret = 'the secret inside the body'
const redacting = builtInProviders.filter(({ signature }) => signature.redactBody !== undefined)
const encode = (text: string) => new TextEncoder().encode(text)
const redact = (name: string, body: Uint8Array) =>
  new TextDecoder().decode(redacting.find((provider) => provider.name === name)?.signature.redactBody?.(body))

it('redacts the bodies of the services that send their secret in the body', () => {
  expect(redacting.map(({ name }) => name).sort()).toEqual([
    'aircall',
    'gusto',
    'ko-fi',
    'meraki',
    'microsoft-graph',
    'notion',
  ])
})

const samples = {
  aircall: '{"event":"call.created","data":{"id":1}}',
  'ko-fi': '{"type":"Donation"}',
  meraki: '{"alertType":"Motion detected"}',
  'microsoft-graph': '{"value":[{"changeType":"created"},{"changeType":"updated"}]}',
}

it.each(Object.entries(samples))('removes the secret of %s from a signed body', async (name, sample) => {
  const delivery = { method: 'POST', headers: new Headers(), body: encode(sample) }
  const { signature } = redacting.find((provider) => provider.name === name)!
  const body = await signature.signBody!(delivery, secret, 0)
  const read = (bytes: string) => decodeURIComponent(bytes.replaceAll('+', ' '))
  expect(read(new TextDecoder().decode(body))).toContain(secret)
  expect(read(redact(name, body))).not.toContain(secret)
  expect(read(redact(name, body))).toContain('[redacted]')
})

it.each(redacting)('follows the contract for a body of $name without a secret', ({ name, signature }) => {
  const inForm = (json: string) => (name === 'ko-fi' ? `data=${encodeURIComponent(json)}` : json)
  for (const json of ['{"type":"a"}', '{"value":[{}]}']) {
    const body = encode(inForm(json))
    expect(signature.redactBody!(body)).toBe(body)
  }
  for (const text of ['', inForm('{"type":'), 'verification_token=a'])
    expect(signature.redactBody!(encode(text))).toHaveLength(0)
})

it.each([
  ['notion', 'secret_4b1d9c0e7f2a', 'type'],
  ['gusto', '0f8b7a6c-5d4e-4f3a-9b2c-1d0e9f8a7b6c', 'event_type'],
])('gets the secret of %s from the request that establishes it', async (name, token, kind) => {
  const handshake = builtInProviders.find((provider) => provider.name === name)?.handshake
  const answer = (body: object) =>
    handshake?.answer({
      ...{ method: 'POST', query: new URLSearchParams(), headers: new Headers(), secrets: [] },
      ...{ body: encode(JSON.stringify(body)), verify: () => Promise.resolve(false) },
    })
  expect(await answer({ verification_token: token })).toMatchObject({
    body: '',
    establishes: token,
    isReadOnce: true,
  })
  expect(await answer({ verification_token: token, [kind]: 'page.created' })).toBeUndefined()
})

it.each(['notion', 'gusto'])('removes the secret of %s from the request that establishes it', (name) => {
  expect(JSON.parse(redact(name, encode(JSON.stringify({ verification_token: secret }))))).toEqual({
    verification_token: '[redacted]',
  })
})
