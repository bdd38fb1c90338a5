import { utf8 } from '../crypto/encoding.ts'
import { createGateway } from '../gateway/gateway.ts'
import { normalize, parse } from '../gateway/normalize.ts'
import type { WebhookEvent } from '../ports/event.ts'
import { getTrust } from '../provider/provider.ts'
import type { Service } from '../provider/service.ts'
import { signDelivery, type SignedDelivery } from '../schemes/sign-delivery.ts'
import { staticSecrets } from '../secrets/secret-keeper.ts'
import { plainHeaders, type ProviderSample } from './provider-options.ts'
import type { TestRunner } from './runner.ts'
import { testServiceIdentity } from './service-identity.ts'
import {
  encodeSampleBody,
  isDistinct,
  openSample,
  presentSample,
  renewSample,
  type ServiceSample,
} from './service-samples.ts'

/** A delivery to sign by other code than the provider's. */
interface UnsignedDelivery {
  readonly body: Uint8Array
  /** The body as text. */
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
  readonly url: string
  readonly secret: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

export interface ServiceSuiteOptions {
  readonly provider: Service
  /** Recorded deliveries of different events. */
  readonly samples: readonly ServiceSample[]
  /**
   * Signs a delivery with the library of the service or with `node:crypto`, without the provider's scheme. Returns the
   * headers, or the headers, the body and the address if the signature is part of one of them.
   */
  readonly sign: (
    delivery: UnsignedDelivery,
  ) => MaybePromise<Readonly<Record<string, string>> | SignedDelivery>
  /** The secret that verifies. @default a text of 40 characters that is base64 after `whsec_` */
  readonly secret?: string
  /** The secret that signs, for a pair of keys. @default the secret that verifies */
  readonly signingSecret?: string
  /** The time of the deliveries in milliseconds since the epoch. @default 2026-01-01T00:00:00Z */
  readonly now?: number
  /** The public address of the endpoint. @default https://hooks.example.com/webhooks/<name> */
  readonly url?: string
}

type MaybePromise<T> = T | Promise<T>

const hour = 3_600_000

/**
 * Defines the tests of a service: each sample becomes events of its kinds, a redelivery has the same ids, a new event has
 * others, and a changed delivery is refused.
 *
 * @example
 * ```ts
 * import { defineService, hmac } from '@sallyport/webhooks'
 * import { testService } from '@sallyport/webhooks/testing'
 * import { createHmac } from 'node:crypto'
 * import { describe, expect, it } from 'vitest'
 *
 * const doorbell = defineService({
 *   name: 'doorbell',
 *   signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-doorbell-signature' }),
 *   kind: 'type',
 *   id: 'id',
 * })
 *
 * testService(
 *   { describe, expect, it },
 *   {
 *     provider: doorbell,
 *     samples: [{ kind: 'ring', source: 'recorded', headers: {}, body: { type: 'ring', id: 'r-1' } }],
 *     sign: ({ body, secret }) => ({
 *       'x-doorbell-signature': createHmac('sha256', secret).update(body).digest('hex'),
 *     }),
 *   },
 * )
 * ```
 */
export function testService({ describe, it, expect }: TestRunner, options: ServiceSuiteOptions): void {
  const { provider, samples, sign } = options
  const { name, signature, service, answer } = provider
  const {
    secret = `whsec_${btoa('the secret of the webhook')}`,
    signingSecret = secret,
    now = Date.UTC(2026, 0),
    url = `https://hooks.example.com/webhooks/${name}`,
  } = options
  const isSigned = getTrust(provider) === 'signed'
  // A time in the body is signed, so that a redelivery has it, too.
  const later = service.fresh ? now : now + hour

  const signWithScheme = async ({ headers, body }: ProviderSample, at: number): Promise<SignedDelivery> => {
    const delivery = { method: 'POST', headers: plainHeaders(headers), body: encodeSampleBody(body), url }
    const signed = await signDelivery(signature, delivery, signingSecret, at)
    return { ...signed, headers: { ...headers, ...signed.headers } }
  }

  async function deliver({ body, headers, url: to = url }: SignedDelivery, at: number) {
    const events: WebhookEvent[] = []
    const gateway = createGateway({
      providers: [provider],
      allowUnsigned: [name],
      secrets: staticSecrets({ [name]: [secret] }),
      now: () => at,
      publisher: {
        publish: (batch) => {
          events.push(...batch)
          return Promise.resolve(batch.map(() => ({ ok: true as const })))
        },
      },
    })
    const response = await gateway.handle({
      method: 'POST',
      provider: name,
      url: to,
      query: new URL(to).searchParams,
      headers: plainHeaders(headers),
      readBody: (sink) => {
        sink.push(body)
        return Promise.resolve()
      },
    })
    return { status: response.status, body: response.body, events }
  }

  const send = async (sample: ProviderSample, at = now, signed?: SignedDelivery) =>
    deliver(signed ?? (await signWithScheme(sample, at)), at)
  const listIds = async (...sent: Parameters<typeof send>) => (await send(...sent)).events.map(({ id }) => id)
  // An attempt repeats the id of the delivery.
  const isNewEach = (sample: ProviderSample) => {
    const { events, has } = openSample(provider, sample)
    const { deliveryId } = service
    return events.some((one) => isDistinct(service, one) && !(deliveryId && has(deliveryId, one)))
  }
  const present = samples.map((sample) => ({ ...sample, ...presentSample(provider, sample, now) }))

  describe(`service ${name}`, () => {
    it('passes each sample as events of its kinds', async () => {
      for (const sample of present) {
        const { status, body, events } = await send(sample)
        expect({ kind: sample.kind, status, body: status >= 400 ? body : '' }).toEqual({
          kind: sample.kind,
          status: answer?.status ?? 200,
          body: '',
        })
        const expected = (sample.kinds ?? [sample.kind]).map((kind) => `${name}/${kind}`)
        expect(events.map((event) => event.name)).toEqual(expected)
        for (const { subject, ts } of events) expect(subject !== '' && ts > Date.UTC(1990, 0)).toBe(true)
      }
    })

    it('gives different ids to different events, and the same ids to a redelivery', async () => {
      const ids = (await Promise.all(present.map((sample) => listIds(sample)))).flat()
      expect(new Set(ids).size).toBe(ids.length)
      for (const sample of present) {
        const signed = await signWithScheme(sample, now)
        const { signedIds = signature.signedHeaders ?? [] } = signature
        const kept = Object.fromEntries(
          Object.entries(signed.headers).filter(([header]) => signedIds.includes(header)),
        )
        const again = await signWithScheme({ ...sample, headers: { ...sample.headers, ...kept } }, later)
        const first = await listIds(sample, now, signed)
        const second = await listIds(sample, later, { ...again, headers: { ...again.headers, ...kept } })
        expect({ kind: sample.kind, isSame: String(first) === String(second) }).toEqual({
          kind: sample.kind,
          isSame: !isNewEach(sample),
        })
      }
    })

    it('makes an event of a body of any other form', async () => {
      const forms = [
        'null',
        'true',
        '0',
        '""',
        '[]',
        '[null]',
        '{}',
        '{"type":1,"event":{},"data":[]}',
        'a=1',
        '<a/>',
      ]
      for (const headers of [{}, ...samples.map((sample) => sample.headers)]) {
        for (const form of forms) {
          const body = utf8(form)
          const payload = readPayload(provider, body)
          if (payload === unreadable) continue
          const delivery = { payload, headers: plainHeaders(headers), body, receivedAt: now }
          const reading = normalize(provider, delivery, 'form')
          const error = await reading.then(() => undefined, String)
          expect({ form, error }).toEqual({ form, error: undefined })
        }
      }
    })

    testServiceIdentity({ describe, it, expect }, provider, present)

    it('gives another id to a fresh sample', async () => {
      for (const sample of present) {
        const [one, two] = await Promise.all(
          ['0f8b3c1d-5a2e-4f67-9b80-c1d2e3f4a5b6', '7c9e6679-7425-40de-944b-e07fc1f90ae7'].map((uuid) =>
            listIds(renewSample(provider, sample, { uuid, now: now + 1000 }), now + 1000),
          ),
        )
        const ids = [...(await listIds(sample)), ...(one ?? []), ...(two ?? [])]
        const count = 3 * (sample.kinds?.length ?? 1)
        expect({ kind: sample.kind, ids: new Set(ids).size }).toEqual({ kind: sample.kind, ids: count })
      }
    })

    it('accepts a signature of other code', async () => {
      for (const sample of present) {
        const bytes = encodeSampleBody(sample.body)
        const text = new TextDecoder().decode(bytes)
        const unsigned = { body: bytes, text, headers: sample.headers, url, secret: signingSecret, now }
        const signed = await sign(unsigned)
        const own = isSignedDelivery(signed) ? signed : { headers: signed, body: bytes }
        const headers = { ...sample.headers, ...lower(own.headers) }
        const { status, body } = await send(sample, now, { ...own, headers })
        expect({ kind: sample.kind, accepted: status < 300, body: status < 300 ? '' : body }).toEqual({
          kind: sample.kind,
          accepted: true,
          body: '',
        })
      }
    })

    it('refuses a wrong secret, a missing signature and a changed body', async () => {
      for (const sample of present.slice(0, 2)) {
        const { headers, body: bytes, url: signedUrl = url } = await signWithScheme(sample, now)
        const verify = async (
          body: Uint8Array,
          given: Readonly<Record<string, string>>,
          secrets = [secret],
          to = signedUrl,
        ) => {
          const delivery = { method: 'POST', headers: plainHeaders(given), body, url: to }
          return (await signature.verify(delivery, secrets, now)).verified
        }
        if (getTrust(provider) === 'none') continue
        expect(await verify(encodeSampleBody(sample.body), sample.headers, [secret], url)).toBe(false)
        expect(await verify(bytes, headers, [])).toBe(false)
        expect(await verify(bytes, headers, ['']).catch(() => false)).toBe(false)
        for (const to of signedUrl === url
          ? []
          : [`${signedUrl}A`, `${signedUrl}&${signedUrl.split('?')[1]}`]) {
          expect({ to, verified: await verify(bytes, headers, [secret], to) }).toEqual({
            to,
            verified: false,
          })
        }
        for (const header of signature.headers) {
          const value = headers[header]
          if (value === undefined) continue
          const missing = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== header))
          for (const given of [missing, ...damage(value).map((text) => ({ ...headers, [header]: text }))]) {
            const verified = await verify(bytes, given).catch(() => false)
            expect({ header, value: given[header], verified }).toEqual({
              header,
              value: given[header],
              verified: false,
            })
          }
        }
        if (!isSigned) continue
        for (const at of [0, bytes.length >> 1, bytes.length - 1]) {
          const changed = Uint8Array.from(bytes)
          changed[at] = (changed[at] ?? 0) ^ 1
          expect({ at, verified: await verify(changed, headers).catch(() => false) }).toEqual({
            at,
            verified: false,
          })
        }
      }
    })
  })
}

const unreadable = Symbol('unreadable')

const readPayload = (provider: Service, body: Uint8Array): unknown => {
  try {
    return parse(provider, body)
  } catch {
    return unreadable
  }
}

const isSignedDelivery = (
  signed: Readonly<Record<string, string>> | SignedDelivery,
): signed is SignedDelivery => signed['body'] instanceof Uint8Array

/** Forms of a value that a service does not send: empty, shortened, and longer. */
const damage = (value: string): readonly string[] => ['', value.slice(0, value.length >> 1), `${value}A`]

const lower = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
