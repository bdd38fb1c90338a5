import {
  createGateway,
  memoryInbox,
  signDelivery,
  staticSecrets,
  type Observation,
  type Service,
} from '@sallyport/webhooks'
import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { getUrl, now, secret, toBytes } from '../test/send.ts'
import acuitySamples from './services/acuity.samples.json' with { type: 'json' }
import { acuity } from './services/acuity.ts'
import dropboxSamples from './services/dropbox.samples.json' with { type: 'json' }
import { dropbox } from './services/dropbox.ts'
import fitbitSamples from './services/fitbit.samples.json' with { type: 'json' }
import { fitbit } from './services/fitbit.ts'
import hubspotSamples from './services/hubspot.samples.json' with { type: 'json' }
import { hubspot } from './services/hubspot.ts'
import intercomSamples from './services/intercom.samples.json' with { type: 'json' }
import { intercom } from './services/intercom.ts'
import lineSamples from './services/line.samples.json' with { type: 'json' }
import { line } from './services/line.ts'
import muxSamples from './services/mux.samples.json' with { type: 'json' }
import { mux } from './services/mux.ts'
import pipedriveSamples from './services/pipedrive.samples.json' with { type: 'json' }
import { pipedrive } from './services/pipedrive.ts'
import slackSamples from './services/slack.samples.json' with { type: 'json' }
import { slack } from './services/slack.ts'
import telnyxSamples from './services/telnyx.samples.json' with { type: 'json' }
import { telnyx } from './services/telnyx.ts'

const pair = generateKeyPairSync('ed25519')
const exportRaw = (key: Buffer) => key.subarray(-32).toString('base64')

/** The secret that verifies and the secret that signs, where the usual one has the wrong form. */
const secrets: Readonly<Record<string, readonly [string, string]>> = {
  pipedrive: ['sallyport:password', 'sallyport:password'],
  telnyx: [
    exportRaw(pair.publicKey.export({ format: 'der', type: 'spki' })),
    exportRaw(pair.privateKey.export({ format: 'der', type: 'pkcs8' })),
  ],
}

/** Opens an endpoint with its own inbox. */
function open(provider: Service) {
  const { name, signature } = provider
  const [verifying, signing] = secrets[name] ?? [secret, secret]
  let observed: Observation | undefined
  const gateway = createGateway({
    providers: [provider],
    allowUnsigned: [name],
    secrets: staticSecrets({ [name]: [verifying] }),
    inbox: memoryInbox({ now: () => now }),
    now: () => now,
    observe: (observation) => (observed = observation),
  })
  return {
    deliver: async (body: unknown, headers: Readonly<Record<string, string>> = {}) => {
      const request = {
        method: 'POST',
        headers: new Headers(headers),
        body: toBytes(body),
        url: getUrl(provider),
      }
      const signed = await signDelivery(signature, request, signing, now)
      await gateway.handle({
        method: 'POST',
        provider: name,
        url: request.url,
        headers: new Headers({ ...headers, ...signed.headers }),
        readBody: (sink) => {
          sink.push(signed.body)
          return Promise.resolve()
        },
      })
      return observed?.outcome
    },
  }
}

interface Sample {
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

describe('deliveries with identical bytes', () => {
  it.each<readonly [string, Service, readonly Sample[]]>([
    ['Dropbox', dropbox, dropboxSamples],
    ['Acuity', acuity, acuitySamples],
    ['Fitbit', fitbit, fitbitSamples],
  ])('are different changes of %s', async (_, provider, samples) => {
    for (const { headers, body } of samples) {
      const { deliver } = open(provider)
      const outcomes = [await deliver(body, headers), await deliver(body, headers)]
      expect(outcomes).toEqual(['accepted', 'accepted'])
    }
  })
})

describe('attempts of one delivery', () => {
  it.each<readonly [string, Service, readonly Sample[], string, string]>([
    ['HubSpot', hubspot, hubspotSamples, '"attemptNumber":0', '"attemptNumber":1'],
    ['Telnyx', telnyx, telnyxSamples, '"attempt":1', '"attempt":2'],
    ['Intercom', intercom, intercomSamples, '"delivery_attempts":1', '"delivery_attempts":2'],
    ['LINE', line, lineSamples, '"isRedelivery":false', '"isRedelivery":true'],
    ['Pipedrive', pipedrive, pipedriveSamples, '"attempt":1', '"attempt":2'],
    ['Mux', mux, muxSamples, '"attempts":[]', '"attempts":[{"response_status_code":500}]'],
  ])('of %s are one event although their bodies differ', async (_, provider, samples, first, second) => {
    const { deliver } = open(provider)
    for (const { headers, body } of samples) {
      const text = JSON.stringify(body)
      const retry = text.replaceAll(first, second)
      expect(retry).not.toBe(text)
      const outcomes = [await deliver(text, headers), await deliver(retry, headers)]
      expect(outcomes).toEqual(['accepted', 'duplicate'])
    }
  })

  it.each([
    ['HubSpot', hubspot, hubspotSamples],
    ['LINE', line, lineSamples],
  ])('of %s may have fewer events than the first one', async (_, provider, [sample]) => {
    const { deliver } = open(provider)
    const body = sample?.body ?? []
    const part = Array.isArray(body) ? body.slice(1) : { ...body, events: body.events.slice(1) }
    expect([await deliver(body), await deliver(part)]).toEqual(['accepted', 'duplicate'])
  })
})

describe('the retry headers of Slack', () => {
  const retried = { 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_timeout' }
  const [first, other] = slackSamples

  it('do not suppress an event whose first attempt did not arrive', async () => {
    const { deliver } = open(slack)
    expect(await deliver(first?.body, retried)).toBe('accepted')
    expect(await deliver(first?.body)).toBe('duplicate')
  })

  it('do not suppress another event', async () => {
    const { deliver } = open(slack)
    expect([await deliver(first?.body), await deliver(other?.body, retried)]).toEqual([
      'accepted',
      'accepted',
    ])
  })
})
