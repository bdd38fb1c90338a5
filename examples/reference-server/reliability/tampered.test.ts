import { builtInProviders } from '@sallyport/providers'
import { builtInSamples } from '@sallyport/providers/samples'
import { createGateway, getTrust, signDelivery, staticSecrets, type WebhookEvent } from '@sallyport/webhooks'
import { encodeSampleBody } from '@sallyport/webhooks/testing'
import { flipBit, flipCharacter } from '@sallyport/test-support/webhooks'
import fc from 'fast-check'
import { expect, inject, it } from 'vitest'
import { getSampleSecrets, unsendable } from '../../../packages/cli/test/sample-secrets.ts'

const now = Date.UTC(2026, 0)

interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** A real delivery, and the names of the headers that prove it. */
interface Captured extends Sent {
  readonly provider: string
  readonly proof: readonly [string, ...string[]]
}

/** The providers whose signature covers every byte of the body and is in headers. */
const providers = builtInProviders.filter(
  (provider) =>
    getTrust(provider) === 'signed' &&
    provider.signature.signBody === undefined &&
    provider.signature.signUrl === undefined &&
    !unsendable.has(provider.name),
)

async function capture(): Promise<readonly Captured[]> {
  const captured: Captured[] = []
  for (const { name: provider, signature } of providers) {
    const recorded = await builtInSamples.get(provider)?.()
    for (const { headers, body: content } of recorded?.samples({ now: () => now }) ?? []) {
      const body = encodeSampleBody(content)
      const unsigned = {
        method: 'POST',
        headers: new Headers(headers),
        body,
        url: `https://hooks.example/webhooks/${provider}`,
      }
      const signed = await signDelivery(signature, unsigned, getSampleSecrets(provider).cli, now)
      const names = Object.keys(signed.headers) as [string, ...string[]]
      captured.push({ provider, headers: { ...headers, ...signed.headers }, proof: names, body })
    }
  }
  return captured
}

type Tamper = (captured: Captured, all: readonly Captured[]) => Sent

/** The proof in a header: hexadecimal in any case, and without the number of Worldpay's secret, which is not signed. */
const normalizeProof = (value: string) => value.toLowerCase().replace(/^\d+\/sha256\//, '/sha256/')

/** Changes one of the headers that prove it. A header with the same proof loses its end. */
const changeProof = (change: (value: string) => string, which: number): Tamper => {
  return ({ headers, body, proof }) => {
    const name = proof[which % proof.length] ?? proof[0]
    const value = headers[name] ?? ''
    const changed = change(value)
    const isSame = normalizeProof(changed) === normalizeProof(value)
    return { headers: { ...headers, [name]: isSame ? value.slice(0, -1) : changed }, body }
  }
}

const parseForm = (body: Uint8Array) => String(new URLSearchParams(Buffer.from(body).toString()))

/** Changes the body. A form with another percent-encoding of the same fields is the same content. */
const changeBody = (change: (body: Uint8Array) => Uint8Array): Tamper => {
  return ({ headers, body }) => {
    const changed = change(body)
    const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
    const isSame = isForm && parseForm(changed) === parseForm(body)
    return { headers, body: isSame ? flipBit(changed, 0) : changed }
  }
}

const place = fc.nat(1_000_000)
const ways: readonly fc.Arbitrary<Tamper>[] = [
  fc.array(place, { minLength: 1, maxLength: 3 }).map((places) =>
    changeBody((body) => {
      const bits = new Set(places.map((one) => one % (body.length * 8)))
      return [...bits].reduce<Uint8Array>((bytes, bit) => flipBit(bytes, bit), body)
    }),
  ),
  place.map((at) => changeBody((body) => body.slice(0, at % body.length))),
  fc
    .string({ minLength: 1, unit: fc.constantFrom('{', '}', '"', '0', ',', '\0') })
    .map((more) => ({ headers, body }) => ({ headers, body: Buffer.concat([body, Buffer.from(more)]) })),
  fc
    .tuple(place, fc.nat(7), place)
    .map(([at, bit, which]) => changeProof((value) => flipCharacter(value, at % value.length, bit), which)),
  fc
    .tuple(place, place)
    .map(([at, which]) => changeProof((value) => value.slice(0, at % value.length), which)),
  fc.tuple(fc.base64String({ maxLength: 100 }), place).map(([text, which]) => changeProof(() => text, which)),
  // The proof of another delivery of the same service.
  place.map((which) => ({ provider, headers, body, proof }, all) => {
    const others = all.filter((one) => one.provider === provider && Buffer.compare(one.body, body) !== 0)
    const other = others[which % others.length]
    return {
      headers: { ...headers, ...Object.fromEntries(proof.map((name) => [name, other?.headers[name] ?? ''])) },
      body,
    }
  }),
]

it('accepts none of 100,000 deliveries that were tampered with, of any provider, and fails at none', async () => {
  const captured = await capture()
  const published: WebhookEvent[] = []
  const gateway = createGateway({
    providers,
    secrets: staticSecrets(
      Object.fromEntries(providers.map(({ name }) => [name, getSampleSecrets(name).server])),
    ),
    // Everything gets as far as its signature.
    limiter: { check: () => 0, fail: () => 0 },
    now: () => now,
    publisher: {
      publish: (events) => {
        published.push(...events)
        return Promise.resolve(events.map(() => ({ ok: true })))
      },
    },
  })
  const send = async (provider: string, { headers, body }: Sent): Promise<string> => {
    // Also what no HTTP client would send.
    const byName = new Map(Object.entries(headers))
    const answer = await gateway.handle({
      method: 'POST',
      provider,
      url: `https://hooks.example/webhooks/${provider}`,
      headers: {
        get: (name) => byName.get(name.toLowerCase()) ?? null,
        [Symbol.iterator]: () => byName.entries(),
      },
      readBody: (sink) => {
        sink.push(body)
        return Promise.resolve()
      },
    })
    if (answer.status < 300) return 'accepted'
    const { error } = JSON.parse(answer.body) as { error: { code: string } }
    return `${answer.status} ${error.code}`
  }

  const answers = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(fc.nat(captured.length - 1), fc.oneof(...ways), async (which, tamper) => {
      const one = captured[which] as Captured
      const answer = await send(one.provider, tamper(one, captured))
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
      if (answer !== '401 INVALID_SIGNATURE') throw new Error(`${one.provider} answers ${answer}`)
    }),
    { seed: inject('seed'), numRuns: 100_000 },
  )
  expect([...answers]).toEqual([['401 INVALID_SIGNATURE', 100_000]])
  expect(published).toEqual([])

  // The same gateway accepts an unchanged delivery.
  for (const one of captured) expect(await send(one.provider, one), one.provider).toBe('accepted')
  expect(published.length).toBeGreaterThanOrEqual(captured.length)
})
