import { createGateway, createMemoryInbox, staticSecrets } from '@sallyport/webhooks'
import { testService } from '@sallyport/webhooks/testing'
import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { getUrl, secret } from '../../test/send.ts'
import { twilio } from './twilio.ts'
import samples from './twilio.samples.json' with { type: 'json' }

const parse = (text: string, integers?: 'number') => twilio.parse!(new TextEncoder().encode(text), integers)

it('parses large integers as the option says', () => {
  expect(parse('[{"id":9007199254740993}]')).toEqual([{ id: '9007199254740993' }])
  expect(parse('[{"id":9007199254740993}]', 'number')).toEqual([{ id: Number('9007199254740993') }])
})

it('rejects JSON that nests deeper than 100 levels', () => {
  expect(() => parse('['.repeat(101) + ']'.repeat(101))).toThrow('nests deeper')
})

const sign = (content: string, algorithm = 'sha1') =>
  createHmac(algorithm, secret).update(content).digest('base64')

const joinFields = (text: string) =>
  [...new URLSearchParams(text)]
    .sort(([one], [two]) => (one < two ? -1 : 1))
    .map(([name, value]) => name + value)
    .join('')

testService(runner, {
  provider: twilio,
  samples,
  sign: ({ text, url }) => ({ 'x-twilio-signature': sign(url + joinFields(text)) }),
})

interface Callback {
  readonly method?: string
  readonly query?: string
  readonly body?: string
  readonly headers: Readonly<Record<string, string>>
}

function open() {
  let outcome: string | undefined
  let names: readonly string[] = []
  const inbox = createMemoryInbox()
  const gateway = createGateway({
    providers: [twilio],
    secrets: staticSecrets({ twilio: [secret] }),
    inbox: {
      ...inbox,
      record(delivery, how) {
        names = delivery.events.map(({ event }) => event.name)
        return inbox.record(delivery, how)
      },
    },
    observe: (one) => (outcome = one.outcome),
  })
  return async ({ method = 'POST', query = '', body = '', headers }: Callback) => {
    names = []
    await gateway.handle({
      method,
      provider: 'twilio',
      headers: new Headers(headers),
      url: getUrl(twilio) + query,
      readBody: async (sink) => {
        sink.push(new TextEncoder().encode(body))
      },
    })
    return [outcome, ...names]
  }
}

describe('other forms of Twilio', () => {
  it('accepts a callback by GET', async () => {
    const query = '?AccountSid=AC1&CallSid=CA1&CallStatus=completed&From=%2B15550100'
    const headers = { 'x-twilio-signature': sign(getUrl(twilio) + query) }
    const deliver = open()
    expect(await deliver({ method: 'GET', query, headers })).toEqual(['accepted', 'twilio/call.completed'])
    const forged = query.replace('completed', 'failed')
    expect(await deliver({ method: 'GET', query: forged, headers })).toEqual(['refused'])
  })

  it('gives a delivery by GET with the content of a form the id of the form', async () => {
    const body = 'Body=x&MessageSid=SM1&SmsStatus=received'
    const headers = {
      'i-twilio-idempotency-token': 'one',
      'x-twilio-signature': sign(`${getUrl(twilio)}?tenant=7${joinFields(body)}`),
    }
    const deliver = open()
    expect(await deliver({ query: '?tenant=7', body, headers })).toEqual([
      'accepted',
      'twilio/message.received',
    ])
    const query = `?tenant=7${joinFields(body)}`
    expect(await deliver({ method: 'GET', query, headers })).toEqual(['duplicate', 'twilio/unknown'])
  })

  // Regression: the second answer with the same digits was a duplicate, and thus lost.
  it('tells callbacks with equal fields apart by their token, and merges the attempts of one', async () => {
    const body = 'CallSid=CA1&CallStatus=in-progress&Digits=1'
    const signed = { 'x-twilio-signature': sign(getUrl(twilio) + joinFields(body)) }
    const deliver = open()
    const outcomes = []
    for (const token of ['one', 'one', 'two']) {
      const headers = { ...signed, 'i-twilio-idempotency-token': token }
      outcomes.push((await deliver({ body, headers }))[0])
    }
    expect(outcomes).toEqual(['accepted', 'duplicate', 'accepted'])
  })

  it('accepts a shared key with SHA-256, and only the algorithm that the delivery names', async () => {
    const body = 'MessageSid=SM1&SmsStatus=received'
    const content = getUrl(twilio) + joinFields(body)
    const settings = { 'x-twilio-webhooks-signature-settings': 'key=CR1,algorithm=HMAC_SHA256' }
    const signed = (algorithm: string) => ({ 'x-twilio-signature': sign(content, algorithm) })
    const deliver = open()
    expect(await deliver({ body, headers: { ...signed('sha1'), ...settings } })).toEqual(['refused'])
    expect(await deliver({ body, headers: signed('sha256') })).toEqual(['refused'])
    expect(await deliver({ body, headers: { ...signed('sha256'), ...settings } })).toEqual([
      'accepted',
      'twilio/message.received',
    ])
  })

  it('passes each event of Event Streams', async () => {
    const event = { specversion: '1.0', id: 'EZ1', time: '2026-01-01T10:00:00.000Z', data: {} }
    const body = JSON.stringify([
      { ...event, type: 'com.twilio.messaging.message.sent' },
      { ...event, type: 'com.twilio.messaging.message.delivered' },
    ])
    const query = `?bodySHA256=${createHash('sha256').update(body).digest('hex')}`
    const headers = { 'x-twilio-signature': sign(getUrl(twilio) + query) }
    const deliver = open()
    expect(await deliver({ query, body, headers })).toEqual([
      'accepted',
      'twilio/com.twilio.messaging.message.sent',
      'twilio/com.twilio.messaging.message.delivered',
    ])
    expect(await deliver({ query, body: body.replace('EZ1', 'EZ2'), headers })).toEqual(['refused'])
  })
})

it.each([
  ['amd.detected', { CallSid: 'CA1', AnsweredBy: 'human', MachineDetectionDuration: '2500' }],
  ['call.completed', { CallSid: 'CA1', CallStatus: 'completed', AnsweredBy: 'human', RecordingSid: 'RE1' }],
  ['stream.stream-started', { CallSid: 'CA1', StreamSid: 'MZ1', StreamEvent: 'stream-started' }],
  ['video.room-created', { RoomSid: 'RM1', StatusCallbackEvent: 'room-created' }],
  ['transcription.completed', { CallSid: 'CA1', TranscriptionSid: 'TR1', TranscriptionStatus: 'completed' }],
  ['conversation.onMessageAdded', { ConversationSid: 'CH1', MessageSid: 'IM1', EventType: 'onMessageAdded' }],
  ['record.finished', { CallSid: 'CA1', CallStatus: 'in-progress', RecordingUrl: 'https://x', Digits: '#' }],
  ['dial.busy', { CallSid: 'CA1', CallStatus: 'in-progress', DialCallSid: 'CA2', DialCallStatus: 'busy' }],
  ['usage.totalprice', { UsageTriggerSid: 'UT1', UsageCategory: 'totalprice', IdempotencyToken: 't' }],
  ['proxy.Voice', { interactionSid: 'KI1', interactionType: 'Voice', inboundResourceStatus: 'completed' }],
  ['message.read', { MessageSid: 'SM1', MessageStatus: 'read', EventType: 'READ' }],
  ['bundle.in-review', { BundleSid: 'BU1', Status: 'in-review' }],
  ['document_updated', { ServiceSid: 'IS1', EventType: 'document_updated' }],
])('names the kind %s', (kind, fields) => {
  const delivery = { payload: fields, headers: new Headers(), body: new Uint8Array(), receivedAt: 0 }
  expect(twilio.normalize(delivery)).toMatchObject([{ kind }])
})
