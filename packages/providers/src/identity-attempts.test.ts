import type { Service } from '@sallyport/webhooks'
import { describe, expect, it } from 'vitest'
import { open, type Sample } from '../test/endpoint.ts'
import ablySamples from './services/ably.samples.json' with { type: 'json' }
import { ably } from './services/ably.ts'
import dailySamples from './services/daily.samples.json' with { type: 'json' }
import { daily } from './services/daily.ts'
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
import tailscaleSamples from './services/tailscale.samples.json' with { type: 'json' }
import { tailscale } from './services/tailscale.ts'
import telnyxSamples from './services/telnyx.samples.json' with { type: 'json' }
import { telnyx } from './services/telnyx.ts'

describe('attempts of one delivery', () => {
  it.each<readonly [string, Service, readonly Sample[], string, string]>([
    ['HubSpot', hubspot, hubspotSamples, '"attemptNumber":0', '"attemptNumber":1'],
    ['Telnyx', telnyx, telnyxSamples, '"attempt":1', '"attempt":2'],
    ['Intercom', intercom, intercomSamples, '"delivery_attempts":1', '"delivery_attempts":2'],
    ['LINE', line, lineSamples, '"isRedelivery":false', '"isRedelivery":true'],
    ['Pipedrive', pipedrive, pipedriveSamples, '"attempt":1', '"attempt":2'],
    ['Daily', daily, dailySamples, '"event_ts":17', '"event_ts":18'],
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

  it.each<readonly [string, Service, readonly Sample[]]>([
    ['HubSpot', hubspot, hubspotSamples],
    ['LINE', line, lineSamples],
    ['Tailscale', tailscale, tailscaleSamples],
    ['Ably', ably, ablySamples],
  ])('of %s may have other events beside those of the first one', async (_, provider, [sample]) => {
    const { deliver } = open(provider)
    const body = sample?.body
    const [member = ''] = Array.isArray(body) ? [] : Object.keys(Object(body) as object).toReversed()
    const events = (member === '' ? body : (body as Record<string, unknown>)[member]) as unknown[]
    const send = (some: readonly unknown[]) =>
      deliver(member === '' ? some : { ...(body as object), [member]: some })
    const outcomes = []
    for (const some of [events.slice(1), events, events.toReversed(), events.slice(0, 1)])
      outcomes.push(await send(some))
    expect(outcomes).toEqual(['accepted', 'accepted', 'duplicate', 'duplicate'])
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
