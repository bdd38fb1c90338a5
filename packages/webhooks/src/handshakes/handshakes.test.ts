import { createHmac } from 'node:crypto'
import { toBytes, createOpener } from '@sallyport/test-support/hosts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { doorbell, secret } from '../../test/doorbell.ts'
import { hosts } from '../../test/hosts.ts'
import {
  defineProvider,
  hmac,
  createMemoryFailureLimiter,
  createMemoryInbox,
  signedTime,
  staticSecrets,
  type DeliveryRecord,
  type FailureLimiter,
  type Handshake,
  type SignatureScheme,
} from '../index.ts'
import {
  graphHandshake,
  metaHandshake,
  oktaHandshake,
  signedChallenge,
  slackHandshake,
  xHandshake,
  zoomHandshake,
} from './index.ts'

const verifyToken = 'meatyhamhock'
const formerSecret = 'the secret until yesterday'

const timed = (header: string, timestamp: string): SignatureScheme =>
  hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header,
    prefix: 'v0=',
    timestamp: signedTime({ header: timestamp }),
    content: ({ timestamp: time, body }) => ['v0:', time, ':', body],
  })
const slack = timed('x-slack-signature', 'x-slack-request-timestamp')
const zoom = timed('x-zm-signature', 'x-zm-request-timestamp')
const x = hmac({
  algorithm: 'sha256',
  encoding: 'base64',
  header: 'x-twitter-webhooks-signature',
  prefix: 'sha256=',
})

const provider = (name: string, handshake: Handshake, signature = doorbell.signature) =>
  defineProvider({ ...doorbell, name, signature, handshake })
const providers = [
  provider('meta', metaHandshake({ verifyToken: ['other', verifyToken] })),
  provider('x', xHandshake(), x),
  provider('okta', oktaHandshake()),
  provider('slack', slackHandshake(), slack),
  provider('zoom', zoomHandshake(), zoom),
  provider('graph', graphHandshake()),
]
const secrets = staticSecrets(Object.fromEntries(providers.map(({ name }) => [name, [secret, formerSecret]])))

describe.each(Object.entries(hosts))('challenges over %s', (_, open) => {
  const opened = createOpener(open)

  async function start(limiter: FailureLimiter = createMemoryFailureLimiter({ failures: 3 })) {
    const recorded: DeliveryRecord[] = []
    const inner = createMemoryInbox()
    const send = await opened({
      providers,
      secrets,
      limiter,
      inbox: {
        ...inner,
        record: (record, how) => {
          recorded.push(record)
          return inner.record(record, how)
        },
      },
    })
    const ask = async (path: string, headers: readonly (readonly [string, string])[] = []) => {
      const { status, headers: said, text } = await send({ method: 'GET', path, headers })
      return { status, type: said.get('content-type'), sniff: said.get('x-content-type-options'), text }
    }
    const post = async (path: string, body: string, signature?: SignatureScheme, key = secret) => {
      const delivery = { method: 'POST', headers: new Headers(), body: toBytes(body) }
      const proof = signature ? await signature.sign(delivery, key, Date.now()) : {}
      const answer = await send({ path, body: delivery.body, headers: Object.entries(proof) })
      const { status, headers, text } = answer
      return { status, type: headers.get('content-type'), sniff: headers.get('x-content-type-options'), text }
    }
    return { ask, post, recorded }
  }

  const asText = (text: string) => ({
    status: 200,
    type: 'text/plain; charset=utf-8',
    sniff: 'nosniff',
    text,
  })
  const asJson = (value: unknown) => ({
    status: 200,
    type: 'application/json; charset=utf-8',
    sniff: 'nosniff',
    text: JSON.stringify(value),
  })

  it('Meta: echoes hub.challenge for a valid verify token', async () => {
    const { ask } = await start()
    const request = (token: string, mode = 'subscribe', challenge = '1158201444') =>
      ask(`/webhooks/meta?hub.mode=${mode}&hub.challenge=${challenge}&hub.verify_token=${token}`)
    expect(await request(verifyToken)).toEqual(asText('1158201444'))
    expect(await request('other')).toEqual(asText('1158201444'))
    expect((await request('another')).status).toBe(405)
    expect((await request(verifyToken, 'unsubscribe')).status).toBe(405)
    expect((await request(verifyToken, 'subscribe', '%3Cscript%3E')).status).toBe(405)
    // Each of these counts as a failure of the address.
    expect((await request(verifyToken)).status).toBe(429)
  })

  it('X: signs the token, up to the failure limit of the address', async () => {
    const { ask } = await start()
    const digest = createHmac('sha256', secret).update('challenge_string').digest('base64')
    const answer = asJson({ response_token: `sha256=${digest}` })
    const request = () => ask('/webhooks/x?crc_token=challenge_string')
    expect([await request(), await request(), await request()]).toEqual([answer, answer, answer])
    expect((await request()).status).toBe(429)
  })

  it('Okta: repeats the header as JSON', async () => {
    const { ask } = await start()
    const request = (value: string) => ask('/webhooks/okta', [['X-Okta-Verification-Challenge', value]])
    expect(await request('hsVmYfJyNjPTo0DvR_Uc1CXtGPDzuEo-LnWjgEq5')).toEqual(
      asJson({ verification: 'hsVmYfJyNjPTo0DvR_Uc1CXtGPDzuEo-LnWjgEq5' }),
    )
    expect((await request('{"a": 1}')).status).toBe(405)
    expect((await ask('/webhooks/okta')).status).toBe(405)
  })

  it('Slack: answers the certificate check of a slash command without a signature', async () => {
    const { post } = await start()
    expect(await post('/webhooks/slack', 'ssl_check=1&token=abc')).toEqual(asText(''))
    const command = 'token=abc&command=%2Fdeploy&text=ssl_check%3D1'
    expect((await post('/webhooks/slack', command)).status).toBe(401)
  })

  it('Slack: echoes the challenge of a url_verification that it signed', async () => {
    const { ask, post, recorded } = await start()
    const challenge = '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P'
    const body = JSON.stringify({ token: 'Jhj5dZrVaK7ZwHHjRyZWjbDl', challenge, type: 'url_verification' })
    expect(await post('/webhooks/slack', body, slack)).toEqual(asText(challenge))
    expect(await post('/webhooks/slack', body, slack, formerSecret)).toEqual(asText(challenge))
    expect((await post('/webhooks/slack', body)).status).toBe(401)
    expect((await post('/webhooks/slack', body, slack, 'another secret')).status).toBe(401)
    expect(recorded).toEqual([])
    // A delivery that mentions a challenge.
    const delivery = JSON.stringify({ kind: 'rung', id: '1', door: 'front', of: 'url_verification' })
    expect((await post('/webhooks/slack', delivery, slack)).text).toContain('accepted')
    expect((await ask('/webhooks/slack?challenge=1')).status).toBe(405)
  })

  it('Zoom: signs the plain token with the secret of the request', async () => {
    const { post } = await start()
    const plainToken = 'qgg8vlvZRS6UYooatFL8Aw'
    const request = (token: unknown, key?: string) => {
      const validation = {
        payload: { plainToken: token },
        event_ts: 1654503849680,
        event: 'endpoint.url_validation',
      }
      return post('/webhooks/zoom', JSON.stringify(validation), zoom, key)
    }
    const answer = (key: string) =>
      asJson({ plainToken, encryptedToken: createHmac('sha256', key).update(plainToken).digest('hex') })
    expect(await request(plainToken)).toEqual(answer(secret))
    expect(await request(plainToken, formerSecret)).toEqual(answer(formerSecret))
    expect((await request(plainToken, 'another secret')).status).toBe(401)
    // Two signed answers and a failure reach the limit.
    expect((await request(plainToken)).status).toBe(429)
  })

  it('Graph: echoes the decoded validation token of a request without a body', async () => {
    const { post } = await start()
    const token = 'Validation: Testing client application reachability for subscription Request-Id: 522a8e7e'
    const path = `/webhooks/graph?validationToken=${encodeURIComponent(token)}`
    expect(await post(path, '')).toEqual(asText(token))
    expect(await post(path.replaceAll('%20', '+'), '')).toEqual(asText(token))
    const delivery = JSON.stringify({ kind: 'rung', id: '1', door: 'front' })
    expect((await post(path, delivery, doorbell.signature)).text).toContain('accepted')
    expect((await post('/webhooks/graph?validationToken=%3Cscript%3E', '')).status).toBe(401)
    expect((await post(`/webhooks/graph?validationToken=${'x'.repeat(1025)}`, '')).status).toBe(401)
    expect((await post('/webhooks/graph', '')).status).toBe(401)
  })

  it('records nothing and signs only random text for unsigned requests', async () => {
    const { ask, post, recorded } = await start({ check: () => 0, fail: () => 0 })
    const wanted = fc.oneof(
      fc.json(),
      fc.integer().map(String),
      fc.constantFrom('true', 'null', '{"kind":"rung","id":"1","door":"front"}', 'v0:1767225600:{}'),
      fc.stringMatching(/^[A-Za-z0-9_-]{0,140}$/),
    )
    const name = fc.constantFrom(...providers.map((one) => one.name))
    await fc.assert(
      fc.asyncProperty(name, wanted, async (to, text) => {
        const query = new URLSearchParams({ crc_token: text, validationToken: text, 'hub.challenge': text })
        const path = `/webhooks/${to}?${query.toString()}`
        const said = [
          await ask(path),
          await post(path, text),
          await post(path, JSON.stringify({ type: 'url_verification', challenge: text })),
          await post(
            path,
            JSON.stringify({ event: 'endpoint.url_validation', payload: { plainToken: text } }),
          ),
        ]
        for (const { status, text: answered } of said) {
          if (status !== 200) continue
          expect(to).toBe('x')
          expect(answered).toContain('response_token')
          expect(text).toMatch(/^[A-Za-z0-9_-]{1,128}$/)
          expect(text).not.toMatch(/^-?\d+$|^true$|^null$/)
        }
      }),
      { numRuns: 60 },
    )
    expect(recorded).toEqual([])
  })
})

// Regression: the token undefined was compared as an empty string.
it.each(['', [], undefined, null, 7, [undefined], ['a', null]])(
  'Meta: rejects the verify token %j',
  (none) => {
    expect(() => metaHandshake({ verifyToken: none as never })).toThrow(/^verifyToken must be/)
  },
)

it.each(['', undefined, null])('rejects a signed challenge with the mark %j', (mark) => {
  expect(() => signedChallenge({ mark: mark as never, answer: () => undefined })).toThrow(/^mark must be/)
})
