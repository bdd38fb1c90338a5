import { defineProvider, hmac, signedTime, type Handshake } from '@sallyport/webhooks'
import {
  graphHandshake,
  metaHandshake,
  oktaHandshake,
  slackHandshake,
  xHandshake,
  zoomHandshake,
} from '@sallyport/webhooks/handshakes'
import { casesOf, equal } from './case.ts'
import { asker, doorbell, openGateway, signed, type Asked } from './doorbell.ts'
import { body, bytesOf, deliveryOf, secret } from './fixed.ts'

const timed = hmac({
  algorithm: 'sha256',
  encoding: 'hex',
  header: 'x-signature',
  prefix: 'v0=',
  timestamp: signedTime({ header: 'x-time' }),
  content: ({ timestamp, body: signedBody }) => ['v0:', timestamp, ':', signedBody],
})

const handshakes: Readonly<Record<string, Handshake>> = {
  meta: metaHandshake({ verifyToken: 'meatyhamhock' }),
  x: xHandshake(),
  okta: oktaHandshake(),
  slack: slackHandshake(),
  zoom: zoomHandshake(),
  graph: graphHandshake(),
}
const providers = Object.entries(handshakes).map(([name, handshake]) =>
  defineProvider({ ...doorbell, name, handshake, ...(name === 'slack' && { signature: timed }) }),
)

/** The answer to a challenge: what a service would read of it. */
async function answerTo(path: string, asked: Asked): Promise<readonly unknown[]> {
  const { status, headers, text } = await asker(openGateway(providers, [secret]))({
    ...asked,
    path: `/webhooks/${path}`,
  })
  return [status, headers.get('content-type')?.split(';')[0], text]
}

/** The HMAC of a text, by way of a signature over it as a body. */
async function hmacOf(text: string, encoding: 'hex' | 'base64'): Promise<string | undefined> {
  const scheme = hmac({ algorithm: 'sha256', encoding, header: 'x' })
  return (await scheme.sign(deliveryOf({}, bytesOf(text)), secret, 0))['x']
}

const get = { method: 'GET' }
const json = (value: unknown) => [200, 'application/json', JSON.stringify(value)]

export const handshakeCases = casesOf('webhooks/handshakes', {
  'Meta gets its challenge back, with the verify token only': async () => {
    const query = (token: string) => `meta?hub.mode=subscribe&hub.challenge=115&hub.verify_token=${token}`
    equal(await answerTo(query('meatyhamhock'), get), [200, 'text/plain', '115'])
    equal((await answerTo(query('another'), get))[0], 405)
  },
  'X gets its token signed': async () => {
    const token = `sha256=${(await hmacOf('challenge_string', 'base64')) ?? ''}`
    equal(await answerTo('x?crc_token=challenge_string', get), json({ response_token: token }))
  },
  'Okta gets its header back': async () => {
    const headers = { 'x-okta-verification-challenge': 'hsVmYfJyNjPTo0DvR' }
    equal(await answerTo('okta', { ...get, headers }), json({ verification: 'hsVmYfJyNjPTo0DvR' }))
  },
  'Slack gets the challenge back that it signed': async () => {
    const content = { type: 'url_verification', challenge: '3eZbrw1a' }
    equal(await answerTo('slack', await signed(content, timed)), [200, 'text/plain', '3eZbrw1a'])
    equal((await answerTo('slack', await signed(content, timed, 'another secret')))[0], 401)
  },
  'Zoom gets its token signed': async () => {
    const plainToken = 'qgg8vlvZRS6UYooatFL8Aw'
    const content = { event: 'endpoint.url_validation', payload: { plainToken } }
    const encryptedToken = await hmacOf(plainToken, 'hex')
    equal(await answerTo('zoom', await signed(content)), json({ plainToken, encryptedToken }))
  },
  'Graph gets its token back': async () => {
    const token = 'Validation: 522a8e7e'
    const path = `graph?validationToken=${encodeURIComponent(token)}`
    equal(await answerTo(path, { body: new Uint8Array() }), [200, 'text/plain', token])
    equal((await answerTo(path, { body }))[0], 401)
  },
})
