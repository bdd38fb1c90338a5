import fc from 'fast-check'
import { expect, it } from 'vitest'
import { doorbell, openGateway, signBody, rung, secret } from '../../test/doorbell.ts'
import { defineProvider, hmac, createMemoryBus, parseJson, type Handshake } from '../index.ts'

const base64 = defineProvider({
  ...doorbell,
  name: 'base64',
  signature: hmac({ algorithm: 'sha1', encoding: 'base64', header: 'x-signature' }),
})
const handshake: Handshake = {
  methods: ['GET', 'POST'],
  answer: () => undefined,
}
const providers = [doorbell, base64, defineProvider({ ...doorbell, name: 'challenged', handshake })]

const good = rung()
const request = { method: 'POST', headers: new Headers(), body: good }
const proofs: string[] = []
for (const { signature: scheme } of providers) {
  proofs.push((await scheme.sign(request, secret, 0))['x-signature'] ?? '')
}

/** Characters that a header value can contain. */
const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
})

/** Changes a text in a way that some verifiers accept. */
const mutation = fc.oneof(
  fc.tuple(fc.nat(), visible).map(([at, other]) => (text: string) => {
    const position = at % text.length
    return text.slice(0, position) + other.slice(0, 1) + text.slice(position + 1)
  }),
  fc.nat().map((at) => (text: string) => text.slice(0, at % text.length)),
  fc.nat().map((at) => (text: string) => text.slice(at % text.length)),
  visible.map((other) => (text: string) => text + other),
  visible.map((other) => (text: string) => other + text),
  visible.map((other) => () => other),
  fc.constantFrom(
    (text: string) => text.toUpperCase(),
    (text: string) => `${text},${text}`,
    (text: string) => `${text} ${text}`,
    (text: string) => text.replace('sha256=', ''),
    (text: string) => text.replace('sha256=', 'sha1='),
    (text: string) => text.replace('=', ''),
    (text: string) => `"${text}"`,
    (text: string) => `v1=${text}`,
  ),
)

const bodyMutation = fc.oneof(
  fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })).map(([at, bits]) => {
    const copy = good.slice()
    copy[at % copy.length]! ^= bits
    return copy
  }),
  fc.nat().map((at) => good.slice(0, at % good.length)),
  fc.uint8Array({ maxLength: 64 }).map((more) => Uint8Array.from([...good, ...more])),
  fc.uint8Array({ maxLength: 64 }).map((more) => Uint8Array.from([...more, ...good])),
  fc.uint8Array({ maxLength: 256 }),
  fc.json().map((text) => new TextEncoder().encode(text)),
)

const header = fc.tuple(
  fc.constantFrom(
    'x-signature-2',
    'x-hub-signature-256',
    'authorization',
    'content-type',
    'content-length',
    'content-encoding',
    'transfer-encoding',
    'x-forwarded-for',
    'x-event',
    '__proto__',
    'constructor',
  ),
  fc.oneof(visible, fc.constantFrom('gzip', '-1', '1e9', 'NaN', 'identity')),
)

it('rejects 2,000 tampered deliveries without an internal error', async () => {
  const bus = createMemoryBus()
  const { gateway, send, observed } = openGateway({ providers, publisher: bus, limiter: unlimited })
  const tampered = fc.record({
    provider: fc.nat(providers.length - 1),
    method: fc.constantFrom('POST', 'POST', 'POST', 'POST', 'GET', 'PUT', 'HEAD', 'post', ''),
    proof: fc.option(mutation, { freq: 3 }),
    body: fc.option(bodyMutation, { freq: 1 }),
    headers: fc.array(header, { maxLength: 4 }),
  })
  let requests = 0
  await fc.assert(
    fc.asyncProperty(tampered, async ({ provider, method, proof, body, headers }) => {
      const signed = proofs[provider]!
      const presented = proof === null ? signed : proof(signed)
      const isForged = presented !== signed
      const isChanged = body !== null && Buffer.compare(body, good) !== 0
      fc.pre(isForged || isChanged || method !== 'POST')
      requests++
      const all = new Headers()
      for (const [name, value] of headers) all.append(name, value)
      all.set('x-signature', presented)
      const answer = await send({
        provider: gateway.providers[provider]!,
        method,
        headers: all,
        body: body ?? good,
        address: '192.0.2.1',
      })
      expect([401, 405, 413, 415]).toContain(answer.status)
      expect(answer.said).toMatch(
        /^(INVALID_SIGNATURE|METHOD_NOT_ALLOWED|PAYLOAD_TOO_LARGE|UNSUPPORTED_MEDIA_TYPE)$/,
      )
    }),
    { numRuns: 2000 },
  )
  expect(requests).toBeGreaterThanOrEqual(2000)
  expect(bus.events).toEqual([])
  expect(observed).toHaveLength(requests)
  // The same gateway accepts the original delivery.
  expect((await send({ headers: await signBody(good) })).said).toBe('accepted')
})

it('answers any signed body with 200, and repeats the answer for a redelivery', async () => {
  const { send } = openGateway({ limiter: unlimited })
  const payload = fc.oneof(
    fc.json(),
    fc
      .record(
        {
          kind: fc.constantFrom('rung', 'broken', 'polished'),
          id: fc.jsonValue(),
          door: fc.jsonValue(),
          type: fc.constantFrom('bell.rung', 'toString', '__proto__'),
          payload: fc.jsonValue(),
        },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value)),
    fc.string(),
  )
  await fc.assert(
    fc.asyncProperty(payload, async (text) => {
      const body = new TextEncoder().encode(text)
      const headers = await signBody(body)
      const first = await send({ body, headers })
      const second = await send({ body, headers })
      expect(first.status).toBe(200)
      if (!isJson(body)) expect(first.said).toBe('quarantined')
      expect(second.status).toBe(first.status)
      expect(second.events.map(({ id }) => id)).toEqual(first.events.map(({ id }) => id))
      if (first.said === 'accepted') expect(second.said).toBe('duplicate')
      else expect(second.said).toBe(first.said)
    }),
    { numRuns: 500 },
  )
})

/** Blocks no address, so that every request reaches the verification. */
const unlimited = { check: () => 0, fail: () => 0 }

function isJson(body: Uint8Array): boolean {
  try {
    parseJson(body)
    return true
  } catch {
    return false
  }
}
